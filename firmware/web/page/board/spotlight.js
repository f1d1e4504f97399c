// Points at parts of the board for the tour: the rest goes dark, and an arrow may lead from row to row.

import { svg } from "../element.js";
import { viewBox } from "./plan.js";

const MARGIN = 1.5;

// Rows side by side are lit together.
function holes({ inner, lanes }, rows) {
  const spans = [];
  for (const row of rows) {
    const { top, bottom } = lanes[row];
    const last = spans.at(-1);
    if (last && last.top === bottom) last.top = top;
    else spans.push({ top, bottom });
  }
  return spans.map(({ top, bottom }) =>
    svg("rect", { x: inner.left + MARGIN, y: top + MARGIN, width: inner.right - inner.left - 2 * MARGIN, height: bottom - top - 2 * MARGIN, rx: 8 }));
}

function way({ middles, rows }, [from, to]) {
  const x = rows[1][3][0];
  const [start, end] = [middles[from], middles[to]];
  return svg("path", { class: "arrow", d: `M${x} ${start}V${end}m-6 7l6 -7l6 7` });
}

export function makeSpotlight(plan) {
  const layer = svg("svg", { viewBox: viewBox(plan), class: "layer spotlight", "aria-hidden": "true" });
  return {
    layer,
    show(rows, arrow) {
      const mask = svg("mask", { id: "spot" }, svg("rect", { ...plan.outer, fill: "#fff" }), ...holes(plan, rows));
      const darkness = svg("rect", { ...plan.outer, rx: 9, class: "darkness", mask: "url(#spot)" });
      layer.replaceChildren(mask, darkness, ...(arrow ? [way(plan, arrow)] : []));
    },
    clear: () => layer.replaceChildren(),
  };
}
