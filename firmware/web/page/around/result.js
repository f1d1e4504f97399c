// The end of a game: who won, the count row by row, how the lead went, and the way to look back at it.

import { html } from "../element.js";
import { winnerOf } from "../sentences.js";
import { number, say } from "../words.js";
import { leadPlot } from "./lead.js";
import { miniPawn } from "./mini.js";

const COLORS = ["red", "black"];

function countTable({ count, points }) {
  const rows = [...new Set(count.map((line) => line.row))].sort((a, b) => b - a);
  const cell = (row, color) => {
    const { pawns, worth } = count.find((line) => line.row === row && line.color === color);
    return html("td", {}, pawns ? `${pawns} × ${number(worth)} = ${number(pawns * worth)}` : "–");
  };
  const head = html("tr", {}, html("th", { scope: "col" }, say("result.row")),
    ...COLORS.map((color) => html("th", { scope: "col" }, miniPawn(color), say(`color.${color}`))));
  const body = rows.map((row) => html("tr", {}, html("th", { scope: "row" }, String(row)), ...COLORS.map((color) => cell(row, color))));
  const foot = html("tr", {}, html("th", { scope: "row" }, say("result.sum")), ...COLORS.map((color) => html("td", {}, number(points[color]))));
  return html("table", {}, html("thead", {}, head), html("tbody", {}, ...body), html("tfoot", {}, foot));
}

export function makeResult(root, { news, link, newGame, moves }) {
  const review = html("div", { class: "review" });
  let draw = null; // the module that shows a review is loaded when somebody wants one

  async function lookBack() {
    if (!news.last.review) return;
    draw ??= (await import("./review.js")).drawReview;
    const { review: found, game, state } = news.last;
    if (found && game?.result) review.replaceChildren(...draw(found, game, { state, moves, link }));
  }

  const begin = () => html("button", { type: "button", onclick: () => link.send({ type: "review" }) }, say("review.begin"));

  news.each("game", () => delete news.last.review);
  news.each("review", lookBack);
  news.on(["game", "words"], () => {
    const { game } = news.last;
    root.hidden = !game?.result;
    if (root.hidden) return;
    root.replaceChildren(
      html("h2", {}, winnerOf(game.result)),
      countTable(game.result),
      html("h3", {}, say("result.lead-title")),
      leadPlot(game),
      review,
      html("button", { type: "button", class: "main", onclick: newGame.open }, say("key.new")));
    review.replaceChildren(begin());
    lookBack();
  });
}
