// One pawn, turned on a lathe and seen from above: a foot, a bead, a neck and a round head.

import { svg } from "../element.js";
import { PAWN } from "./plan.js";

const SHADES = {
  red: ["#ff9d80", "#e2452f", "#b8211a", "#7c0f10", "#45060a"],
  black: ["#a79a8e", "#5a524c", "#322d2a", "#191614", "#080706"],
  unknown: ["#fff3d6", "#e6c890", "#c39a5c", "#8d6632", "#543a17"],
};

function ball(id, [shine, light, body, dark, edge]) {
  return svg("radialGradient", { id, cx: 0.36, cy: 0.3, r: 0.78 },
    ...[[0, shine], [0.22, light], [0.58, body], [0.86, dark], [1, edge]].map(([offset, color]) => svg("stop", { offset, "stop-color": color })));
}

// A hollow turned into wood catches the light on its far side.
function cove(id, [, light, body, dark, edge]) {
  return svg("linearGradient", { id, x1: 0.15, y1: 0.1, x2: 0.85, y2: 0.95 },
    ...[[0, edge], [0.35, dark], [0.7, body], [1, light]].map(([offset, color]) => svg("stop", { offset, "stop-color": color })));
}

export function pawnPaints() {
  return [
    ...Object.entries(SHADES).flatMap(([color, shades]) => [ball(`ball-${color}`, shades), cove(`cove-${color}`, shades)]),
    svg("radialGradient", { id: "pawn-shadow" },
      ...[[0, 0.72], [0.62, 0.5], [0.84, 0.16], [1, 0]].map(([offset, opacity]) =>
        svg("stop", { offset, "stop-color": "#000", "stop-opacity": opacity }))),
    svg("radialGradient", { id: "shine" },
      svg("stop", { offset: 0, "stop-color": "#fff", "stop-opacity": 0.85 }),
      svg("stop", { offset: 1, "stop-color": "#fff", "stop-opacity": 0 })),
  ];
}

const ring = (r, more) => svg("circle", { r, fill: "none", ...more });

// The marks of the lathe and of the grain, turned differently on each pawn.
function figure(number) {
  const turn = (number * 47) % 360;
  return svg("g", { class: "figure", transform: `rotate(${turn})` },
    svg("path", { d: "M-9.4 -4.6q9 -3.6 18.6 -.5M-10.6 -1.2q10 -3.4 21.2 .2M-10.4 2.6q11 -3 20.6 .6M-8.4 6.2q9 -2.2 16.6 .6" }),
    ring(11, {}), ring(9.1, {}), ring(7.7, {}));
}

export function drawPawn(number, color) {
  const name = color ?? "unknown";
  const [ballPaint, covePaint] = [`url(#ball-${name})`, `url(#cove-${name})`];
  return svg("g", { class: `pawn ${name}`, "data-pawn": number },
    svg("circle", { r: PAWN + 3.6, class: "reach" }),
    svg("circle", { r: PAWN + 2.6, class: "shadow", fill: "url(#pawn-shadow)" }),
    svg("g", { class: "body" },
      svg("circle", { r: PAWN, fill: ballPaint, class: "rim" }),
      figure(number),
      ring(PAWN - 1.1, { class: "glint" }),
      svg("g", { class: "waist" },
        svg("circle", { r: 8.6, fill: covePaint }),
        svg("circle", { r: 7.4, fill: ballPaint, class: "bead" })),
      svg("g", { class: "head" },
        svg("circle", { r: 6.4, cx: 0.9, cy: 1.3, class: "head-shadow" }),
        svg("circle", { r: 6, fill: ballPaint, class: "rim" }),
        svg("ellipse", { cx: -2, cy: -2.5, rx: 2.7, ry: 1.8, transform: "rotate(-38 -2 -2.5)", fill: "url(#shine)", class: "shine" })),
      ring(PAWN + 1.9, { class: "ring" })));
}
