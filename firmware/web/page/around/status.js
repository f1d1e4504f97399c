// What is expected now in one sentence, and why something was refused.

import { html } from "../element.js";
import { actionSentence, expected, hint, isComputers, mayLeave, refusal, why } from "../sentences.js";
import { needsTidying } from "../board/tidy.js";
import { say } from "../words.js";
import { icon } from "./icons.js";
import { miniPawn } from "./mini.js";

const REFUSAL_MS = 6000;

export function makeStatus(root, { news, speak, board, canTidy }) {
  const sentence = html("p", { class: "sentence" });
  const reason = html("p", { class: "reason" });
  const whose = html("span", { class: "whose" });
  const tidy = html("button", { type: "button", class: "tidy", onclick: board.tidy }, icon("tidy"));
  root.append(whose, html("div", { role: "status", class: "says" }, sentence, reason), tidy);
  let wish = ""; // why something that was asked for a moment ago was refused
  let forgetting = 0;
  let spoken = "";

  function draw() {
    const { state, game } = news.last;
    if (!state || !game) return;
    const objection = refusal(state) || wish;
    const doubts = state.doubted.map(({ name, kind }) => say("status.doubted", { name, kind }));
    sentence.textContent = expected(state, game);
    const more = hint(state) || (mayLeave(state) && !isComputers(state) ? say("expect.or-leave") : "");
    reason.textContent = [objection || more, ...doubts].filter(Boolean).join(" ");
    root.classList.toggle("hints", Boolean(!objection && hint(state)));
    root.classList.toggle("refuses", Boolean(objection));
    whose.replaceChildren(miniPawn(state.stage === "over" ? game.result.winner ?? "unknown" : state.player));
    tidy.hidden = !canTidy || !needsTidying(state);
    tidy.title = say(state.misplaced || state.differences.length ? "status.tidy" : "status.carry-out");
    tidy.setAttribute("aria-label", tidy.title);
    announce(state, game);
  }

  function announce(state, game) {
    const text = `${sentence.textContent} ${reason.textContent}`;
    if (text === spoken) return;
    spoken = text;
    const [last] = game.turns.flatMap((turn) => turn.actions).slice(-1);
    const isNextMove = last && state.stage === "playing" && !state.misplaced && !state.inHand.length;
    speak(isNextMove ? `${actionSentence(last)} ${text}` : text);
  }

  function show(text) {
    clearTimeout(forgetting);
    wish = text;
    draw();
  }

  news.each("refused", (refused) => {
    show(why(refused, news.last.state));
    forgetting = setTimeout(() => show(""), REFUSAL_MS);
  });
  // What was refused is past as soon as anything happens. The game is told before the state, which alone says whether
  // it is over: only with the state there is something to draw.
  news.each("state", () => show(""));
  news.on(["words"], draw);
}
