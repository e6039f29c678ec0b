// From a window of the weave to rectangles: a pure function, so that tests can say what is drawn without a picture.
//
// A bucket of a warp is a column of the row: its height is how many lanes were on, its look what happened there.
// Neighbours that look alike are one rectangle.
import { fullness, lookOf, looks, type Look, type Weave } from "../model/weave.ts";
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

// Behind the looks in the palette: the ground of a row.
export const groundColour = looks.length;
const lowest = 0.12; // a warp of which one lane is on is still seen
const narrowestMark = 3; // pixels: a race is one step of thousands

export function weaveRectangles(weave: Weave, view: WeaveView, threadsOf: (warp: number) => number): Rectangles {
  const out = new Rectangles();
  const scale = view.width / view.span;
  const bucket = 2 ** weave.shift;
  weave.rows.forEach((row, n) => {
    const top = n * (view.rowHeight + view.gap);
    const marks: [number, number][] = [];
    let from = 0;
    let look: Look | null = null;
    let full = 0;
    const flush = (to: number) => {
      if (!look) return;
      const left = Math.max(0, (weave.first + from * bucket - view.first) * scale);
      const right = Math.min(view.width, (weave.first + to * bucket - view.first) * scale);
      if (right <= left) return;
      const height = look === "waits" || look === "race" || look === "diverges" ? 1 : Math.max(full, lowest);
      if (height < 1) out.add(left, top, right - left, view.rowHeight, groundColour, 0);
      const drawn = view.rowHeight * height;
      if (look === "race") marks.push([left, right]);
      out.add(left, top + view.rowHeight - drawn, right - left, drawn, looks.indexOf(look), patterns.indexOf(lookPatterns[look]));
    };
    for (let column = 0; column < weave.columns; ++column) {
      const next = lookOf(row, column);
      const nextFull = Math.round(fullness(row, column, threadsOf(row.warp)) * 32) / 32;
      if (next === look && nextFull === full) continue;
      flush(column);
      from = column;
      look = next;
      full = nextFull;
    }
    flush(weave.columns);
    for (const [left, right] of marks) {
      if (right - left >= narrowestMark) continue;
      const middle = (left + right) / 2;
      out.add(middle - narrowestMark / 2, top, narrowestMark, view.rowHeight, looks.indexOf("race"), 0);
    }
  });
  return out;
}
