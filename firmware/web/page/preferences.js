// What this browser's owner likes, kept where the browser keeps such things; forgotten where it keeps nothing.

const NAME = "linja";
const DEFAULTS = { language: null, theme: "auto", sound: true, speech: false, slides: false, precise: false, toured: false };

function remembered() {
  try {
    return JSON.parse(localStorage.getItem(NAME)) ?? {};
  } catch {
    return {};
  }
}

export function makePreferences(news) {
  const preferences = { ...DEFAULTS, ...remembered() };
  news.tell("preferences", preferences);
  return {
    get: (key) => preferences[key],
    set(key, value) {
      preferences[key] = value;
      try {
        localStorage.setItem(NAME, JSON.stringify(preferences));
      } catch {
        // A browser that keeps nothing still shows what was chosen.
      }
      news.tell("preferences", preferences);
    },
  };
}
