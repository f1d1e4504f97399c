// A dialog with a heading, a body that is drawn when it opens, and its buttons.

import { html } from "../element.js";
import { say } from "../words.js";

export function makeDialog(name, title, drawBody) {
  const dialog = html("dialog", { class: name, "aria-labelledby": `${name}-title` });
  document.body.append(dialog);
  // A click beside the dialog means: enough.
  dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());

  const close = () => dialog.close();
  const draw = () => dialog.replaceChildren(html("h2", { id: `${name}-title` }, say(title)), ...drawBody(close));
  return {
    open() {
      draw();
      dialog.showModal();
    },
    redraw: () => dialog.open && draw(),
  };
}

export const choice = (name, value, label, { checked = false, detail = "", type = "radio", ...more } = {}) =>
  html("label", { class: "choice" },
    html("input", { type, name, value, checked, ...more }),
    html("span", {}, label, detail ? html("small", {}, detail) : ""));

export const fieldset = (legend, ...choices) => html("fieldset", {}, html("legend", {}, legend), ...choices);
