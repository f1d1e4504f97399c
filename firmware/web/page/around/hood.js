// Under the hood of a simulated board: the x-ray view, how hands move pawns, and faults by name.

import { html } from "../element.js";
import { say } from "../words.js";
import { choice } from "./dialog.js";

export function makeHood(root, hello, { news, preferences, link }) {
  const details = html("details");
  const slotNames = hello.board.rows.flatMap((slots, row) => slots.map((_, place) => `${row}.${place}`));
  root.append(details);
  root.hidden = false;
  let slot = slotNames[0];

  function lookInside({ target }) {
    news.tell("inside", target.checked);
    link.send({ type: "look", inside: target.checked });
  }

  const toggle = (key) =>
    choice(key, "on", say(`hood.${key}`), { type: "checkbox", checked: preferences.get(key), onchange: ({ target }) => preferences.set(key, target.checked) });

  function faultButton({ name, takes_slot: takesSlot }) {
    const text = () => (takesSlot ? `${name} ${slot}` : name);
    const isActive = news.last.state.faults.some((fault) => fault.split(" ")[0] === name);
    return html("button", { type: "button", class: "fault", "aria-pressed": String(isActive), "data-fault": name, onclick: () => link.send({ type: "fault", text: text() }) },
      say(`fault.${name}`));
  }

  function draw() {
    if (!news.last.state) return;
    const [single, whole] = [hello.faultKinds.filter((kind) => kind.takes_slot), hello.faultKinds.filter((kind) => !kind.takes_slot)];
    const slots = html("select", { id: "slot", onchange: ({ target }) => { slot = target.value; } },
      ...slotNames.map((name) => html("option", { value: name, selected: name === slot }, name)));
    details.replaceChildren(
      html("summary", {}, html("h2", {}, say("hood.title"))),
      choice("inside", "on", say("hood.inside"), { type: "checkbox", checked: news.last.inside ?? false, onchange: lookInside }),
      toggle("slides"), toggle("precise"),
      html("h3", {}, say("hood.faults")),
      ...whole.map(faultButton),
      html("label", { class: "field", for: "slot" }, say("hood.slot"), slots),
      ...single.map(faultButton),
      html("button", { type: "button", class: "main", "data-fault": "clear", onclick: () => link.send({ type: "fault", text: "clear" }) }, say("fault.clear")));
  }

  let drawn = "";
  news.on(["state", "words"], () => {
    const faults = `${news.last.words} ${news.last.state?.faults}`;
    if (faults === drawn) return;
    drawn = faults;
    draw();
  });
}
