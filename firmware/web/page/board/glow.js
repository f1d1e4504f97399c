// The light. Each pixel is a soft spot on a canvas of low resolution, which the browser scales up and lays over the wood
// like light, and a sharp dot on a finer one. Only what the eye makes of the light is worked out here: the pixels come
// as they are.

const SOFT = 0.75; // canvas pixels a millimetre
const SHARP = 3;
const SPRITE = 64;
const ROUGH = 0xf0; // colours are told apart this finely, so that few spots have to be made
const SPILL = { along: 40, across: 30 }; // how far light spills, in millimetres
const SCORE_SPILL = 11;

// A light of half the value still looks bright in a room, so a screen has to show it brighter, in the same hue.
function lifted(red, green, blue) {
  const strength = Math.max(red, green, blue, 1) / 255;
  const lift = strength ** -0.45;
  return { strength, color: [red, green, blue].map((value) => value * lift) };
}

function spot(red, green, blue) {
  const canvas = new OffscreenCanvas(SPRITE, SPRITE);
  const brush = canvas.getContext("2d");
  const half = SPRITE / 2;
  const paint = brush.createRadialGradient(half, half, 0, half, half, half);
  const { color } = lifted(red, green, blue);
  for (const [at, alpha] of [[0, 0.8], [0.1, 0.55], [0.28, 0.28], [0.55, 0.1], [1, 0]]) paint.addColorStop(at, `rgba(${color},${alpha})`);
  brush.fillStyle = paint;
  brush.fillRect(0, 0, SPRITE, SPRITE);
  return canvas;
}

// The lamp itself: the brighter, the whiter; a faint one lets its white package shine through.
function core(red, green, blue) {
  const { strength, color } = lifted(red, green, blue);
  const whitened = color.map((value) => value + (255 - value) * 0.72 * strength ** 0.5);
  return `rgba(${whitened},${1.4 * strength ** 0.5})`;
}

function makeLayer({ outer }, name, scale) {
  const canvas = document.createElement("canvas");
  canvas.className = `layer ${name}`;
  canvas.width = outer.width * scale;
  canvas.height = outer.height * scale;
  const brush = canvas.getContext("2d");
  brush.scale(scale, scale);
  brush.translate(-outer.x, -outer.y);
  return { canvas, brush };
}

export function makeGlow(plan) {
  const glow = makeLayer(plan, "glow", SOFT);
  const dots = makeLayer(plan, "dots", SHARP);
  const spots = new Map();
  const lamps = plan.strips.flatMap(({ points, vertical }) =>
    points.map(([x, y]) => ({
      x, y,
      along: vertical ? SCORE_SPILL : SPILL.along,
      across: vertical ? SCORE_SPILL : SPILL.across,
      radius: vertical ? 1.15 : 1.75,
      color: 0,
    })));

  function spill({ x, y, along, across }, red, green, blue) {
    const key = (red << 16) | (green << 8) | blue;
    if (!spots.has(key)) spots.set(key, spot(red, green, blue));
    const reach = 0.55 + (0.45 * Math.max(red, green, blue)) / 255;
    glow.brush.drawImage(spots.get(key), x - along * reach, y - across * reach, 2 * along * reach, 2 * across * reach);
  }

  function dot(lamp, red, green, blue) {
    const color = (red << 16) | (green << 8) | blue;
    if (color === lamp.color) return;
    const { x, y, radius } = Object.assign(lamp, { color });
    dots.brush.clearRect(x - radius - 0.5, y - radius - 0.5, 2 * radius + 1, 2 * radius + 1);
    if (!color) return;
    dots.brush.fillStyle = core(red, green, blue);
    dots.brush.beginPath();
    dots.brush.arc(x, y, radius, 0, 2 * Math.PI);
    dots.brush.fill();
  }

  function draw(pixels) {
    const { x, y, width, height } = plan.outer;
    glow.brush.globalCompositeOperation = "source-over";
    glow.brush.clearRect(x, y, width, height);
    glow.brush.globalCompositeOperation = "lighter";
    lamps.forEach((lamp, i) => {
      const [red, green, blue] = pixels.subarray(3 * i, 3 * i + 3);
      if (red | green | blue) spill(lamp, red & ROUGH, green & ROUGH, blue & ROUGH);
      dot(lamp, red, green, blue);
    });
  }

  return { layers: [glow.canvas, dots.canvas], draw };
}
