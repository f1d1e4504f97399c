// Under the hood of a simulated board: how hands move pawns, and faults by name.

import { html } from "../element.js";
import { label } from "../words.js";
import { choice } from "./dialog.js";

export function makeHood(root, hello, { news, preferences, link }) {
  const slotNames = hello.board.rows.flatMap((slots, row) => slots.map((_, place) => `${row}.${place}`));
  const selects = [0, 1].map((chosen) => html("select", {}, ...slotNames.map((name, i) => html("option", { selected: i === chosen }, name))));
  const preference = (key) =>
    choice(key, "on", label("span", `hood.${key}`), { type: "checkbox", checked: preferences.get(key), onchange: ({ target }) => preferences.set(key, target.checked) });

  const breakIt = (text) => link.send({ type: "fault", text });
  const fault = ({ name, slots }) => {
    const text = () => [name, ...selects.slice(0, slots).map((select) => select.value)].join(" ");
    return label("button", `fault.${name}`, { type: "button", class: "fault", "data-fault": name, onclick: () => breakIt(text()) });
  };
  const faults = (slots) => hello.faultKinds.filter((kind) => kind.slots === slots).map(fault);
  const sensor = (key, select) => html("label", { class: "field" }, label("span", key), select);

  root.hidden = false;
  root.append(html("details", {},
    html("summary", {}, label("h2", "hood.title")),
    preference("slides"), preference("precise"),
    label("h3", "hood.faults"),
    ...faults(0),
    sensor("hood.slot", selects[0]), ...faults(1),
    sensor("hood.other-slot", selects[1]), ...faults(2),
    label("button", "fault.clear", { type: "button", class: "main", onclick: () => breakIt("clear") })));

  news.on(["state"], () => {
    const broken = new Set(news.last.state.faults.map((text) => text.split(" ")[0]));
    for (const button of root.querySelectorAll(".fault")) button.setAttribute("aria-pressed", broken.has(button.dataset.fault));
  });
}
