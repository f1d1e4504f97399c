// The guided calibration: what to do now, how far it is, and how it ended. The lights of the board say the same; on a
// simulated board, hands can do it too.

import { html } from "../element.js";
import { makeMarks } from "../board/marks.js";
import { label, say } from "../words.js";
import { choice } from "./dialog.js";

const PHASES = ["empty", "walk", "red", "black"];
const FEW = 3; // so many pawns that are missing are named one by one
const ASIDE_MM = 400;
const NEAR_MM = 1;

// Where a slot is, for somebody who sits at red's side.
function placeOf({ rows }, slot) {
  let [row, place] = [0, slot];
  while (place >= rows[row].length) place -= rows[row++].length;
  const [x, y] = rows[row][place];
  const below = new Set(rows[row].map((other) => other[1]).filter((other) => other < y)).size;
  const number = rows[row].filter((other) => other[1] === y && other[0] <= x).length;
  const hasRanks = rows[row].some((other) => other[1] !== y);
  return { name: `${row}.${place}`, row, rank: hasRanks ? below + 1 : null, number };
}

const nameOf = (board, slot) => placeOf(board, slot).name;

function muster({ phase, marks }, board) {
  const missing = marks.filter(({ mark }) => mark.startsWith("place-"));
  const bad = marks.filter(({ mark }) => mark === "weak" || mark === "upside-down");
  const told = [...bad, ...(missing.length + bad.length <= FEW ? missing : [])];
  const remarks = told.map(({ slot, mark }) => `${nameOf(board, slot)}: ${say(`stands.${mark.replace(/^place-.*/, "missing")}`)}.`);
  return [say(`calibration.${phase}-pawns`), remarks.join(" ")];
}

// What to do now: a sentence, and what stands in its way.
function request(calibration, board) {
  const { phase, target, doubt, marks } = calibration;
  if (phase === "red" || phase === "black") return muster(calibration, board);
  if (phase === "walk" && target !== null) {
    const place = placeOf(board, target);
    return [say(place.rank ? "calibration.put-in-rank" : "calibration.put", place), doubt ? say(`doubt.${doubt}`) : ""];
  }
  const names = marks.map(({ slot }) => nameOf(board, slot)).join(", ");
  return [say("calibration.empty"), names ? say("calibration.take-off", { names }) : ""];
}

// Hands for a simulated board that do what is asked for: nobody wants to carry a pawn over 72 slots by mouse. `slots`
// are the centres of all slots, `pawns` are as the service tells of them.
function obey({ phase, target, marks }, slots, pawns, send) {
  const put = (pawn, [x, y]) => {
    if (pawn.height_mm || Math.hypot(pawn.x_mm - x, pawn.y_mm - y) > NEAR_MM) send({ type: "move", pawn: pawn.number, x, y, height: 0 });
  };
  const own = pawns.filter(({ color }) => color === (phase === "black" ? "black" : "red"));
  if (phase === "empty") pawns.forEach((pawn) => put(pawn, [ASIDE_MM, 14 * pawn.number]));
  else if (phase === "walk") target !== null && put(own[0], slots[target]);
  else marks.forEach(({ slot }, i) => put(own[i], slots[slot]));
}

export function make(hello, { news, link, board, speak, card, close }) {
  const marks = makeMarks(board.plan);
  document.getElementById("board").append(marks.layer);
  const button = (name, wish, more) => label("button", `calibration.${name}`, { type: "button", onclick: () => link.send({ type: "calibrate", wish }), ...more });
  const main = { class: "main" };
  const [skip, back, stop] = [button("skip", "skip"), button("back", "back"), button("stop", "stop", main)];
  const [anew, begin, goOn] = [button("anew", "anew"), button("begin", "begin", main), button("go-on", "begin", main)];
  const finish = label("button", "dialog.close", { type: "button", ...main, onclick: close });
  const sentence = html("p", { class: "sentence" });
  const remark = html("p", { class: "reason" });
  const bar = html("progress", { max: 1, "data-label": "workshop.calibration", "aria-label": say("workshop.calibration") });
  const percent = html("span");
  const steps = html("ol", { class: "phases" }, ...PHASES.map((phase) => label("li", `step.${phase}`)));
  const hands = choice("hands", "on", label("span", "calibration.hands"), { type: "checkbox" });
  const view = card("calibration", steps, html("div", { role: "status", class: "says" }, sentence, remark),
    html("div", { class: "how-far" }, bar, percent),
    html("div", { class: "buttons" }, back, skip, stop, anew, begin, goOn, finish),
    ...(hello.hasHands ? [hands] : []));
  let spoken = "";
  let wasSeen = false; // whether one ran while this was open: only then its end is news

  const names = (slots) => slots.map((slot) => nameOf(hello.board, slot)).join(", ");

  function ended({ outcome, troubles, rewired, faceDown }) {
    return [say(`outcome.${outcome}`), [
      ...troubles.map(({ slot, name }) => `${names([slot])}: ${say(`trouble.${name}`)}.`),
      rewired.length ? say("calibration.rewired", { names: names(rewired) }) : "",
      faceDown.length ? say("calibration.face-down", { names: names(faceDown) }) : "",
    ].join(" ").trim()];
  }

  function draw() {
    const { calibration } = news.last;
    if (!view.isConnected || !calibration) return;
    const { phase, done, outcome, canGoOn, doubt } = calibration;
    const isWalk = phase === "walk";
    wasSeen ||= phase !== null;
    const isOver = !phase && outcome && wasSeen;
    const isComplete = isOver && outcome === "complete";
    [sentence.textContent, remark.textContent] = phase ? request(calibration, hello.board) : isOver ? ended(calibration) : [say("calibration.intro"), ""];
    view.classList.toggle("idle", !phase && !isOver);
    view.classList.toggle("doubts", Boolean(doubt) || outcome === "flawed" || outcome === "failed");
    bar.value = done;
    percent.textContent = `${Math.round(100 * done)} %`;
    [...steps.children].forEach((step, i) => {
      step.classList.toggle("past", isComplete || PHASES.indexOf(phase) > i);
      step.setAttribute("aria-current", PHASES[i] === phase ? "step" : "false");
    });
    back.hidden = !isWalk;
    skip.hidden = !isWalk && !(phase === "empty" && calibration.marks.length);
    skip.dataset.say = isWalk ? "calibration.skip" : "calibration.none";
    skip.textContent = say(skip.dataset.say);
    stop.hidden = !phase;
    finish.hidden = !isComplete;
    begin.hidden = phase || canGoOn || isComplete;
    goOn.hidden = anew.hidden = phase || !canGoOn;
    hands.hidden = view.querySelector("header button").hidden = phase;
    marks.show(calibration.marks);
    if (sentence.textContent !== spoken) speak((spoken = sentence.textContent));
    if (phase && hands.firstChild.checked) obey(calibration, hello.board.rows.flat(), news.last.pawns.pawns, link.send);
  }
  news.on(["calibration", "words"], draw);

  return {
    card: view,
    begin: draw,
    end() {
      wasSeen = false;
      marks.show([]);
    },
  };
}
