// How the board does: its link, the noise of its sensors, how long light takes, and its log. The levels themselves are on
// the board. All of it comes only while this is open.

import { html } from "../element.js";
import { label, say } from "../words.js";
import { histogram, within } from "./histogram.js";
import { icon } from "./icons.js";

// "12 to 41, most at 3.2"
function noiseRange(noise, sensors) {
  if (!noise.length) return "–";
  const most = Math.max(...noise);
  return say("diagnosis.noise-range", { least: Math.min(...noise), most, name: sensors[noise.indexOf(most)].name });
}

export function make(hello, { news, watching, board, open, close }) {
  const names = hello.board.rows.flatMap((slots, row) => slots.map((_, place) => `${row}.${place}`));
  const facts = html("dl", { class: "facts" });
  const sensor = html("select", { id: "sensor", onchange: draw }, ...names.map((name, slot) => html("option", { value: slot }, name)));
  const details = html("dl", { class: "facts" });
  const latency = html("div");
  const log = html("ol", { class: "log", lang: "en", tabindex: 0, "data-label": "diagnosis.log", "aria-label": say("diagnosis.log") });
  const report = html("pre", { class: "log", lang: "en", tabindex: 0, hidden: true, "data-label": "diagnosis.report", "aria-label": say("diagnosis.report") });
  const asking = html("p", { role: "status" });
  const doctor = label("button", "diagnosis.doctor", { type: "button", onclick: ask });
  const save = html("a", { class: "button record", download: "linja-doctor.txt", hidden: true }, icon("record"), label("span", "diagnosis.report"));
  const recording = html("a", { class: "button record", href: "/blackbox", download: "linja.box.gz" }, icon("record"), label("span", "diagnosis.black-box"));
  const calibrate = label("button", "workshop.calibration", { type: "button", hidden: !hello.canCalibrate, onclick: () => open("calibration") });
  const closing = html("button", { type: "button", class: "plain", "data-label": "dialog.close", "aria-label": say("dialog.close"), onclick: close }, icon("close"));
  const exports = html("div", { class: "exports", hidden: !hello.mayAct }, doctor, asking, report, save, recording, calibrate);
  const card = html("div", { class: "diagnosis", tabindex: -1 },
    html("header", {}, label("h2", "diagnosis.title"), closing), facts,
    html("label", { class: "field", for: "sensor" }, label("span", "diagnosis.sensor"), sensor), details,
    label("h3", "diagnosis.latency"), latency,
    html("div", { hidden: !hello.mayAct }, label("h3", "diagnosis.log"), log), exports);

  const fact = (key, value) => [label("dt", key), html("dd", {}, value)];

  async function ask() {
    doctor.disabled = true;
    asking.textContent = say("diagnosis.doctor-looks");
    const answer = await fetch("/doctor").catch(() => null);
    doctor.disabled = false;
    asking.textContent = answer?.ok ? "" : say("diagnosis.doctor-away");
    if (!answer?.ok) return;
    report.textContent = await answer.text();
    report.hidden = save.hidden = false;
    URL.revokeObjectURL(save.href);
    save.href = URL.createObjectURL(new Blob([report.textContent], { type: "text/plain" }));
  }

  function drawVitals({ framesPerS, link, noise, latencyBoundsMs, latency: counts, log: lines }, { sensors, mostNoise }) {
    const hasLevels = sensors[0].baseline != null;
    facts.replaceChildren(
      ...fact("diagnosis.frames", framesPerS.toLocaleString(document.documentElement.lang)),
      ...(link ? [
        ...fact("diagnosis.lost", link.lost), ...fact("diagnosis.damaged", link.damaged), ...fact("diagnosis.restarts", link.restarts),
        ...fact("diagnosis.scanner", say("diagnosis.version", link)),
      ] : hasLevels ? fact("diagnosis.scanner", say("diagnosis.none")) : []),
      ...(hasLevels ? fact("diagnosis.noise", noiseRange(noise, sensors)) : []));
    latency.replaceChildren(histogram(counts, latencyBoundsMs), html("p", {}, within(counts, latencyBoundsMs)));
    board.xray.mark((slot) => hasLevels && noise[slot] > mostNoise, Number(sensor.value));
    if (log.childElementCount === lines.length && log.lastChild?.textContent === lines.at(-1)) return;
    const isAtEnd = log.scrollTop + log.clientHeight >= log.scrollHeight - 4;
    log.replaceChildren(...lines.map((line) => html("li", {}, line)));
    if (isAtEnd) log.scrollTop = log.scrollHeight;
  }

  function drawSensor({ noise }, { sensors, pawnShare }, { levels }) {
    const slot = Number(sensor.value);
    const { multiplexer, input, baseline, red, black } = sensors[slot];
    details.replaceChildren(
      ...fact("diagnosis.wire", say("diagnosis.wire-end", { multiplexer, input })),
      ...(baseline == null ? fact("diagnosis.level", say(levels[slot] ? "diagnosis.pawn" : "diagnosis.no-pawn")) : [
        ...fact("diagnosis.level", levels[slot] ?? "–"), ...fact("diagnosis.baseline", baseline),
        ...[["red", red], ["black", black]].flatMap(([color, good]) => fact(`color.${color}`, say("diagnosis.from", { from: Math.round(baseline + pawnShare * (good - baseline)), good }))),
        ...fact("diagnosis.noise", noise[slot] ?? "–"),
      ]));
  }

  function draw() {
    const { vitals, sensors, levels } = news.last;
    if (card.isConnected && vitals && sensors && levels) {
      drawVitals(vitals, sensors);
      drawSensor(vitals, sensors, levels);
    }
  }
  news.on(["vitals", "words"], draw);

  const look = (inside) => {
    news.tell("inside", inside);
    watching.send({ type: "look", inside });
  };
  return { card, begin: () => look(true), end: () => look(false) };
}
