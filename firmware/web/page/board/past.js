// Looking back: the pawns as they stood after an earlier action, over a board whose light has gone down.

import { svg } from "../element.js";
import { drawPawn } from "./pawn.js";
import { viewBox } from "./plan.js";

// Red from the left and black from the right, as on a tidy board.
function places(plan, position) {
  return plan.rows.flatMap((slots, row) => [
    ...slots.slice(0, position.red[row]).map((slot) => ["red", slot]),
    ...[...slots].reverse().slice(0, position.black[row]).map((slot) => ["black", slot]),
  ]);
}

const lane = (plan, row, name) => {
  const { top, bottom } = plan.lanes[row];
  return svg("rect", { x: -plan.reach, y: top + 5, width: 2 * plan.reach, height: bottom - top - 10, rx: 6, class: name });
};

export function makePast(plan) {
  const layer = svg("svg", { viewBox: viewBox(plan), class: "layer past", "aria-hidden": "true" });
  return {
    layer,
    show({ position, origin, destination }) {
      const lanes = origin == null ? [] : [lane(plan, origin, "left-row"), lane(plan, destination, "entered-row")];
      const pawns = places(plan, position).map(([color, [x, y]], number) => {
        const pawn = drawPawn(number, color);
        pawn.style.transform = `translate(${x}px, ${y}px)`;
        return pawn;
      });
      layer.replaceChildren(...lanes, ...pawns);
    },
    clear: () => layer.replaceChildren(),
  };
}
