// Evening or daylight: as chosen, or as the rest of this screen is.

const day = matchMedia("(prefers-color-scheme: light)");

export function followTheme(news) {
  const apply = () => {
    const chosen = news.last.preferences.theme;
    document.documentElement.dataset.theme = chosen === "auto" ? (day.matches ? "daylight" : "evening") : chosen;
  };
  day.addEventListener("change", apply);
  news.on(["preferences"], apply);
}
