// The menu: sound at hand, the tour, the settings of this browser, and the way into the workshop.

import { html } from "../element.js";
import { LANGUAGES, say } from "../words.js";
import { choice, fieldset, makeDialog } from "./dialog.js";
import { icon } from "./icons.js";

const THEMES = ["auto", "evening", "daylight"];

// A language is named in itself, so that everybody finds their own.
const ownName = (language) => new Intl.DisplayNames([language], { type: "language" }).of(language);

export function makeMenu(root, { news, preferences, tour, workshop }) {
  const settings = makeDialog("settings", "settings.title", (close) => {
    const languages = LANGUAGES.map((language) =>
      html("option", { value: language, lang: language, selected: language === document.documentElement.lang }, ownName(language)));
    const chooseLanguage = html("select", { id: "language", onchange: ({ target }) => preferences.set("language", target.value) }, ...languages);
    const toggle = (key) =>
      choice(key, "on", say(`settings.${key}`), { type: "checkbox", checked: preferences.get(key), onchange: ({ target }) => preferences.set(key, target.checked) });
    return [
      html("label", { class: "field" }, say("settings.language"), chooseLanguage),
      fieldset(say("settings.theme"), ...THEMES.map((theme) =>
        choice("theme", theme, say(`settings.${theme}`), { checked: preferences.get("theme") === theme, onchange: () => preferences.set("theme", theme) }))),
      fieldset(say("settings.sound"), toggle("sound"), toggle("speech")),
      ...(workshop ? [fieldset(say("workshop.title"), ...workshop.buttons(close))] : []),
      html("div", { class: "buttons" }, html("a", { class: "button", href: "/pair.html" }, say("pair.devices")), html("button", { type: "button", class: "main", onclick: close }, say("dialog.close"))),
    ];
  });

  const button = (name, label, act, more = {}) =>
    html("button", { type: "button", class: "plain", "aria-label": label, title: label, onclick: act, ...more }, icon(name));

  function draw() {
    const isLoud = preferences.get("sound");
    root.replaceChildren(
      button(isLoud ? "sound" : "silence", say("settings.sound"), () => preferences.set("sound", !preferences.get("sound")), { "aria-pressed": String(isLoud) }),
      button("tour", say("tour.title"), () => tour.begin()),
      button("settings", say("settings.title"), () => settings.open()));
  }
  news.on(["words", "preferences"], draw);
  news.each("words", () => settings.redraw());
}
