// The signs on buttons, drawn with one stroke each.

import { svg } from "../element.js";

const STROKES = {
  new: "M12 5v14M5 12h14",
  back: "M9 7L4 12l5 5M4 12h10a6 6 0 0 1 6 6",
  done: "M5 13l5 5L20 7",
  hint: "M9.5 18h5M10 21h4M12 3a6 6 0 0 0-3.6 10.8c.7.6 1.1 1.2 1.1 2.2h5c0-1 .4-1.6 1.1-2.2A6 6 0 0 0 12 3Z",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 7m-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0M9 17m-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0",
  tour: "M9.2 9a3 3 0 1 1 4.3 2.7c-.9.5-1.5 1.1-1.5 2.1M12 17.2v.1",
  sound: "M4 10v4h3l4 3.5v-11L7 10ZM15 9a4.5 4.5 0 0 1 0 6M17.5 6.5a8 8 0 0 1 0 11",
  silence: "M4 10v4h3l4 3.5v-11L7 10ZM15.5 9.5l5 5M20.5 9.5l-5 5",
  tidy: "M5 20l6-6M13 4l7 7-4 3-6-6Z",
  earlier: "M14 6l-6 6 6 6",
  later: "M10 6l6 6-6 6",
  close: "M6 6l12 12M18 6L6 18",
  record: "M12 4v10M8 10.5l4 4 4-4M5 19h14",
};

export const icon = (name) =>
  svg("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, svg("path", { d: STROKES[name] }));
