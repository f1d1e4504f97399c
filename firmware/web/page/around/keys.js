// The keys of the board's panel. A key goes down and up like the real one; `new` asks first what game it should be.

import { html } from "../element.js";
import { mayLeave } from "../sentences.js";
import { say } from "../words.js";
import { icon } from "./icons.js";

const HOLD_MS = 1000;

const touch = (link, button, what) => link.send({ type: "key", button, touch: what });

export function tap(link, button) {
  touch(link, button, "pressed");
  touch(link, button, "released");
}

function holdable(link, button) {
  let timer = null;
  const down = () => {
    if (timer !== null) return;
    touch(link, button, "pressed");
    timer = setTimeout(() => touch(link, button, "held"), HOLD_MS);
  };
  const up = () => {
    if (timer === null) return;
    clearTimeout(timer);
    timer = null;
    touch(link, button, "released");
  };
  const isPress = ({ key }) => key === "Enter" || key === " ";
  let wasPressed = false;
  return {
    onpointerdown: ({ button: which }) => { wasPressed = true; if (which === 0) down(); },
    onpointerup: up, onpointercancel: up, onpointerleave: up, onblur: up,
    onkeydown: (event) => { if (isPress(event)) { wasPressed = true; down(); } },
    onkeyup: (event) => isPress(event) && up(),
    // A click that nothing pressed comes from a screen reader.
    onclick: () => { if (!wasPressed) tap(link, button); wasPressed = false; },
  };
}

export function makeKeys(root, { news, link, newGame }) {
  const labels = {};
  const key = (name, acts) => {
    labels[name] = html("span");
    return html("button", { type: "button", class: `key key-${name}`, ...acts }, icon(name), labels[name]);
  };
  const [back, done, hint] = ["back", "done", "hint"].map((name) => key(name, holdable(link, name)));
  root.append(key("new", { onclick: () => newGame.open() }), back, done, hint);

  news.on(["state", "game", "words"], () => {
    const { state, game } = news.last;
    if (!state || !game) return;
    const asks = state.stage === "asking";
    labels.new.textContent = say("key.new");
    labels.hint.textContent = say("key.hint");
    labels.done.textContent = say(asks ? "answer.yes" : "key.done");
    labels.back.textContent = say(asks ? "answer.no" : "key.back");
    done.classList.toggle("inviting", asks || mayLeave(state));
    back.classList.toggle("inviting", asks);
    back.classList.toggle("idle", !asks && !game.turns.length);
  });
}
