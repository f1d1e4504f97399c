// A pawn as small as a letter, to say whose.

import { svg } from "../element.js";

export function miniPawn(color) {
  return svg("svg", { viewBox: "-13 -13 26 26", class: `mini ${color}`, "aria-hidden": "true" },
    svg("circle", { r: 12, fill: `url(#ball-${color})` }),
    svg("circle", { r: 7.6, fill: `url(#cove-${color})` }),
    svg("circle", { r: 6, fill: `url(#ball-${color})` }),
    svg("circle", { r: 11.6, class: "mini-rim" }));
}
