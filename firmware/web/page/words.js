// What the page says, in the reader's language. A catalogue has sections of sayings: `expect.opening` is the saying
// `opening` of the section `expect`. A saying is a text with {names} to fill in, or a choice of texts: by
// colour where the values have a `color`, by number, as the language counts, where they have an `n`.

import { html } from "./element.js";

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
  retell();
}

export function say(key, values = {}) {
  const [section, name] = key.split(/\.(.*)/);
  const saying = sayings[section]?.[name] ?? key;
  const text = typeof saying === "string" ? saying : saying[values.color] ?? saying[plural.select(values.n)] ?? saying.other;
  return text.replace(/\{(\w+)\}/g, (_, value) => number(values[value]));
}

// A number as it is printed: with a minus, not a hyphen, and a fraction as the language writes it.
export const number = (value) =>
  (value % 1 ? value.toLocaleString(document.documentElement.lang) : String(value)).replace(/^-(?=\d)/, "−");

// An element that says one thing in whatever language is spoken.
export const label = (tag, key, attributes = {}) => html(tag, { ...attributes, "data-say": key }, say(key));

// Says everything on the page anew that names its saying.
function retell() {
  for (const element of document.querySelectorAll("[data-say]")) element.textContent = say(element.dataset.say);
  for (const element of document.querySelectorAll("[data-label]")) element.setAttribute("aria-label", say(element.dataset.label));
}
