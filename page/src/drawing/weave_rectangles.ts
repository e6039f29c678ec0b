// From a window of the weave to rectangles: a pure function, so that tests can say what is drawn without a picture.
//
// A bucket of a warp is a column of the row: its height is how many lanes were on, its look what happened there.
// Neighbours that look alike are one rectangle.
import { fullness, lookOf, looks, type Look, type Weave, type WeaveRow } from "../model/weave.ts";
import { patterns, Rectangles, type Pattern } from "./rectangles.ts";

export interface WeaveView {
  first: number; // step at the left edge
  span: number; // steps from edge to edge
  width: number;
  rowHeight: number;
  gap: number; // between rows
}

export const lookPatterns: Record<Look, Pattern> = {
  all: "plain",
  some: "plain",
  memory: "plain",
  uncoalesced: "dots",
  conflict: "bars",
  diverges: "rising",
  waits: "plain",
  race: "checks",
};

// The palette: the looks, the ground of a row, the looks in pale, and the mark of steps that differ.
export const groundColour = looks.length;
export const paleColour = groundColour + 1;
export const differsColour = paleColour + looks.length;
const lowest = 0.12; // a warp of which one lane is on is still seen
const narrowestMark = 3; // pixels: a race, or a difference, is one step of thousands

// What is drawn beside: below each row, in pale, that of another recording, and above it which steps differ.
export interface WeaveBeside {
  weave: Weave | null;
  warps: number[][]; // of each row
  differing: [number, number][][]; // of each warp: first step, how many; [] where nothing is compared
}
const share = 0.62; // of a row, where another recording is below it
const markHeight = 4;

interface Band {
  top: number;
  height: number;
  pale: boolean;
}

function drawRow(out: Rectangles, weave: Weave, row: WeaveRow, view: WeaveView, band: Band, threads: number): void {
  const scale = view.width / view.span;
  const bucket = 2 ** weave.shift;
  const { top, height: room } = band;
  const colourOf = (look: Look): number => looks.indexOf(look) + (band.pale ? paleColour : 0);
  const marks: [number, number][] = [];
  // The buckets reach beyond the view on both sides, so that it can be moved.
  const columnAt = (step: number): number => Math.min(weave.columns, Math.max(0, (step - weave.first) / bucket));
  const begin = Math.floor(columnAt(view.first));
  const end = Math.ceil(columnAt(view.first + view.span));
  let from = begin;
  let look: Look | null = null;
  let full = 0;
  const flush = (to: number) => {
    if (!look) return;
    const left = Math.max(0, (weave.first + from * bucket - view.first) * scale);
    const right = Math.min(view.width, (weave.first + to * bucket - view.first) * scale);
    if (right <= left) return;
    const height = look === "waits" || look === "race" || look === "diverges" ? 1 : Math.max(full, lowest);
    if (height < 1) out.add(left, top, right - left, room, groundColour, 0);
    const drawn = room * height;
    if (look === "race") marks.push([left, right]);
    out.add(left, top + room - drawn, right - left, drawn, colourOf(look), patterns.indexOf(lookPatterns[look]));
  };
  for (let column = begin; column < end; ++column) {
    const next = lookOf(row, column);
    const nextFull = Math.round(fullness(row, column, threads) * 32) / 32;
    if (next === look && nextFull === full) continue;
    flush(column);
    from = column;
    look = next;
    full = nextFull;
  }
  flush(end);
  for (const [left, right] of marks) {
    if (right - left >= narrowestMark) continue;
    const middle = (left + right) / 2;
    out.add(middle - narrowestMark / 2, top, narrowestMark, room, colourOf("race"), 0);
  }
}

// Neighbouring ranges that fall on one mark are drawn as one.
function drawDifferences(out: Rectangles, ranges: [number, number][], view: WeaveView, top: number): void {
  const scale = view.width / view.span;
  let edge = -1;
  for (const [first, count] of ranges) {
    const left = (first - view.first) * scale;
    const right = Math.max(left + narrowestMark, (first + count - view.first) * scale);
    if (right <= 0 || left >= view.width || right <= edge) continue;
    const from = Math.max(0, left, edge);
    edge = Math.min(view.width, right);
    out.add(from, top, edge - from, markHeight, differsColour, 0);
  }
}

export function weaveRectangles(weave: Weave, view: WeaveView, threadsOf: (warp: number) => number, beside: WeaveBeside | null = null): Rectangles {
  const out = new Rectangles();
  weave.rows.forEach((row, n) => {
    const top = n * (view.rowHeight + view.gap);
    const below = beside?.weave ?? null;
    const height = below ? Math.floor(view.rowHeight * share) : view.rowHeight;
    drawRow(out, weave, row, view, { top, height, pale: false }, threadsOf(row.warp));
    const warps = beside?.warps[n] ?? [row.warp];
    const other = below?.rows.find((one) => one.warp === warps[0]);
    if (below && other) drawRow(out, below, other, view, { top: top + height + 1, height: view.rowHeight - height - 1, pale: true }, threadsOf(row.warp));
    const ranges = warps.flatMap((warp) => beside?.differing[warp] ?? []).sort((a, b) => a[0] - b[0]);
    drawDifferences(out, ranges, view, top);
  });
  return out;
}
