// The moves so far. A click on a turn looks back at the board after it; step by step from there, and back to now.

import { html } from "../element.js";
import { actionText, turnSentence } from "../sentences.js";
import { say } from "../words.js";
import { icon } from "./icons.js";
import { miniPawn } from "./mini.js";

// Every moment that one can look back at: the start, and after each action.
function moments({ start, turns }) {
  const after = turns.flatMap((turn) => turn.actions.map((action) => ({ ...action, turn })));
  return [{ position: start, turn: null }, ...after];
}

export function makeMoves(root, { news }) {
  const heading = html("h2", { "data-say": "moves.title" });
  const list = html("ol", { class: "turns", tabindex: -1 });
  const steps = html("div", { class: "steps", hidden: true });
  const record = html("a", { href: "/record", download: "linja.txt", class: "button record" });
  root.append(heading, list, steps, record);
  let at = null; // the moment that is shown; null: now

  function look(moment) {
    const all = moments(news.last.game);
    at = moment === null || moment >= all.length - 1 ? null : Math.max(moment, 0);
    news.tell("past", at === null ? null : all[at]);
  }

  const step = (name, moment) =>
    html("button", { type: "button", "aria-label": say(`moves.${name}`), disabled: moment < 0, onclick: () => look(moment) }, icon(name));

  function line(turn, last) {
    const button = html("button", { type: "button", class: "turn", onclick: () => look(last) },
      html("span", { class: "number" }, String(turn.number)), miniPawn(turn.player),
      html("span", { class: "unseen" }, turnSentence(turn)),
      ...turn.actions.map((action) => html("span", { class: `action ${action.kind}` }, actionText(action))));
    const isShown = at !== null && moments(news.last.game)[at].turn === turn;
    if (isShown) button.setAttribute("aria-current", "step");
    return html("li", {}, button);
  }

  function draw() {
    const { game } = news.last;
    if (!game) return;
    let last = 0;
    heading.textContent = say("moves.title");
    list.replaceChildren(...game.turns.map((turn) => line(turn, (last += turn.actions.length))));
    if (at === null) list.scrollTop = list.scrollHeight;
    record.replaceChildren(icon("record"), say("moves.record"));
    const shown = at === null ? null : moments(game)[at];
    const where = shown && (shown.turn ? `${turnSentence(shown.turn)} ${actionText(shown)}` : say("moves.start"));
    steps.hidden = at === null;
    steps.replaceChildren(
      step("earlier", (at ?? 0) - 1), html("span", { role: "status" }, where ?? ""), step("later", (at ?? 0) + 1),
      html("button", { type: "button", class: "now", onclick: () => look(null) }, say("moves.now")));
  }

  // Whatever happens at the board matters more than the past.
  news.each("game", () => at !== null && look(null));
  news.on(["game", "words", "past"], draw);
}
