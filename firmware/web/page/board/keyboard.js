// The keyboard as a hand. The board is one tab stop: arrows go from pawn to pawn, Enter or Space takes one, arrows then
// carry it from row to row and from mark to mark, Enter or Space puts it down, Escape puts it back.

import { say } from "../words.js";

const STEPS = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

export function followKeyboard(layer, plan, pawns, grip, news, canMove, whisper) {
  let held = null;
  let over = null; // what was last said of the row under it

  function focus(pawn) {
    for (const other of pawns.all()) other.shape.setAttribute("tabindex", other === pawn ? 0 : -1);
    pawn.shape.focus({ preventScroll: true });
  }

  const standingIn = (row) => pawns.all().filter((pawn) => pawn.row === row).sort((a, b) => a.x - b.x || b.y - a.y);

  function neighbour(pawn, [across, up]) {
    if (across) {
      const row = standingIn(pawn.row);
      return row[row.indexOf(pawn) + across];
    }
    const nearest = (a, b) => Math.abs(a.x - pawn.x) - Math.abs(b.x - pawn.x);
    for (let row = pawn.row + up; row >= 0 && row < plan.rows.length; row += up) {
      const [there] = standingIn(row).sort(nearest);
      if (there) return there;
    }
    return undefined;
  }

  // Over the nearest free mark on that side, or of that row; over the row itself where none is free.
  function carry(pawn, [across, up]) {
    const row = Math.min(Math.max(plan.rowAt(pawn.y) + up, 0), plan.rows.length - 1);
    const isAhead = ([x]) => !across || (x - pawn.x) * across > 0;
    const [mark] = grip.freeMarks(pawn, row, pawn.x, pawn.y).filter(isAhead);
    grip.carry(pawn, ...(mark ?? [pawn.x, up ? plan.middles[row] : pawn.y]));
    over = "";
    tell();
  }

  // The light follows the hand, so it may come after the row was told.
  function tell() {
    if (!held || over === null) return;
    const row = plan.rowAt(held.y);
    const isLit = news.last.state.inHand.some((hand) => hand.landings.includes(row));
    const words = say(isLit ? "board.over-lit" : "board.over", { row });
    if (words !== over) whisper((over = words));
  }

  function describe(pawn) {
    const row = standingIn(pawn.row);
    const count = (color) => row.filter((other) => other.color === color).length;
    whisper(say("board.row", { row: pawn.row, red: count("red"), black: count("black") }));
  }

  function take(pawn) {
    held = pawn;
    over = null;
    grip.lift(pawn);
    focus(pawn);
  }

  function release(act) {
    const pawn = held;
    held = null;
    act(pawn);
    focus(pawn);
  }

  news.each("state", tell);

  layer.addEventListener("focusin", ({ target }) => {
    const pawn = pawns.all().find(({ shape }) => shape === target);
    if (pawn) for (const other of pawns.all()) other.shape.setAttribute("tabindex", other === pawn ? 0 : -1);
  });

  layer.addEventListener("keydown", (event) => {
    const pawn = pawns.all().find(({ shape }) => shape === event.target);
    if (!pawn || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEPS[event.key];
    if (step) {
      const next = held ? null : neighbour(pawn, step);
      if (held) carry(held, step);
      else if (next) {
        focus(next);
        describe(next);
      }
    } else if (canMove && (event.key === "Enter" || event.key === " ")) {
      if (held) release((it) => grip.put(it, it.x, it.y));
      else take(pawn);
    } else if (event.key === "Escape" && held) {
      release((it) => grip.putBack(it));
    } else {
      return;
    }
    event.preventDefault();
  });

  return {
    drop() {
      held = null;
    },
  };
}
