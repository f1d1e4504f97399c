// The pawns on the board: where the service says they are, except those that this page's own hands hold.

import { svg } from "../element.js";
import { say } from "../words.js";
import { drawPawn, pawnPaints } from "./pawn.js";
import { flip, viewBox } from "./plan.js";

const LEAN = 0.011; // how far heads lean outwards, seen from above the middle of the board
const NEAR_MM = 0.5;
const PATIENCE_MS = 1500; // how long a pawn that was let go stays there, if the service does not say so too

export function makePawns(plan, canMove) {
  const pawns = new Map();
  const ghosts = svg("g", { class: "ghosts" });
  const group = svg("g", { class: "men" });
  const middle = { x: plan.outer.x + plan.outer.width / 2, y: plan.outer.y + plan.outer.height / 2 };
  const layer = svg("svg", { viewBox: viewBox(plan), class: "layer pawns", role: "group" }, svg("defs", {}, ...pawnPaints()), ghosts, group);
  layer.classList.toggle("movable", canMove);

  function stand(shape, x, y) {
    shape.style.transform = `translate(${x}px, ${y}px)`;
    shape.style.setProperty("--lean-x", (x - middle.x) * LEAN);
    shape.style.setProperty("--lean-y", (y - middle.y) * LEAN);
  }

  function create(number, color) {
    const shape = drawPawn(number, color);
    const ghost = drawPawn(number, color);
    ghost.setAttribute("class", `${ghost.getAttribute("class")} ghost`);
    shape.setAttribute("role", canMove ? "button" : "img");
    shape.setAttribute("tabindex", pawns.size ? -1 : 0);
    group.append(shape);
    return { number, color, shape, ghost, x: 0, y: 0, height: 0, bearing: null, grip: null, stood: null };
  }

  function show(pawn, { x, y, height, bearing = null }) {
    Object.assign(pawn, { x, y, height, bearing });
    pawn.row = height || !plan.isOnBoard(x, y) ? null : plan.rowAt(y);
    if (!height) pawn.stood = [x, y];
    stand(pawn.shape, x, y);
    pawn.shape.classList.toggle("lifted", height > 0);
    pawn.shape.classList.toggle("lying", bearing !== null);
    pawn.shape.style.setProperty("--bearing", `${-(bearing ?? 0)}rad`);
    if (height && pawn.stood) {
      stand(pawn.ghost, ...pawn.stood);
      ghosts.append(pawn.ghost);
    } else {
      pawn.ghost.remove();
    }
    label(pawn);
  }

  function label(pawn) {
    const color = pawn.color ?? "unknown";
    const where = pawn.height ? say("pawn.held") : pawn.row === null ? say("pawn.aside") : say("pawn.row", { row: pawn.row });
    pawn.shape.setAttribute("aria-label", `${say("pawn.name", { color })}, ${where}`);
    if (canMove) pawn.shape.setAttribute("aria-pressed", pawn.height > 0);
  }

  const isThere = (pawn, told) =>
    Math.hypot(pawn.x - told.x, pawn.y - told.y) < NEAR_MM && pawn.height > 0 === told.height > 0;

  function hear({ pawns: all }) {
    for (const { number, color, x_mm: x, y_mm, height_mm: height, bearing } of all) {
      if (!pawns.has(number)) pawns.set(number, create(number, color));
      const pawn = pawns.get(number);
      pawn.told = { x, y: flip(y_mm), height, bearing };
      if (pawn.grip === "let go" && isThere(pawn, pawn.told)) pawn.grip = null;
      if (!pawn.grip) show(pawn, pawn.told);
    }
    const numbers = new Set(all.map((pawn) => pawn.number));
    for (const [number, pawn] of pawns) if (!numbers.has(number)) remove(pawn);
  }

  function remove(pawn) {
    pawn.shape.remove();
    pawn.ghost.remove();
    pawns.delete(pawn.number);
  }

  // Above all others. An element that is moved in the tree loses the focus, so it is given back.
  function raise(pawn) {
    if (group.lastElementChild === pawn.shape) return;
    const hadFocus = document.activeElement === pawn.shape;
    const focusVisible = pawn.shape.matches(":focus-visible");
    group.append(pawn.shape);
    if (hadFocus) pawn.shape.focus({ preventScroll: true, focusVisible });
  }

  return {
    layer,
    all: () => [...pawns.values()],
    hear,
    raise,
    // This page's hand has the pawn, and knows best where it is.
    hold(pawn, place) {
      pawn.grip = "held";
      show(pawn, place);
    },
    letGo(pawn, place) {
      pawn.grip = "let go";
      show(pawn, place);
      setTimeout(() => {
        if (pawn.grip !== "let go") return;
        pawn.grip = null;
        show(pawn, pawn.told);
      }, PATIENCE_MS);
    },
    relabel() {
      layer.setAttribute("aria-label", say("board.label"));
      for (const pawn of pawns.values()) label(pawn);
    },
    forgetGrips() {
      for (const pawn of pawns.values()) pawn.grip = null;
    },
  };
}
