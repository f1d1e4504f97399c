// Fingers and the mouse. Each pointer is a hand of its own: it drags a pawn, or taps it to take it and taps again to put
// it down. Pointers are captured by the whole layer, because a captured pawn that moves in the tree would be lost.

import { PAWN } from "./plan.js";

const DRAG_PX = 3; // a press becomes a drag
const TARGET_PX = 22; // half of the smallest thing that a finger finds

export function followFingers(layer, pawns, grip, preferences) {
  const drags = new Map();
  let tapped = null; // the pawn that a tap took

  function point({ clientX, clientY }) {
    return new DOMPoint(clientX, clientY).matrixTransform(layer.getScreenCTM().inverse());
  }

  function pawnAt({ x, y }) {
    const reach = Math.max(PAWN + 2, TARGET_PX / layer.getScreenCTM().a);
    const away = (pawn) => Math.hypot(pawn.x - x, pawn.y - y);
    const near = pawns.all().filter((pawn) => away(pawn) <= reach).sort((a, b) => away(a) - away(b));
    return near[0];
  }

  const isTaken = (pawn) => [...drags.values()].some((drag) => drag.pawn === pawn);

  function tap(drag) {
    if (tapped) {
      const [pawn, { x, y }] = [tapped, drag.start];
      tapped = null;
      grip.put(pawn, x, y, drag.isExact);
    } else if (drag.pawn) {
      tapped = drag.pawn;
      grip.lift(tapped);
    }
  }

  function beginDrag(drag) {
    drag.isMoving = true;
    if (tapped === drag.pawn) tapped = null;
    else grip.lift(drag.pawn, drag.isSliding);
    drag.pawn.shape.classList.add("dragged");
  }

  layer.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const start = point(event);
    const pawn = pawnAt(start);
    if (!pawn && !tapped) return;
    if (pawn && isTaken(pawn)) return;
    event.preventDefault();
    layer.setPointerCapture(event.pointerId);
    pawn?.shape.focus({ preventScroll: true, focusVisible: false });
    drags.set(event.pointerId, {
      pawn, start,
      offset: pawn ? [pawn.x - start.x, pawn.y - start.y] : [0, 0],
      at: [event.clientX, event.clientY],
      isSliding: event.shiftKey || preferences.get("slides"),
      isExact: event.altKey,
      isMoving: false,
    });
  });

  layer.addEventListener("pointermove", (event) => {
    const drag = drags.get(event.pointerId);
    if (!drag?.pawn) return;
    if (!drag.isMoving) {
      if (Math.hypot(event.clientX - drag.at[0], event.clientY - drag.at[1]) < DRAG_PX) return;
      beginDrag(drag);
    }
    const { x, y } = point(event);
    drag.to = [x + drag.offset[0], y + drag.offset[1]];
    drag.frame ??= requestAnimationFrame(() => {
      drag.frame = null;
      if (drags.get(event.pointerId) === drag) grip.carry(drag.pawn, ...drag.to);
    });
  });

  function end(event, isDropped) {
    const drag = drags.get(event.pointerId);
    if (!drag) return;
    drags.delete(event.pointerId);
    drag.pawn?.shape.classList.remove("dragged");
    if (!drag.isMoving) {
      if (isDropped) tap(drag);
    } else if (isDropped) {
      grip.put(drag.pawn, ...drag.to, drag.isExact || event.altKey);
    } else {
      grip.putBack(drag.pawn);
    }
  }
  layer.addEventListener("pointerup", (event) => end(event, true));
  layer.addEventListener("pointercancel", (event) => end(event, false));

  return {
    // The service is gone, and with it whatever was in hand.
    drop() {
      drags.clear();
      tapped = null;
      for (const pawn of pawns.all()) pawn.shape.classList.remove("dragged");
    },
  };
}
