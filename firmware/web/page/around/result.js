// The end of a game: who won, the count row by row, and how the lead went.

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

export function makeResult(root, { news, newGame }) {
  news.on(["game", "words"], () => {
    const { game } = news.last;
    root.hidden = !game?.result;
    if (root.hidden) return;
    root.replaceChildren(
      html("h2", {}, winnerOf(game.result)),
      countTable(game.result),
      html("h3", {}, say("result.lead-title")),
      leadPlot(game),
      html("button", { type: "button", class: "main", onclick: newGame.open }, say("key.new")));
  });
}
