// The workshop of whoever built the board: diagnosis and calibration. Each is loaded when it is first opened, and takes
// the place of what is around the board.

import { html } from "../element.js";
import { label, say } from "../words.js";
import { icon } from "./icons.js";

const VIEWS = { diagnosis: () => import("./diagnosis.js"), calibration: () => import("./calibration.js") };

export function makeWorkshop(root, hello, tools) {
  const views = {};
  let shown = null;

  // What is open begins with its name and a way out.
  function card(name, ...children) {
    const closing = html("button", { type: "button", class: "plain", "data-label": "dialog.close", "aria-label": say("dialog.close"), onclick: close }, icon("close"));
    return html("div", { class: name, tabindex: -1 }, html("header", {}, label("h2", `workshop.${name}`), closing), ...children);
  }

  async function open(name) {
    if (shown === name) return;
    close();
    shown = name;
    views[name] ??= (await VIEWS[name]()).make(hello, { ...tools, card, open, close });
    if (shown !== name) return; // another was opened meanwhile
    const view = views[name];
    root.replaceChildren(view.card);
    root.hidden = false;
    document.body.dataset.workshop = name;
    view.begin();
    view.card.focus({ preventScroll: true });
  }

  function close() {
    const before = shown;
    shown = null;
    root.hidden = true;
    delete document.body.dataset.workshop;
    views[before]?.end();
  }

  // Whoever watches sees a calibration that somebody began elsewhere.
  tools.news.on(["calibration"], () => tools.news.last.calibration.phase && open("calibration"));

  return {
    buttons: (closeDialog) => Object.keys(VIEWS).filter((name) => hello.canCalibrate || name === "diagnosis").map((name) =>
      html("button", { type: "button", "data-opens": name, onclick: () => (closeDialog(), open(name)) }, say(`workshop.${name}`))),
  };
}
