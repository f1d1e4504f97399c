// Where the code is typed: a digit for each row between the start lines, beside a strip that shows it as the board
// does. Typing goes on from digit to digit; a tap on a strip lights it up to there.

import { html } from "../element.js";
import { say } from "../words.js";

const DIGITS = 6;
const LARGEST = 9;

export function makeCode(root) {
  const rows = Array.from({ length: DIGITS }, (_, place) => makeRow(place, (typed) => spread(place, typed), () => rows[place - 1]));

  // Whatever is typed or pasted goes on in the digits after it.
  function spread(place, typed) {
    const digits = [...typed.replace(/[^1-9]/g, "")].slice(0, DIGITS - place);
    rows[place].light("");
    digits.forEach((digit, i) => rows[place + i].light(digit));
    if (digits.length) rows[Math.min(place + digits.length, DIGITS - 1)].input.focus();
  }

  root.append(...rows.map((row) => row.element));
  return {
    text: () => rows.map((row) => row.input.value).join(""),
    clear: () => rows.forEach((row) => row.light("")),
    focus: () => rows[0].input.focus(),
  };
}

function makeRow(place, typed, before) {
  const input = html("input", {
    inputmode: "numeric", autocomplete: "off", required: true, pattern: "[1-9]", "aria-label": say("pair.digit", { place: place + 1 }),
    oninput: () => typed(input.value),
    onfocus: () => input.select(),
    onkeydown: ({ key }) => key === "Backspace" && !input.value && before()?.input.focus(),
  });
  const pixels = Array.from({ length: LARGEST }, (_, i) => html("span", { class: "pixel", onclick: () => light(i + 1) }));
  const light = (digit) => {
    input.value = digit;
    pixels.forEach((pixel, i) => pixel.classList.toggle("on", i < digit));
  };
  return { input, light, element: html("div", { class: "digit" }, html("div", { class: "strip", "aria-hidden": "true" }, ...pixels), input) };
}
