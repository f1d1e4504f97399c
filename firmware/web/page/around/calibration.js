// The guided calibration: what to do now, how far it is, and how it ended. The lights of the board say the same.

import { html } from "../element.js";
import { makeMarks } from "../board/marks.js";
import { label, say } from "../words.js";
import { placeOf, request } from "./calibration_words.js";
import { choice } from "./dialog.js";
import { icon } from "./icons.js";
import { obey } from "./obedient.js";

const PHASES = ["empty", "walk", "red", "black"];

export function make(hello, { news, link, board, speak, close }) {
  const marks = makeMarks(board.plan);
  document.getElementById("board").append(marks.layer);
  const wish = (name) => link.send({ type: "calibrate", wish: name });
  const button = (key, act, more = {}) => label("button", key, { type: "button", onclick: act, ...more });
  const sentence = html("p", { class: "sentence" });
  const doubt = html("p", { class: "reason" });
  const says = html("div", { role: "status", class: "says" }, sentence, doubt);
  const bar = html("progress", { max: 1, "data-label": "calibration.title", "aria-label": say("calibration.title") });
  const percent = html("span", { class: "percent" });
  const steps = html("ol", { class: "phases" }, ...PHASES.map((phase) => label("li", `step.${phase}`)));
  const [skip, back] = ["skip", "back"].map((name) => button(`calibration.${name}`, () => wish(name)));
  const stop = button("calibration.stop", () => wish("stop"), { class: "main" });
  const begin = button("calibration.begin", () => wish("begin"), { class: "main" });
  const goOn = button("calibration.go-on", () => wish("begin"), { class: "main" });
  const anew = button("calibration.anew", () => wish("anew"));
  const finish = button("dialog.close", close, { class: "main" });
  const closing = html("button", { type: "button", class: "plain", "data-label": "dialog.close", "aria-label": say("dialog.close"), onclick: close }, icon("close"));
  const hands = choice("hands", "on", label("span", "calibration.hands"), { type: "checkbox", onchange: draw });
  const card = html("div", { class: "calibration", tabindex: -1 },
    html("header", {}, label("h2", "calibration.title"), closing),
    steps, says, html("div", { class: "how-far" }, bar, percent),
    html("div", { class: "buttons" }, back, skip, stop, anew, begin, goOn, finish),
    ...(hello.hasHands ? [hands] : []));
  let spoken = "";
  let wasSeen = false; // whether one ran while this was open: only then its end is news

  const names = (slots) => slots.map((slot) => placeOf(hello.board, slot).name).join(", ");

  function ended({ outcome, troubles, rewired, faceDown }) {
    const found = [
      ...troubles.map(({ slot, name }) => `${names([slot])}: ${say(`trouble.${name}`)}.`),
      rewired.length ? say("calibration.rewired", { names: names(rewired) }) : "",
      faceDown.length ? say("calibration.face-down", { names: names(faceDown) }) : "",
    ];
    return [say(`outcome.${outcome}`), found.filter(Boolean).join(" ")];
  }

  function draw() {
    const { calibration } = news.last;
    if (!card.isConnected || !calibration) return;
    const { phase, done, outcome, canGoOn, doubt: why } = calibration;
    wasSeen ||= phase !== null;
    const isOver = phase === null && outcome !== null && wasSeen;
    const [asked, remark] = phase ? request(calibration, hello.board) : isOver ? ended(calibration) : [say("calibration.intro"), ""];
    sentence.textContent = asked;
    doubt.textContent = remark;
    card.classList.toggle("idle", !phase && !isOver);
    card.classList.toggle("doubts", Boolean(why) || outcome === "flawed" || outcome === "failed");
    bar.value = isOver && outcome === "complete" ? 1 : done;
    percent.textContent = `${Math.round(100 * bar.value)} %`;
    [...steps.children].forEach((step, i) => {
      step.classList.toggle("past", outcome === "complete" && isOver || PHASES.indexOf(phase) > i);
      if (PHASES[i] === phase) step.setAttribute("aria-current", "step");
      else step.removeAttribute("aria-current");
    });
    back.hidden = phase !== "walk";
    skip.hidden = back.hidden && !(phase === "empty" && calibration.marks.length);
    skip.dataset.say = back.hidden ? "calibration.none" : "calibration.skip";
    skip.textContent = say(skip.dataset.say);
    stop.hidden = !phase;
    finish.hidden = !(isOver && outcome === "complete");
    begin.hidden = Boolean(phase) || canGoOn || !finish.hidden;
    goOn.hidden = anew.hidden = Boolean(phase) || !canGoOn;
    closing.hidden = hands.hidden = Boolean(phase);
    marks.show(calibration.marks);
    if (asked !== spoken) speak((spoken = asked));
    if (phase && hands.firstChild.checked) obey(calibration, hello.board.rows.flat(), news.last.pawns.pawns, link.send);
  }
  news.on(["calibration", "words"], draw);

  return {
    card,
    begin: draw,
    end() {
      wasSeen = false;
      marks.show([]);
    },
  };
}
