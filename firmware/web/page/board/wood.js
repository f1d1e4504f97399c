// The wood: a mitred frame around a bed of planks, with shallow marks where pawns stand.

import { svg } from "../element.js";
import { FRAME, PAWN } from "./plan.js";

const CORNER = 9;

// Grain is noise stretched along the plank: dark years, pale years, and pores. `seed` makes each plank another piece of
// the tree.
const tone = (source, red, green, blue, slope, level, result) =>
  svg("feColorMatrix", { in: source, result, values: `0 0 0 0 ${red} 0 0 0 0 ${green} 0 0 0 0 ${blue} 0 0 0 ${slope} ${level}` });

function grain(id, seed, isUpright) {
  const along = (a, b) => (isUpright ? `${b} ${a}` : `${a} ${b}`);
  const noise = (frequency, octaves, more, result) =>
    svg("feTurbulence", { type: "fractalNoise", baseFrequency: frequency, numOctaves: octaves, seed: seed + more, result });
  const layers = ["dark", "pale", "pores"];
  return svg("filter", { id, x: 0, y: 0, width: 1, height: 1, "color-interpolation-filters": "sRGB" },
    noise(along(0.0042, 0.13), 5, 0, "years"),
    tone("years", 0.09, 0.04, 0.01, -2.5, 1.35, "dark"),
    tone("years", 0.95, 0.62, 0.36, 1.15, -0.56, "pale"),
    noise(along(0.03, 1.3), 2, 40, "fine"),
    tone("fine", 0.05, 0.02, 0, -3.6, 1.5, "pores"),
    svg("feMerge", { result: "all" }, ...layers.map((layer) => svg("feMergeNode", { in: layer }))),
    svg("feComposite", { in: "all", in2: "SourceGraphic", operator: "in" }));
}

const stops = (...shades) =>
  shades.map(([offset, name]) => svg("stop", { offset, class: name }));

export function woodPaints() {
  return [
    ...[3, 11, 23, 31].map((seed, i) => grain(`grain-${i}`, seed, false)),
    grain("grain-up", 17, true),
    svg("linearGradient", { id: "fall-top", x1: 0, y1: 0, x2: 0, y2: 1 }, ...stops([0, "shade"], [1, "clear"])),
    svg("linearGradient", { id: "fall-left", x1: 0, y1: 0, x2: 1, y2: 0 }, ...stops([0, "shade"], [1, "clear"])),
    svg("radialGradient", { id: "bed-light", cx: 0.42, cy: 0.36, r: 0.8 }, ...stops([0, "bed-glow"], [1, "clear-bed"])),
    svg("linearGradient", { id: "mark-paint", x1: 0, y1: 0, x2: 0.7, y2: 1 }, ...stops([0, "mark-dark"], [0.5, "mark-none"], [1, "mark-light"])),
  ];
}

const box = (left, top, right, bottom, more) =>
  svg("rect", { x: left, y: top, width: right - left, height: bottom - top, ...more });

const piece = (shape, filter) => {
  const veined = shape.cloneNode();
  veined.setAttribute("class", "veins");
  veined.setAttribute("filter", `url(#${filter})`);
  return [shape, veined];
};

function frame({ inner, outer }) {
  const right = outer.x + outer.width;
  const bottom = outer.y + outer.height;
  const member = (points, name) => svg("polygon", { points: points.map((p) => p.join()).join(" "), class: name });
  const [nw, ne] = [[outer.x, outer.y], [right, outer.y]];
  const [sw, se] = [[outer.x, bottom], [right, bottom]];
  const [inw, ine] = [[inner.left, inner.top], [inner.right, inner.top]];
  const [isw, ise] = [[inner.left, inner.bottom], [inner.right, inner.bottom]];
  return svg("g", { "clip-path": "url(#rounded)" },
    ...piece(member([nw, ne, ine, inw], "frame-n"), "grain-0"),
    ...piece(member([sw, se, ise, isw], "frame-s"), "grain-2"),
    ...piece(member([nw, sw, isw, inw], "frame-w"), "grain-up"),
    ...piece(member([ne, se, ise, ine], "frame-e"), "grain-up"),
    svg("rect", { ...outer, rx: CORNER, class: "frame-edge" }));
}

function bed({ inner }) {
  const edges = [inner.top, inner.top + 96, inner.top + 209, inner.top + 330, inner.bottom];
  const planks = edges.slice(1).flatMap((bottom, i) =>
    piece(box(inner.left, edges[i], inner.right, bottom, { class: `plank plank-${i}` }), `grain-${i}`));
  const seams = edges.slice(1, -1).map((y) =>
    svg("path", { class: "seam", d: `M${inner.left} ${y}H${inner.right}` }));
  return [
    ...planks,
    ...seams,
    box(inner.left, inner.top, inner.right, inner.bottom, { fill: "url(#bed-light)" }),
    box(inner.left, inner.top, inner.right, inner.top + 11, { fill: "url(#fall-top)" }),
    box(inner.left, inner.top, inner.left + 8, inner.bottom, { fill: "url(#fall-left)" }),
    box(inner.left, inner.top, inner.right, inner.bottom, { class: "bed-edge" }),
  ];
}

const marks = ({ rows }) =>
  rows.flat().map(([cx, cy]) => svg("circle", { cx, cy, r: PAWN - 3.4, class: "mark", stroke: "url(#mark-paint)" }));

// The number of each row, burnt into the frame.
const numbers = ({ middles, inner }) =>
  middles.map((y, row) => svg("text", { x: inner.left - FRAME / 2, y, class: "row-number" }, String(row)));

export function wood(plan) {
  const clip = svg("clipPath", { id: "rounded" }, svg("rect", { ...plan.outer, rx: CORNER }));
  return svg("g", {}, clip, frame(plan), ...bed(plan), ...marks(plan), ...numbers(plan));
}
