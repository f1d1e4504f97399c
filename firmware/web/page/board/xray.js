// Under the wood: what each sensor feels, as a bar that grows up for red and down for black, in percent of a good pawn.
// The marks beside it are where a pawn begins. Slots that the service doubts are marked whether or not one looks inside.

import { svg } from "../element.js";
import { number } from "../words.js";
import { viewBox } from "./plan.js";

const REACH = 9.5; // how far a bar goes for a good pawn
const MOST = 1.25; // of that
const HALF = REACH * MOST;
const FAINT = 0.05; // below it a number would only be in the way
const WARNING = "M0 -5.2L5.2 4.2H-5.2Z";

// How far a level has gone towards a red pawn, or, below 0, towards a black one. A switch has no levels but 0 and 100.
export function share({ baseline, red, black }, level) {
  if (baseline == null) return level / 100;
  const isRed = Math.sign(level - baseline) === Math.sign(red - baseline);
  return isRed ? (level - baseline) / (red - baseline) : -(level - baseline) / (black - baseline);
}

function gauge([x, y]) {
  const fill = svg("rect", { x: -3, width: 6, rx: 1, class: "field" });
  const value = svg("text", { x: 6, y: 2 });
  const marks = svg("path", { class: "thresholds" });
  const group = svg("g", { transform: `translate(${x} ${y})`, class: "gauge" },
    svg("rect", { x: -4.2, y: -HALF - 1.2, width: 8.4, height: 2 * HALF + 2.4, rx: 2.4, class: "sensor" }),
    fill, svg("path", { d: "M-4.2 0H4.2", class: "rest" }), marks, value);
  return { fill, value, marks, group };
}

export function makeXray(plan) {
  const slots = plan.rows.flat();
  const gauges = slots.map(gauge);
  const inside = svg("g", { class: "inside" }, ...gauges.map(({ group }) => group));
  const doubts = svg("g", { class: "doubts" });
  const layer = svg("svg", { viewBox: viewBox(plan), class: "layer xray", "aria-hidden": "true" }, inside, doubts);
  let sensors = [];
  return {
    layer,
    know(told) {
      sensors = told.sensors;
      const at = (told.pawnShare * REACH).toFixed(1);
      gauges.forEach(({ marks }, slot) => marks.setAttribute("d", sensors[slot].baseline == null ? "" : `M-4.2 -${at}h2.4M4.2 -${at}h-2.4M-4.2 ${at}h2.4M4.2 ${at}h-2.4`));
    },
    measure({ levels }) {
      levels.forEach((level, slot) => {
        const felt = share(sensors[slot], level);
        const height = REACH * Math.min(Math.abs(felt), MOST);
        const { fill, value } = gauges[slot];
        fill.setAttribute("y", felt > 0 ? -height : 0);
        fill.setAttribute("height", height);
        fill.setAttribute("class", felt > 0 ? "field north" : "field south");
        value.textContent = Math.abs(felt) < FAINT ? "" : number(Math.round(100 * felt));
      });
    },
    // Those that tremble too much, and the one that is looked at closely.
    mark(loud, chosen) {
      gauges.forEach(({ group }, slot) => {
        group.classList.toggle("loud", loud(slot));
        group.classList.toggle("chosen", slot === chosen);
      });
    },
    doubt: (doubted) =>
      doubts.replaceChildren(...doubted.map(({ slot }) => {
        const [x, y] = slots[slot];
        return svg("path", { d: WARNING, transform: `translate(${x + 8} ${y - 8})`, class: "doubt" });
      })),
  };
}
