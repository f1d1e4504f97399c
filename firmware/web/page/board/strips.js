// The strips of light while they are dark: a groove, a frosted lens, and a small white package for each pixel.

import { svg } from "../element.js";

export function stripPaints() {
  const shades = [[0, "dark"], [0.3, "middle"], [0.42, "shine"], [0.55, "middle"], [1, "dark"]];
  const lens = (id, x2, y2) =>
    svg("linearGradient", { id, x1: 0, y1: 0, x2, y2 }, ...shades.map(([offset, name]) => svg("stop", { offset, class: `lens-${name}` })));
  return [lens("lens", 0, 1), lens("lens-up", 1, 0)];
}

export function darkStrip({ points, vertical, groove }) {
  const half = vertical ? 0.8 : 1.15;
  return svg("g", {},
    svg("rect", { ...groove, rx: 2.1, fill: vertical ? "url(#lens-up)" : "url(#lens)", class: "lens" }),
    ...points.map(([x, y]) =>
      svg("rect", { x: x - half, y: y - half, width: 2 * half, height: 2 * half, rx: 0.35, class: "package" })));
}
