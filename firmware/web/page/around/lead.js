// The lead over the game: points ahead after each turn, red above the line and black below.

import { svg } from "../element.js";
import { say } from "../words.js";

const [WIDTH, HEIGHT, MARGIN] = [300, 120, 8];

export const leadPlot = ({ startPoints, turns }) =>
  plot([startPoints, ...turns.map((turn) => turn.points)].map(({ red, black }) => red - black), "result.lead");

// `marked` are the places of the leads that get a dot.
export function plot(leads, label, marked = []) {
  const most = Math.max(5, ...leads.map(Math.abs));
  const x = (turn) => MARGIN + (turn / Math.max(leads.length - 1, 1)) * (WIDTH - 2 * MARGIN);
  const y = (lead) => HEIGHT / 2 - (lead / most) * (HEIGHT / 2 - MARGIN);
  const line = leads.map((lead, turn) => `${turn ? "L" : "M"}${x(turn).toFixed(1)} ${y(lead).toFixed(1)}`).join("");
  const area = `${line}L${x(leads.length - 1)} ${y(0)}L${x(0)} ${y(0)}Z`;
  const half = (id, top) => svg("clipPath", { id: `${label}-${id}` }, svg("rect", { x: 0, y: top, width: WIDTH, height: HEIGHT / 2 }));
  const mostAhead = (sign) => Math.max(0, ...leads.map((lead) => sign * lead));
  return svg("svg", {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "lead", role: "img",
    "aria-label": say(label, { red: mostAhead(1), black: mostAhead(-1) }),
  },
    half("ahead-red", 0), half("ahead-black", HEIGHT / 2),
    svg("path", { d: area, class: "area red", "clip-path": `url(#${label}-ahead-red)` }),
    svg("path", { d: area, class: "area black", "clip-path": `url(#${label}-ahead-black)` }),
    svg("path", { d: `M${x(0)} ${y(0)}H${x(leads.length - 1)}`, class: "level" }),
    svg("path", { d: line, class: "line" }),
    ...marked.map((turn) => svg("circle", { cx: x(turn), cy: y(leads[turn]), r: 4 })));
}
