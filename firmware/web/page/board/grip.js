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

  function say(pawn) {
    send({ type: "move", pawn: pawn.number, x: pawn.x, y: flip(pawn.y), height: pawn.height });
  }

  // The free slots of a row, as far as the pawns that stand there leave any.
  function freeSlots(row, except) {
    const standing = pawns.all().filter((pawn) => pawn !== except && !pawn.height);
    return plan.rows[row].filter(([x, y]) => standing.every((pawn) => Math.hypot(pawn.x - x, pawn.y - y) > PAWN));
  }

  function nearestFree(pawn, x, y) {
    const away = ([slotX, slotY]) => Math.hypot(slotX - x, slotY - y);
    return freeSlots(plan.rowAt(y), pawn).sort((a, b) => away(a) - away(b))[0];
  }

  // Hands put a pawn on a mark where there is one free in the row, unless they want it exactly here.
  function landing(pawn, x, y, isExact) {
    if (isExact || preferences.get("precise") || !plan.isOnBoard(x, y)) return within(x, y);
    return nearestFree(pawn, x, y) ?? within(x, y);
  }

  return {
    nearestFree,
    lift(pawn, isSliding = false) {
      pawns.raise(pawn);
      pawn.from = [pawn.x, pawn.y];
      pawns.hold(pawn, { x: pawn.x, y: pawn.y, height: isSliding ? 0 : HELD_MM });
      say(pawn);
    },
    carry(pawn, x, y) {
      const [nearX, nearY] = within(x, y);
      pawns.hold(pawn, { x: nearX, y: nearY, height: pawn.height });
      say(pawn);
    },
    put(pawn, x, y, isExact = false) {
      const [toX, toY] = landing(pawn, x, y, isExact);
      pawns.letGo(pawn, { x: toX, y: toY, height: 0 });
      say(pawn);
    },
    putBack(pawn) {
      pawns.letGo(pawn, { x: pawn.from[0], y: pawn.from[1], height: 0 });
      say(pawn);
    },
  };
}
