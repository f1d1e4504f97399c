// A first-time tour in five steps, on the board itself.

import { html } from "../element.js";
import { say } from "../words.js";

const STEPS = [
  { name: "pawns", rows: [0, 7], place: "middle" },
  { name: "opening", rows: [0, 1], arrow: [0, 1], place: "top" },
  { name: "follow-up", rows: [1, 2, 3], arrow: [1, 3], place: "top" },
  { name: "light", rows: [5, 6], place: "bottom" },
  { name: "end", rows: [4, 5, 6, 7], arrow: [4, 7], place: "bottom" },
];

export function makeTour(root, spotlight, { news, preferences }) {
  const bubble = html("div", { class: "bubble card", role: "dialog", "aria-labelledby": "tour-step", tabindex: -1, hidden: true });
  root.append(bubble);
  let at = null;

  function end() {
    at = null;
    bubble.hidden = true;
    spotlight.clear();
    preferences.set("toured", true);
  }

  function show(step) {
    at = step;
    draw();
    bubble.hidden = false;
    bubble.focus({ preventScroll: true });
  }

  function draw() {
    if (at === null) return;
    const { name, rows, arrow, place } = STEPS[at];
    const isLast = at === STEPS.length - 1;
    spotlight.show(rows, arrow);
    bubble.dataset.place = place;
    bubble.replaceChildren(
      html("h2", { id: "tour-step" }, say(`tour.${name}.title`)),
      html("p", {}, say(`tour.${name}`)),
      html("p", { class: "progress" }, `${at + 1} / ${STEPS.length}`),
      html("div", { class: "buttons" },
        html("button", { type: "button", class: "skip", hidden: isLast, onclick: end }, say("tour.skip")),
        html("button", { type: "button", class: "main next", onclick: () => (isLast ? end() : show(at + 1)) }, say(isLast ? "tour.play" : "tour.next"))));
  }

  bubble.addEventListener("keydown", ({ key }) => key === "Escape" && end());
  news.on(["words"], draw);
  return { begin: () => show(0) };
}
