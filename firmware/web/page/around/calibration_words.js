// What the guided calibration asks for, in words: a sentence, and what stands in its way.

import { say } from "../words.js";

const FEW = 3; // so many pawns that are missing are named one by one

// Where a slot is, for somebody who sits at red's side.
export function placeOf(board, slot) {
  let row = 0;
  let place = slot;
  while (place >= board.rows[row].length) place -= board.rows[row++].length;
  const slots = board.rows[row];
  const [, height] = slots[place];
  const ranks = [...new Set(slots.map(([, y]) => y))].sort((a, b) => a - b);
  const beside = slots.filter(([, y]) => y === height).map(([x]) => x).sort((a, b) => a - b);
  return { name: `${row}.${place}`, row, rank: ranks.length > 1 ? ranks.indexOf(height) + 1 : null, number: beside.indexOf(slots[place][0]) + 1 };
}

function walk({ target, doubt }, board) {
  const place = placeOf(board, target);
  return [say(place.rank ? "calibration.put-in-rank" : "calibration.put", place), doubt ? say(`doubt.${doubt}`) : ""];
}

function muster({ phase, marks }, board) {
  const missing = marks.filter(({ mark }) => mark.startsWith("place-"));
  const bad = marks.filter(({ mark }) => mark === "weak" || mark === "upside-down");
  const told = [...bad, ...(missing.length + bad.length <= FEW ? missing : [])];
  const remarks = told.map(({ slot, mark }) =>
    `${placeOf(board, slot).name}: ${say(`stands.${mark.replace(/^place-.*/, "missing")}`)}.`);
  return [say(phase === "red" ? "calibration.red-pawns" : "calibration.black-pawns"), remarks.join(" ")];
}

export function request(calibration, board) {
  if (calibration.phase === "walk" && calibration.target !== null) return walk(calibration, board);
  if (calibration.phase === "red" || calibration.phase === "black") return muster(calibration, board);
  const names = calibration.marks.map(({ slot }) => placeOf(board, slot).name).join(", ");
  return [say("calibration.empty"), names ? say("calibration.take-off", { names }) : ""];
}
