// Two recordings beside each other: the way between differences, what a step says of both, lines of now and then.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { LineSum, StepDetail } from "../src/api.ts";
import { differencesText, isCompared, lineText, matchLines, nextDifference, pairLines, stepDifference, stepDifferenceText, totalRows, totalsOf, wasteRows, type Differences } from "../src/model/beside.ts";
import { Rectangles } from "../src/drawing/rectangles.ts";
import { differsColour, paleColour, weaveRectangles } from "../src/drawing/weave_rectangles.ts";
import { linesOf } from "../src/model/source_lines.ts";
import { planes, type Plane, type Weave } from "../src/model/weave.ts";

const found: Differences = { of_each_warp: 50, compared: 100, differing: 5, path: 0, lanes: 0, addresses: 1, values: 4, warps: [[[3, 2], [9, 1]], [], [[0, 2]]] };

test("differences follow one another by warps, and begin again", () => {
  assert.deepEqual(nextDifference(found, { warp: 0, step: 0 }, false), { warp: 0, step: 3 });
  assert.deepEqual(nextDifference(found, { warp: 0, step: 3 }, false), { warp: 0, step: 9 });
  assert.deepEqual(nextDifference(found, { warp: 0, step: 9 }, false), { warp: 2, step: 0 });
  assert.deepEqual(nextDifference(found, { warp: 2, step: 0 }, false), { warp: 0, step: 3 });
  assert.deepEqual(nextDifference(found, { warp: 2, step: 0 }, true), { warp: 0, step: 9 });
  assert.deepEqual(nextDifference(found, { warp: 0, step: 3 }, true), { warp: 2, step: 0 });
  assert.equal(nextDifference({ ...found, warps: [[]] }, { warp: 0, step: 0 }, false), null);
});

test("differences in words", () => {
  assert.equal(differencesText(found), "5 of 100 steps differ: 1 at other addresses, 4 with other values.");
  assert.equal(differencesText({ ...found, differing: 0 }), "All 100 steps do the same.");
  assert.equal(differencesText({ ...found, differing: 0 }, 5000), "All 100 steps do the same. Of each warp the first 50 steps are compared.");
  assert.ok(isCompared(found, { warp: 0, step: 149 }, 100) && !isCompared(found, { warp: 0, step: 150 }, 100));
});

const detail = (values: string[], addresses: number[] = [0, 4], on = 3): StepDetail =>
  ({ warp: 0, step: { active: 3, on, values: [{ mask: 3, lanes: values }] }, accesses: [{ mask: 3, addresses }] }) as never;

test("a step says what both orders have", () => {
  const text = (there: StepDetail | null) => stepDifferenceText(stepDifference(detail(["0", "0"]), there), "Order 7");
  assert.equal(text(detail(["0", "0"])), "Order 7 does the same at this step.");
  assert.equal(text(detail(["63", "63"])), "Lanes 0–1: value 0 here, 63 there.");
  assert.equal(text(detail(["0", "63"])), "Lane 1: value 0 here, 63 there.");
  assert.equal(text(detail(["1", "2"])), "Other values for 2 lanes. lane 0: 0 here, 1 there; lane 1: 0 here, 2 there.");
  assert.equal(text(detail(["0", "0"], [0, 8])), "Lane 1: address 0x4 here, 0x8 there.");
  assert.equal(text(detail(["0", "0"], [0, 4], 1)), "Lane 1: lane on here, off there.");
  assert.equal(text(null), "Order 7 does not run this step.");
});

test("lines are those of before where their text is", () => {
  assert.deepEqual(matchLines(["a", "x", "b"], ["a", "b"]), [0, null, 1]);
  assert.deepEqual(matchLines(["a", "b"], ["a", " x", "b "]), [0, 2]);
  assert.deepEqual(matchLines(["p", "q", "r", "s"], ["q", "p", "r"]), [null, 0, 2, null]);
  assert.deepEqual(matchLines([], ["a"]), []);
});

const sum = (line: number, steps: number, sectors: number, ideal: number): LineSum => ({ line, frames: [{ file: "k.cu", line, column: 0, function: "k" }], steps, lanes: 32 * steps, on_lanes: 32 * steps, diverging: 0, cost: { sectors, ideal_sectors: ideal } });

test("a line that is gone stands where it was, with its costs", () => {
  const now = linesOf({ name: "k.cu", text: "int i;\nout[i] = 1;\n}\n" }, [sum(2, 4, 16, 16)], []);
  const then = linesOf({ name: "k.cu", text: "int i;\nout[32 * i] = 1;\n}\n" }, [sum(2, 4, 128, 16)], []);
  const pairs = pairLines(now, then);
  assert.deepEqual(
    pairs.map((pair) => [pair.now?.number ?? null, pair.then?.number ?? null]),
    [
      [1, 1],
      [2, null],
      [null, 2],
      [3, 3],
    ],
  );
  assert.equal(lineText(pairs[2]!.then), "4 · 8.0×");
  assert.equal(lineText(pairs[1]!.now), "4");
  assert.equal(lineText(null), "");
  assert.deepEqual(totalRows(totalsOf([sum(2, 4, 16, 16)]), totalsOf([sum(2, 4, 128, 16)])), [
    ["steps", 4, 4],
    ["sectors of global memory", 128, 16],
  ]);
  assert.deepEqual(wasteRows(totalsOf([sum(2, 4, 16, 16)]), totalsOf([sum(2, 4, 128, 16)])), [["sectors for each that would do", 8, 1]]);
});

test("what is beside a row is drawn below it in pale, and marks of differences above", () => {
  const weave = (steps: number): Weave => {
    const plane = Object.fromEntries(planes.map((name) => [name, new Uint32Array(4)])) as Record<Plane, Uint32Array>;
    for (const name of ["steps", "lanes", "on_lanes"] as const) plane[name].fill(name === "steps" ? 1 : 32, 0, steps);
    return { first: 0, shift: 0, columns: 4, rows: [{ warp: 0, plane }] };
  };
  const view = { first: 0, span: 4, width: 400, rowHeight: 20, gap: 2 };
  const drawn: Rectangles = weaveRectangles(weave(2), view, () => 32, { weave: weave(4), warps: [[0]], differing: [[[1, 1]]] });
  const list = Array.from({ length: drawn.count }, (_, n) => Array.from(drawn.data.subarray(6 * n, 6 * n + 5)));
  assert.deepEqual(list, [
    [0, 0, 200, 12, 0],
    [0, 13, 400, 7, paleColour],
    [100, 0, 100, 4, differsColour],
  ]);
});
