// Under the wood: the level of each slot's sensor. A bar of north or of south, and how strong, in percent of what the
// sensor can give. Slots that the service doubts are marked whether or not one looks inside.

import { svg } from "../element.js";
import { number } from "../words.js";
import { viewBox } from "./plan.js";

const RADIUS = 10.5;
const WARNING = "M0 -5.2L5.2 4.2H-5.2Z";

function gauge([x, y]) {
  const fill = svg("circle", { r: 0, class: "field" });
  const value = svg("text", { y: 2.2 });
  const group = svg("g", { transform: `translate(${x} ${y})` }, svg("circle", { r: RADIUS, class: "sensor" }), fill, value);
  return { fill, value, group };
}

export function makeXray(plan, topLevel) {
  const slots = plan.rows.flat();
  const gauges = slots.map(gauge);
  const inside = svg("g", { class: "inside" }, ...gauges.map(({ group }) => group));
  const doubts = svg("g", { class: "doubts" });
  const layer = svg("svg", { viewBox: viewBox(plan), class: "layer xray", "aria-hidden": "true" }, inside, doubts);
  return {
    layer,
    measure({ levels }) {
      levels.forEach((level, slot) => {
        const strength = (2 * level) / topLevel - 1;
        const { fill, value } = gauges[slot];
        fill.setAttribute("r", RADIUS * Math.sqrt(Math.abs(strength)));
        fill.setAttribute("class", strength > 0 ? "field north" : "field south");
        value.textContent = number(Math.round(100 * strength));
      });
    },
    doubt: (doubted) =>
      doubts.replaceChildren(...doubted.map(({ slot }) => {
        const [x, y] = slots[slot];
        return svg("path", { d: WARNING, transform: `translate(${x + 8} ${y - 8})`, class: "doubt" });
      })),
  };
}
