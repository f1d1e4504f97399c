// Hands for a simulated board that do what the calibration asks for: nobody wants to carry a pawn over 72 slots by mouse.

const ASIDE_MM = 400;
const NEAR_MM = 1;

// `slots` are the centres of all slots, `pawns` as the service tells of them.
export function obey({ phase, target, marks }, slots, pawns, send) {
  const put = (pawn, [x, y]) => {
    if (pawn.height_mm || Math.hypot(pawn.x_mm - x, pawn.y_mm - y) > NEAR_MM) send({ type: "move", pawn: pawn.number, x, y, height: 0 });
  };
  const own = pawns.filter(({ color }) => color === (phase === "black" ? "black" : "red"));
  if (phase === "empty") pawns.forEach((pawn) => put(pawn, [ASIDE_MM, 14 * pawn.number]));
  else if (phase === "walk") target !== null && put(own[0], slots[target]);
  else marks.forEach(({ slot }, i) => put(own[i], slots[slot]));
}
