// The moves so far. A click on a turn looks back at the board after it; step by step from there, and back to now.

import { html } from "../element.js";
import { actionText, turnSentence } from "../sentences.js";
import { label, say } from "../words.js";
import { icon } from "./icons.js";
import { miniPawn } from "./mini.js";

// Every moment that one can look back at: the start, and after each action.
function moments({ start, turns }) {
  const after = turns.flatMap((turn) => turn.actions.map((action) => ({ ...action, turn })));
  return [{ position: start, turn: null }, ...after];
}

export function makeMoves(root, { news }) {
  const step = (name, by) =>
    html("button", { type: "button", "data-label": `moves.${name}`, "aria-label": say(`moves.${name}`), onclick: () => look(at + by) }, icon(name));
  const [earlier, later] = [step("earlier", -1), step("later", 1)];
  const where = html("span", { role: "status" });
  const now = label("button", "moves.now", { type: "button", onclick: () => look(null) });
  const steps = html("div", { class: "steps", hidden: true }, earlier, where, later, now);
  const list = html("ol", { class: "turns" });
  const record = html("a", { href: "/record", download: "linja.txt", class: "button record" }, icon("record"), label("span", "moves.record"));
  root.append(label("h2", "moves.title"), list, steps, record);
  let at = null; // the moment that is shown; null: now

  function look(moment) {
    const all = moments(news.last.game);
    at = moment === null || moment >= all.length - 1 ? null : moment;
    news.tell("past", at === null ? null : all[at]);
    mark();
    if (at !== null) document.getElementById("table").scrollIntoView({ block: "nearest" });
  }

  function line(turn, last) {
    return html("li", {}, html("button", { type: "button", onclick: () => look(last) },
      html("span", { class: "number" }, String(turn.number)), miniPawn(turn.player),
      html("span", { class: "unseen" }, turnSentence(turn)),
      ...turn.actions.map((action) => html("span", { class: `action ${action.kind}` }, actionText(action)))));
  }

  // Shows which of the moments is looked at.
  function mark() {
    const shown = at === null ? null : moments(news.last.game)[at];
    const lines = [...list.querySelectorAll("button")];
    lines.forEach((button, i) => button.setAttribute("aria-current", shown?.turn === news.last.game.turns[i]));
    steps.hidden = !shown;
    earlier.disabled = at === 0;
    where.textContent = !shown ? "" : shown.turn ? `${turnSentence(shown.turn)} ${actionText(shown)}` : say("moves.start");
  }

  function draw() {
    const { game } = news.last;
    if (!game) return;
    let last = 0;
    list.replaceChildren(...game.turns.map((turn) => line(turn, (last += turn.actions.length))));
    list.scrollTop = list.scrollHeight;
    mark();
  }

  // Whatever happens at the board matters more than the past.
  news.each("game", () => at !== null && look(null));
  news.on(["game", "words"], draw);

  return {
    // The board as it was before the turn with this number.
    lookBefore: (number) => look(news.last.game.turns.slice(0, number - 1).reduce((n, turn) => n + turn.actions.length, 0)),
  };
}
