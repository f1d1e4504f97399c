// The workshop of whoever built the board: diagnosis and calibration. Each is loaded when it is first opened, and takes
// the place of what is around the board.

import { html } from "../element.js";
import { say } from "../words.js";

const VIEWS = { diagnosis: () => import("./diagnosis.js"), calibration: () => import("./calibration.js") };

export function makeWorkshop(root, hello, tools) {
  const { news } = tools;
  const views = {};
  let shown = null;

  async function open(name) {
    if (shown === name) return;
    close();
    shown = name;
    views[name] ??= (await VIEWS[name]()).make(hello, { ...tools, open, close });
    if (shown !== name) return; // another was opened meanwhile
    root.replaceChildren(views[name].card);
    root.hidden = false;
    document.body.dataset.workshop = name;
    views[name].begin();
    views[name].card.focus({ preventScroll: true });
  }

  function close() {
    const before = shown;
    shown = null;
    root.hidden = true;
    delete document.body.dataset.workshop;
    views[before]?.end();
  }

  // Whoever watches sees a calibration that somebody began elsewhere.
  news.on(["calibration"], () => news.last.calibration.phase && open("calibration"));

  return {
    buttons: (closeDialog) => ["diagnosis", ...(hello.canCalibrate ? ["calibration"] : [])].map((name) =>
      html("button", { type: "button", "data-opens": name, onclick: () => (closeDialog(), open(name)) }, say(`workshop.${name}`))),
  };
}
