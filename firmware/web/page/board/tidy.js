// Puts the pawns right, so that nobody has to carry twenty-four of them back with a mouse: from the rows that have too
// many, or from beside the board, into the rows that miss some. And carries out what the computer chose.

import { isComputers } from "../sentences.js";

const isChosen = (state) => isComputers(state) && state.advised?.origin != null && !state.inHand.length;

export const needsTidying = (state) => state.misplaced !== null || state.differences.length > 0 || isChosen(state);

// What is wrong with the rows, as pairs of row and number; a misplaced pawn is one too many here and one missing there.
function changes(state, color) {
  const { misplaced, differences, advised } = state;
  if (!misplaced && isChosen(state)) return advised.color === color ? [[advised.origin, 1], [advised.destination, -1]] : [];
  if (!misplaced) return differences.map((difference) => [difference.row, difference[color]]);
  return misplaced.color === color ? [[misplaced.row, 1], [misplaced.origin, -1]] : [];
}

export function tidy(state, pawns, grip, plan) {
  for (const color of ["red", "black"]) {
    const wrong = changes(state, color);
    const own = pawns.all().filter((pawn) => pawn.color === color && !pawn.height);
    const surplus = wrong.flatMap(([row, n]) => own.filter((pawn) => pawn.row === row).slice(0, Math.max(n, 0)));
    const spare = [...surplus, ...own.filter((pawn) => pawn.row === null)];
    const missing = wrong.flatMap(([row, n]) => Array(Math.max(-n, 0)).fill(row));
    missing.forEach((row, i) => spare[i] && grip.put(spare[i], ...target(plan, row, color)));
  }
}

// Red gathers on the left and black on the right, at the edge of its own side.
function target(plan, row, color) {
  const side = color === "red" ? plan.inner.left : plan.inner.right;
  const own = color === "red" ? plan.inner.bottom : plan.inner.top;
  const lane = plan.lanes[row];
  return [row === 0 || row === plan.rows.length - 1 ? side / 2 : side, Math.min(Math.max(own, lane.top + 1), lane.bottom - 1)];
}
