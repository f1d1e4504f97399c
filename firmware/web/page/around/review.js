// A game looked back at: how it was expected to end, turn by turn, where it turned, and what would have been better.

import { html } from "../element.js";
import { actionText, turnSentence } from "../sentences.js";
import { say } from "../words.js";
import { plot } from "./lead.js";
import { miniPawn } from "./mini.js";

const moves = (actions) => actions.map(actionText).join(" ");

// By its number, from where one can look at it and play on; a match that goes on is not given up for that.
function turningPoint(turn, { state, moves: list, link }) {
  const button = (saying, onclick) => html("button", { type: "button", onclick }, say(saying));
  const isFree = !state.match || state.match.isOver;
  return html("li", {},
    html("p", {}, miniPawn(turn.player), html("span", { class: "unseen" }, turnSentence(turn)),
      html("b", {}, `${turn.number}.`), " ", say("review.gave-away", { moves: moves(turn.actions), n: turn.loss }),
      " ", say("review.better", { moves: moves(turn.better) })),
    html("div", { class: "buttons" },
      button("review.show", () => list.lookBefore(turn.number)),
      isFree ? button("review.play-on", () => link.send({ type: "from", turn: turn.number })) : ""));
}

export function drawReview({ before, turns, turningPoints, isWhole, isExact }, game, tools) {
  const turned = turns.filter((turn) => turningPoints.includes(turn.number));
  const found = turned.length
    ? html("ol", { class: "turned" }, ...turned.map((turn) => turningPoint(turn, tools)))
    : html("p", {}, say("review.none"));
  return [
    html("h3", {}, say("review.title")),
    plot([before, ...turns.map((turn) => turn.after)], "review.plot", turned.map((turn) => turn.number)),
    isWhole
      ? found
      : html("p", { role: "status" }, say("review.progress", { done: turns.length, all: game.turns.length })),
    isWhole && !isExact ? html("small", {}, say("review.estimated")) : "",
  ];
}
