// The bamboo sticks: each grown once, with nodes where it liked, fibres, and two cut ends.

import { svg } from "../element.js";
import { chance } from "./chance.js";
import { STICK } from "./plan.js";

const SKINS = 2;

const shades = (id, ...colors) =>
  svg("linearGradient", { id, x1: 0, y1: 0, x2: 0, y2: 1 },
    ...colors.map(([offset, color, opacity = 1]) => svg("stop", { offset, "stop-color": color, "stop-opacity": opacity })));

export function bambooPaints() {
  return [
    shades("skin-0", [0, "#7d642a"], [0.1, "#b99b50"], [0.3, "#f4e3a9"], [0.4, "#f0da96"], [0.62, "#cfae5e"], [0.86, "#86682b"], [1, "#4c3711"]),
    shades("skin-1", [0, "#80682f"], [0.1, "#bda257"], [0.3, "#f2e6b6"], [0.42, "#e9d596"], [0.64, "#c8a85b"], [0.86, "#7f642b"], [1, "#483512"]),
    shades("node", [0, "#6d5624"], [0.14, "#a88a47"], [0.32, "#f6e9bd"], [0.46, "#ddc47f"], [0.75, "#8e6f31"], [1, "#402d0c"]),
    shades("stick-shadow", [0, "#000", 0.55], [0.55, "#000", 0.3], [1, "#000", 0]),
    svg("radialGradient", { id: "cut" },
      svg("stop", { offset: 0, "stop-color": "#2a1c08" }), svg("stop", { offset: 0.42, "stop-color": "#4d3814" }),
      svg("stop", { offset: 0.46, "stop-color": "#d9c48a" }), svg("stop", { offset: 0.85, "stop-color": "#f1e3b4" }),
      svg("stop", { offset: 1, "stop-color": "#a58a4c" })),
  ];
}

// From node to node the stick is a little thinner in the middle, as bamboo is.
function internode(left, right, y, skin, at) {
  const waist = STICK - at(0.25, 0.5);
  const middle = (left + right) / 2;
  const outline = `M${left} ${y - STICK}Q${middle} ${y - waist} ${right} ${y - STICK}V${y + STICK}Q${middle} ${y + waist} ${left} ${y + STICK}Z`;
  return svg("path", { d: outline, fill: `url(#skin-${skin})` });
}

function fibres(left, right, y, at) {
  return Array.from({ length: 30 }, () => {
    const x = at(left + 2, right - 12);
    const d = `M${x} ${y + at(-STICK + 1, STICK - 1)}h${Math.min(at(8, 60), right - 2 - x)}`;
    return svg("path", { d, stroke: at(0, 1) < 0.7 ? "#7a5a1e" : "#fff3c4", "stroke-width": at(0.12, 0.4), opacity: at(0.1, 0.32) });
  });
}

// A node: a ridge, the groove beside it where the sheath grew, and the stain that it left.
function node(x, y, at) {
  const half = STICK + 0.7;
  return [
    svg("ellipse", { cx: x + 7, cy: y - 0.6, rx: at(5, 9), ry: STICK - 1.2, fill: "#8a6a2a", opacity: at(0.1, 0.24) }),
    svg("path", { d: `M${x - 2.6} ${y - STICK}Q${x - 1} ${y - half} ${x} ${y - half}T${x + 2.2} ${y - STICK}V${y + STICK}Q${x + 1} ${y + half} ${x} ${y + half}T${x - 2.6} ${y + STICK}Z`, fill: "url(#node)" }),
    svg("path", { d: `M${x + 2.3} ${y - STICK + 0.3}q.8 ${STICK} 0 ${2 * STICK - 0.6}`, class: "groove" }),
    svg("path", { d: `M${x - 2.7} ${y - STICK + 0.4}q.5 ${STICK} 0 ${2 * STICK - 0.8}`, class: "groove faint" }),
    svg("path", { d: `M${x + 0.2} ${y - half + 0.9}q.7 ${half * 0.6} .1 ${half}`, class: "ridge" }),
  ];
}

const end = (x, y) => [
  svg("ellipse", { cx: x, cy: y, rx: 2.3, ry: STICK, fill: "url(#cut)", class: "cut" }),
];

export function stick(y, reach, number) {
  const at = chance(101 + 7 * number);
  const nodes = [];
  for (let x = -reach + at(22, 52); x < reach - 14; x += at(50, 78)) nodes.push(x);
  const joints = [-reach, ...nodes, reach];
  return svg("g", {},
    svg("rect", { x: -reach + 1.5, y: y - 1, width: 2 * reach, height: STICK + 6.5, rx: 3, fill: "url(#stick-shadow)" }),
    ...joints.slice(1).map((right, i) => internode(joints[i], right, y, (number + i) % SKINS, at)),
    ...fibres(-reach, reach, y, at),
    ...nodes.flatMap((x) => node(x, y, at)),
    ...end(reach, y), ...end(-reach, y));
}
