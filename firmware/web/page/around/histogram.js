// How often light took how long: a bar for each class, and in words how long half of them took.

import { svg } from "../element.js";
import { say } from "../words.js";

const [STEP, HEIGHT, LABEL] = [34, 84, 14];

export function within(counts, bounds) {
  const n = counts.reduce((sum, count) => sum + count, 0);
  if (!n) return say("diagnosis.no-light");
  let seen = 0;
  const half = counts.findIndex((count) => (seen += count) >= n / 2);
  return say(half < bounds.length ? "diagnosis.half-within" : "diagnosis.half-beyond", { n, ms: bounds[half] ?? bounds.at(-1) });
}

export function histogram(counts, bounds) {
  const most = Math.max(1, ...counts);
  const bars = counts.map((count, i) => {
    const height = (count / most) * (HEIGHT - LABEL);
    return svg("g", { transform: `translate(${i * STEP} 0)` },
      svg("rect", { x: 3, y: HEIGHT - height, width: STEP - 6, height: Math.max(height, 0.8), rx: 2, class: "took" }),
      svg("text", { x: STEP / 2, y: HEIGHT - height - 3 }, count ? String(count) : ""),
      svg("text", { x: STEP / 2, y: HEIGHT + 11, class: "bound" }, i < bounds.length ? `≤${bounds[i]}` : `>${bounds.at(-1)}`));
  });
  return svg("svg", { viewBox: `0 0 ${counts.length * STEP} ${HEIGHT + LABEL}`, class: "histogram", role: "img", "aria-label": within(counts, bounds) }, ...bars);
}
