// How the board does: its link, the noise of its sensors, how long light takes, and its log. The levels themselves are on
// the board. All of it comes only while this is open.

import { html, svg } from "../element.js";
import { label, say } from "../words.js";
import { icon } from "./icons.js";

const [STEP, HEIGHT, LABEL] = [34, 84, 14];

// In words: how long half of all lights took at most.
function halfWithin(counts, bounds) {
  const n = counts.reduce((sum, count) => sum + count, 0);
  let seen = 0;
  const half = counts.findIndex((count) => (seen += count) >= n / 2);
  return n ? say("diagnosis.half-within", { n, ms: bounds[half] ?? "∞" }) : say("diagnosis.no-light");
}

// A bar for how often light took how long.
function histogram(counts, bounds) {
  const most = Math.max(1, ...counts);
  return svg("svg", { viewBox: `0 0 ${counts.length * STEP} ${HEIGHT + LABEL}`, class: "histogram", role: "img", "aria-label": halfWithin(counts, bounds) },
    ...counts.map((count, i) => {
      const top = HEIGHT - (count / most) * (HEIGHT - LABEL) - 0.8;
      return svg("g", { transform: `translate(${i * STEP} 0)` },
        svg("rect", { x: 3, y: top, width: STEP - 6, height: HEIGHT - top, rx: 2 }),
        svg("text", { x: STEP / 2, y: top - 3 }, count || ""),
        svg("text", { x: STEP / 2, y: HEIGHT + 11 }, i < bounds.length ? `≤${bounds[i]}` : `>${bounds.at(-1)}`));
    }));
}

// "12 to 41, most at 3.2"
function noiseRange(noise, sensors) {
  const most = Math.max(...noise);
  return noise.length ? say("diagnosis.noise-range", { least: Math.min(...noise), most, name: sensors[noise.indexOf(most)].name }) : "–";
}

export function make(hello, { news, watching, board, card, open }) {
  const [facts, details] = [1, 2].map(() => html("dl", { class: "facts" }));
  const latency = html("div");
  const sensor = html("select", { id: "sensor", onchange: draw },
    ...hello.board.rows.flatMap((slots, row) => slots.map((_, place) => html("option", {}, `${row}.${place}`))));
  const lines = (tag, key) => html(tag, { class: "log", lang: "en", tabindex: 0, "data-label": key, "aria-label": say(key) });
  const [log, report] = [lines("ol", "diagnosis.log"), lines("pre", "diagnosis.report")];
  const download = (key, name, more) => html("a", { class: "button record", download: name, ...more }, icon("record"), label("span", key));
  const save = download("diagnosis.report", "linja-doctor.txt");
  const doctor = label("button", "diagnosis.doctor", { type: "button", onclick: ask });
  const asking = html("p", { role: "status" });
  report.hidden = save.hidden = true;
  const forWhomActs = html("div", { class: "exports", hidden: !hello.mayAct }, label("h3", "diagnosis.log"), log, doctor, asking, report, save,
    download("diagnosis.black-box", "linja.box.gz", { href: "/blackbox" }),
    label("button", "workshop.calibration", { type: "button", hidden: !hello.canCalibrate, onclick: () => open("calibration") }));
  const view = card("diagnosis", facts, html("label", { class: "field" }, label("span", "diagnosis.sensor"), sensor), details,
    label("h3", "diagnosis.latency"), latency, forWhomActs);

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
    save.href = URL.createObjectURL(new Blob([report.textContent]));
  }

  function drawVitals({ framesPerS, link, noise, latencyBoundsMs, latency: counts }, { sensors, mostNoise }, hasLevels) {
    facts.replaceChildren(
      ...fact("diagnosis.frames", framesPerS.toLocaleString(document.documentElement.lang)),
      ...(link ? ["lost", "damaged", "restarts"].flatMap((name) => fact(`diagnosis.${name}`, link[name])) : []),
      ...(hasLevels ? fact("diagnosis.scanner", say(link ? "diagnosis.version" : "diagnosis.none", link ?? {})) : []),
      ...(hasLevels ? fact("diagnosis.noise", noiseRange(noise, sensors)) : []));
    latency.replaceChildren(histogram(counts, latencyBoundsMs), html("p", {}, halfWithin(counts, latencyBoundsMs)));
    board.xray.mark((slot) => hasLevels && noise[slot] > mostNoise, sensor.selectedIndex);
  }

  function drawSensor({ noise }, { sensors, pawnShare }, { levels }, hasLevels) {
    const slot = sensor.selectedIndex;
    const { multiplexer, input, baseline, ...pawns } = sensors[slot];
    const from = (good) => say("diagnosis.from", { from: Math.round(baseline + pawnShare * (good - baseline)), good });
    details.replaceChildren(
      ...fact("diagnosis.wire", say("diagnosis.wire-end", { multiplexer, input })),
      ...fact("diagnosis.level", hasLevels ? levels[slot] ?? "–" : say(levels[slot] ? "diagnosis.pawn" : "diagnosis.no-pawn")),
      ...(hasLevels ? [
        ...fact("diagnosis.baseline", baseline), ...fact("color.red", from(pawns.red)), ...fact("color.black", from(pawns.black)),
        ...fact("diagnosis.noise", noise[slot] ?? "–"),
      ] : []));
  }

  function drawLog(told) {
    if (log.childElementCount === told.length && log.lastChild?.textContent === told.at(-1)) return;
    const isAtEnd = log.scrollTop + log.clientHeight >= log.scrollHeight - 4;
    log.replaceChildren(...told.map((line) => html("li", {}, line)));
    if (isAtEnd) log.scrollTop = log.scrollHeight;
  }

  function draw() {
    const { vitals, sensors, levels } = news.last;
    if (!view.isConnected || !vitals || !levels) return;
    const hasLevels = sensors.sensors[0].baseline != null;
    drawVitals(vitals, sensors, hasLevels);
    drawSensor(vitals, sensors, levels, hasLevels);
    drawLog(vitals.log);
  }
  news.on(["vitals", "words"], draw);

  const look = (inside) => {
    news.tell("inside", inside);
    watching.send({ type: "look", inside });
  };
  return { card: view, begin: () => look(true), end: () => look(false) };
}
