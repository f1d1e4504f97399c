// All of the board that never moves, in one drawing.

import { svg } from "../element.js";
import { bambooPaints, stick } from "./bamboo.js";
import { viewBox } from "./plan.js";
import { darkStrip, stripPaints } from "./strips.js";
import { wood, woodPaints } from "./wood.js";

export function scene(plan) {
  return svg("svg", { viewBox: viewBox(plan), class: "layer scene", "aria-hidden": "true" },
    svg("defs", {}, ...woodPaints(), ...stripPaints(), ...bambooPaints()),
    wood(plan),
    ...plan.strips.map(darkStrip),
    ...plan.sticks.map((y, number) => stick(y, plan.reach, number)),
    svg("rect", { ...plan.outer, rx: 9, class: "dusk" }));
}
