// A new game: who plays, edition, option, length of the match, and who starts.

import { html } from "../element.js";
import { say } from "../words.js";
import { choice, fieldset, makeDialog } from "./dialog.js";

const LENGTHS = [0, 3, 5, 7];
const USUAL_LEVEL = 3;

export function makeNewGame(hello, { news, link, board }) {
  let setsUp = false; // whether the pawns are to be set up as soon as the new game waits for them

  function begin(form) {
    const chosen = new FormData(form);
    const lot = Math.random() < 0.5 ? "red" : "black";
    const first = chosen.get("first") === "lot" ? lot : chosen.get("first");
    const option = chosen.get("aggressive") ? "+aggressive" : "";
    setsUp = hello.hasHands;
    const computer = chosen.get("opponent") || null;
    link.send({
      type: "new", edition: chosen.get("edition") + option, first, bestOf: Number(chosen.get("length")),
      computer, level: computer ? Number(chosen.get("level")) : 0,
    });
  }

  function form(close) {
    const { edition, aggressive, first } = news.last.game;
    const option = choice("aggressive", "on", say("edition.aggressive"), { type: "checkbox", checked: aggressive });
    const box = option.querySelector("input");
    const allow = (name) => {
      box.disabled = !hello.editions.find((plan) => plan.name === name).hasBonus;
      if (box.disabled) box.checked = false;
    };
    const editions = hello.editions.map(({ name }) =>
      choice("edition", name, say(`edition.${name}`), { checked: name === edition, detail: say(`edition.${name}-detail`), onchange: () => allow(name) }));
    allow(edition);
    const lengths = LENGTHS.map((n) => choice("length", n, n ? say("match.best-of", { bestOf: n }) : say("match.none"), { checked: n === (news.last.state.match?.bestOf ?? 0) }));
    const starters = ["red", "black", "lot"].map((who) => choice("first", who, say(who === "lot" ? "new-game.lot" : `color.${who}`), { checked: who === first }));
    const seat = news.last.state.computer;
    const levels = Array.from({ length: hello.levels }, (_, i) => i + 1).map((n) =>
      html("option", { value: n, selected: n === (seat?.level ?? USUAL_LEVEL) }, `${n} · ${say(`level.${n}`)}`));
    const level = html("label", { class: "field", hidden: !seat }, say("new-game.level"), html("select", { name: "level" }, ...levels));
    const opponents = ["", "black", "red"].map((color) =>
      choice("opponent", color, color ? say("new-game.computer", { color }) : say("new-game.people"),
        { checked: color === (seat?.color ?? ""), onchange: () => (level.hidden = !color) }));
    return html("form", { method: "dialog", onsubmit: ({ target }) => begin(target) },
      fieldset(say("new-game.opponent"), ...opponents, level),
      fieldset(say("new-game.edition"), ...editions, option),
      fieldset(say("new-game.first"), ...starters),
      fieldset(say("new-game.match"), ...lengths),
      html("div", { class: "buttons" },
        html("button", { type: "button", onclick: close }, say("dialog.cancel")),
        html("button", { type: "submit", class: "main" }, say("new-game.begin"))));
  }

  news.each("state", ({ stage }) => {
    if (!setsUp || news.last.game.turns.length) return;
    setsUp = false;
    if (stage === "setting-up") board.tidy();
  });

  return makeDialog("new-game", "key.new", (close) => [form(close)]);
}
