// The keys of the board's panel, as good as the real ones; `new` asks first what game it should be.

import { html } from "../element.js";
import { isComputers, mayLeave } from "../sentences.js";
import { label, say } from "../words.js";
import { icon } from "./icons.js";

export function makeKeys(root, { news, link, newGame }) {
  const press = (button) => {
    for (const touch of ["pressed", "released"]) link.send({ type: "key", button, touch });
  };
  const key = (name, onclick) =>
    html("button", { type: "button", class: `key key-${name}`, onclick }, icon(name), label("span", `key.${name}`));
  const [back, done, hint] = ["back", "done", "hint"].map((name) => key(name, () => press(name)));
  root.append(key("new", newGame.open), back, done, hint);

  news.on(["state", "game", "words"], () => {
    const { state, game } = news.last;
    if (!state || !game) return;
    const asks = state.stage === "asking";
    done.lastChild.textContent = say(asks ? "answer.yes" : "key.done");
    back.lastChild.textContent = say(asks ? "answer.no" : "key.back");
    const leaves = isComputers(state) ? state.advised?.kind === "decline" : mayLeave(state);
    done.classList.toggle("inviting", asks || leaves);
    back.classList.toggle("inviting", asks);
    back.classList.toggle("idle", !asks && !game.turns.length);
  });
}
