// Where things are on the board. Drawings are in millimetres, like the board: x to the right, y downwards, so that
// red's edge is at the bottom. Points of the service have y upwards from red's edge; `flip` turns one into the other.

export const FRAME = 13;
export const PAWN = 12.2;
export const STICK = 5.4;
const EDGE = 30; // how far the bed goes on beyond the outermost slots
const STRIP_FROM_ROW = 16.3; // from a row's centre to its strip
const STRIP_END = 9; // how far a strip goes on beyond its outermost pixel

export const flip = (y) => -y;

const spread = (count, from, to) =>
  Array.from({ length: count }, (_, i) => from + ((i + 0.5) * (to - from)) / count);

// A strip of light: its pixels, and the groove that they lie in.
function strip(points, vertical) {
  const [first, last] = [points[0], points[points.length - 1]];
  const groove = vertical
    ? { x: first[0] - 2.3, y: last[1] - STRIP_END / 2, width: 4.6, height: first[1] - last[1] + STRIP_END }
    : { x: first[0] - STRIP_END, y: first[1] - 2.1, width: last[0] - first[0] + 2 * STRIP_END, height: 4.2 };
  return { points, vertical, groove };
}

export function makePlan(board) {
  const rows = board.rows.map((slots) => slots.map(([x, y]) => [x, flip(y)]));
  const ys = rows.map((slots) => slots.map(([, y]) => y));
  const middles = ys.map((row) => (Math.min(...row) + Math.max(...row)) / 2);
  const inner = { right: Math.max(...rows.flat().map(([x]) => Math.abs(x))) + EDGE };
  inner.left = -inner.right;
  inner.bottom = Math.max(...ys[0]) + EDGE;
  inner.top = Math.min(...ys.at(-1)) - EDGE;
  const sticks = rows.slice(1).map((_, i) => (Math.min(...ys[i]) + Math.max(...ys[i + 1])) / 2);
  const reach = inner.right - 15; // how far sticks go to either side
  const lanes = ys.map((row, i) => ({
    top: i + 1 < ys.length ? sticks[i] : inner.top,
    bottom: i ? sticks[i - 1] : inner.bottom,
  }));

  // Each row's strip lies on red's side of it, except black's start line, whose strip lies at black's edge.
  const stripY = (row) => (row === rows.length - 1 ? Math.min(...ys[row]) - STRIP_FROM_ROW : Math.max(...ys[row]) + STRIP_FROM_ROW);
  const rowStrips = board.rowPixels.map((count, row) =>
    strip(spread(count, -reach + 12, reach - 12).map((x) => [x, stripY(row)]), false));
  const scoreStrips = board.scorePixels.map((count, side) =>
    strip(spread(count, inner.bottom - 9, inner.top + 9).map((y) => [side ? inner.right - 7 : inner.left + 7, y]), true));

  return {
    rows, middles, inner, sticks, reach, lanes,
    strips: [...rowStrips, ...scoreStrips.filter((strip) => strip.points.length)],
    outer: {
      x: inner.left - FRAME,
      y: inner.top - FRAME,
      width: inner.right - inner.left + 2 * FRAME,
      height: inner.bottom - inner.top + 2 * FRAME,
    },
    rowAt: (y) => lanes.findIndex((lane) => y >= lane.top),
    isOnBoard: (x, y) => Math.abs(x) <= inner.right && y >= inner.top && y <= inner.bottom,
  };
}

export const viewBox = ({ outer }) => `${outer.x} ${outer.y} ${outer.width} ${outer.height}`;
