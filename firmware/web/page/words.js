// What the page says, in the reader's language. A catalogue has sections of sayings: `expect.opening` is the saying
// `opening` of the section `expect`. A saying is a text with {names} to fill in, or a choice of texts: by
// colour where the values have a `color`, by number, as the language counts, where they have an `n`.

export const LANGUAGES = ["en", "de", "fr", "it", "es", "pt", "ro"];

let sayings = {};
let plural = new Intl.PluralRules("en");

// The first language of the browser that there is a catalogue for.
export const preferredLanguage = () =>
  navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()).find((tag) => LANGUAGES.includes(tag)) ?? "en";

export async function learn(language) {
  const answer = await fetch(`/words/${language}.json`);
  sayings = await answer.json();
  plural = new Intl.PluralRules(language);
  document.documentElement.lang = language;
}

export function say(key, values = {}) {
  const [section, name] = key.split(/\.(.*)/);
  const saying = sayings[section]?.[name] ?? key;
  const text = typeof saying === "string" ? saying : saying[values.color] ?? saying[plural.select(values.n)] ?? saying.other;
  return text.replace(/\{(\w+)\}/g, (_, value) => number(values[value]));
}

// A number as it is printed: with a minus, not a hyphen.
export const number = (value) => String(value).replace(/^-(?=\d)/, "−");

// Fills every element below `root` that names its saying.
export function fillIn(root) {
  for (const element of root.querySelectorAll("[data-say]")) element.textContent = say(element.dataset.say);
  for (const element of root.querySelectorAll("[data-label]")) element.setAttribute("aria-label", say(element.dataset.label));
}
