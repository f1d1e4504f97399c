// The light. Each pixel is a soft spot on a canvas of low resolution, which the browser scales up and lays over the wood
// like light, and a sharp dot on top. Only what the eye makes of the light is worked out here: the pixels come as
// they are.

import { svg } from "../element.js";
import { viewBox } from "./plan.js";

const SCALE = 0.75; // canvas pixels a millimetre
const SPRITE = 64;
const ROUGH = 0xf0; // colours are told apart this finely, so that few spots have to be made
const SPILL = { along: 40, across: 30 }; // how far light spills, in millimetres
const SCORE_SPILL = 11;

// What a screen has to show so that it looks as bright as a light of that value does in a room.
const lift = (value, curve = 0.62) => Math.round(255 * (value / 255) ** curve);

function spot(red, green, blue) {
  const canvas = new OffscreenCanvas(SPRITE, SPRITE);
  const brush = canvas.getContext("2d");
  const half = SPRITE / 2;
  const paint = brush.createRadialGradient(half, half, 0, half, half, half);
  const tint = (alpha) => `rgba(${lift(red, 0.85)},${lift(green, 0.85)},${lift(blue, 0.85)},${alpha})`;
  for (const [at, alpha] of [[0, 0.8], [0.1, 0.55], [0.28, 0.28], [0.55, 0.1], [1, 0]]) paint.addColorStop(at, tint(alpha));
  brush.fillStyle = paint;
  brush.fillRect(0, 0, SPRITE, SPRITE);
  return canvas;
}

// A bright light looks white in its middle.
function core(red, green, blue) {
  const strength = Math.max(red, green, blue) / 255;
  if (strength < 0.04) return "transparent";
  const whiten = (value) => Math.round(lift(value) + (255 - lift(value)) * 0.72 * strength ** 0.7);
  return `rgb(${whiten(red)},${whiten(green)},${whiten(blue)})`;
}

export function makeGlow(plan) {
  const canvas = document.createElement("canvas");
  canvas.className = "layer glow";
  canvas.width = plan.outer.width * SCALE;
  canvas.height = plan.outer.height * SCALE;
  const brush = canvas.getContext("2d");
  const spots = new Map();
  const lamps = plan.strips.flatMap(({ points, vertical }) =>
    points.map(([x, y]) => ({
      x: (x - plan.outer.x) * SCALE,
      y: (y - plan.outer.y) * SCALE,
      along: (vertical ? SCORE_SPILL : SPILL.along) * SCALE,
      across: (vertical ? SCORE_SPILL : SPILL.across) * SCALE,
      dot: svg("circle", { cx: x, cy: y, r: vertical ? 1.15 : 1.75 }),
      color: -1,
    })));
  const dots = svg("svg", { viewBox: viewBox(plan), class: "layer dots", "aria-hidden": "true" }, ...lamps.map((lamp) => lamp.dot));

  function spotOf(red, green, blue) {
    const key = (red << 16) | (green << 8) | blue;
    if (!spots.has(key)) spots.set(key, spot(red, green, blue));
    return spots.get(key);
  }

  function draw(pixels) {
    brush.globalCompositeOperation = "source-over";
    brush.clearRect(0, 0, canvas.width, canvas.height);
    brush.globalCompositeOperation = "lighter";
    lamps.forEach((lamp, i) => {
      const [red, green, blue] = pixels.subarray(3 * i, 3 * i + 3);
      const strength = Math.max(red, green, blue) / 255;
      if (strength > 0.04) {
        const reach = 0.55 + 0.45 * strength;
        const [along, across] = [lamp.along * reach, lamp.across * reach];
        const light = spotOf(red & ROUGH, green & ROUGH, blue & ROUGH);
        brush.drawImage(light, lamp.x - along, lamp.y - across, 2 * along, 2 * across);
      }
      const color = (red << 16) | (green << 8) | blue;
      if (color !== lamp.color) {
        lamp.color = color;
        lamp.dot.style.fill = core(red, green, blue);
      }
    });
  }

  return { canvas, dots, draw };
}
