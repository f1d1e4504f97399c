// The points as they stand, how far the colours still have to go, and the match.

import { html } from "../element.js";
import { number, say } from "../words.js";
import { miniPawn } from "./mini.js";

const COLORS = ["red", "black"];

export function makePoints(root, { news }) {
  const side = (color, state) => {
    const name = html("span", { class: "name" }, say(`color.${color}`));
    const value = html("strong", {}, number(state.points[color]));
    const seat = state.computer?.color === color ? html("small", {}, say("computer.seat", { level: state.computer.level })) : "";
    const isTurn = state.player === color && state.stage !== "over";
    return html("div", { class: `side ${color}${isTurn ? " turn" : ""}` }, miniPawn(color), html("span", {}, name, seat), value);
  };

  function matchText({ bestOf, results }) {
    const won = (color) => results.filter((winner) => winner === color).length;
    return say("match.standing", { bestOf, red: won("red"), black: won("black") });
  }

  function draw() {
    const { state, game } = news.last;
    if (!state || !game) return;
    const edition = say(`edition.${game.edition}`) + (game.aggressive ? ` · ${say("edition.aggressive-short")}` : "");
    const lines = [
      html("p", { class: "edition" }, edition),
      state.stage === "over" ? "" : html("p", {}, say("points.rows-to-pass", { n: state.rowsToPass })),
      state.match ? html("p", {}, matchText(state.match)) : "",
    ];
    root.replaceChildren(html("div", { class: "sides" }, ...COLORS.map((color) => side(color, state))), ...lines);
  }

  news.on(["state", "game", "words"], draw);
}
