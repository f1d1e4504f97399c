// What a hand does with a pawn, be it a finger, a mouse or the keyboard: lift, carry, put down, put back. Nothing here
// knows what is allowed; the service judges.

import { flip, PAWN } from "./plan.js";

const HELD_MM = 80;

export function makeGrip(plan, pawns, preferences, send) {
  const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
  const { outer } = plan;

  const within = (x, y) => [
    clamp(x, outer.x + PAWN, outer.x + outer.width - PAWN),
    clamp(y, outer.y + PAWN, outer.y + outer.height - PAWN),
  ];

  function tell(pawn) {
    send({ type: "move", pawn: pawn.number, x: pawn.x, y: flip(pawn.y), height: pawn.height });
  }

  // The marks of a row that no other pawn stands on, the nearest to a point first.
  function freeMarks(pawn, row, x, y) {
    const others = pawns.all().filter((other) => other !== pawn && !other.height);
    const isFree = ([markX, markY]) => others.every((other) => Math.hypot(other.x - markX, other.y - markY) > PAWN);
    const away = ([markX, markY]) => Math.hypot(markX - x, markY - y);
    return plan.rows[row].filter(isFree).sort((a, b) => away(a) - away(b));
  }

  // Hands put a pawn on a mark where there is one free in the row, unless they want it exactly here.
  function landing(pawn, x, y, isExact) {
    if (isExact || preferences.get("precise") || !plan.isOnBoard(x, y)) return within(x, y);
    return freeMarks(pawn, plan.rowAt(y), x, y)[0] ?? within(x, y);
  }

  return {
    freeMarks,
    lift(pawn, isSliding = false) {
      pawns.raise(pawn);
      pawn.from = [pawn.x, pawn.y];
      pawns.hold(pawn, { x: pawn.x, y: pawn.y, height: isSliding ? 0 : HELD_MM });
      tell(pawn);
    },
    carry(pawn, x, y) {
      const [nearX, nearY] = within(x, y);
      pawns.hold(pawn, { x: nearX, y: nearY, height: pawn.height });
      tell(pawn);
    },
    put(pawn, x, y, isExact = false) {
      const [toX, toY] = landing(pawn, x, y, isExact);
      pawns.letGo(pawn, { x: toX, y: toY, height: 0 });
      tell(pawn);
    },
    putBack(pawn) {
      pawns.letGo(pawn, { x: pawn.from[0], y: pawn.from[1], height: 0 });
      tell(pawn);
    },
  };
}
