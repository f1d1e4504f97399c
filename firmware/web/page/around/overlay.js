// While the service is gone: the board stays in sight, nothing can be touched, and the page tries to get back.

import { html } from "../element.js";
import { say } from "../words.js";

export function makeOverlay(root, news) {
  const main = document.querySelector("main");
  const show = (isGone) => {
    root.hidden = !isGone;
    main.inert = isGone;
    if (isGone) {
      root.replaceChildren(html("div", { class: "card" },
        html("span", { class: "waiting", "aria-hidden": "true" }), html("h2", {}, say("gone.title")), html("p", {}, say("gone.detail"))));
    }
  };
  news.each("gone", () => show(true));
  news.each("hello", () => show(false));
}
