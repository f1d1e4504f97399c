// What the guided calibration shows at a slot: told apart by form as well as by hue.

import { svg } from "../element.js";
import { viewBox } from "./plan.js";

const R = 12.5;
const FORMS = {
  asked: `M-${R} 0A${R} ${R} 0 1 1 ${R} 0A${R} ${R} 0 1 1 -${R} 0M0 -18V-9M0 18V9M-18 0H-9M18 0H9`,
  answered: "M-4.5 .5L-1 4L5 -4",
  "place-red": `M-${R} 0A${R} ${R} 0 1 1 ${R} 0A${R} ${R} 0 1 1 -${R} 0`,
  "take-off": "M0 8V-8M-6 -2L0 -8L6 -2",
  weak: "M-9 2Q-4.5 -6 0 0T9 -2",
  "upside-down": "M-7 -3A7.5 7.5 0 1 1 -6 5M-7 -9V-3H-1",
  seen: "M-4 -4A4.4 4.4 0 1 1 1 1Q0 2 0 4M0 8V8.2",
  ailing: "M0 -7V2M0 7V7.2",
};
FORMS["place-black"] = FORMS["place-red"];

export function makeMarks(plan) {
  const slots = plan.rows.flat();
  const layer = svg("svg", { viewBox: viewBox(plan), class: "layer marks", "aria-hidden": "true" });
  return {
    layer,
    show: (marks) =>
      layer.replaceChildren(...marks.map(({ slot, mark }) => {
        const [x, y] = slots[slot];
        return svg("g", { transform: `translate(${x} ${y})`, class: `slot-mark ${mark}` }, svg("circle", { r: 10 }), svg("path", { d: FORMS[mark] }));
      })),
  };
}
