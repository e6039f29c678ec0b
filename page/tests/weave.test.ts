// What is drawn of a window of the weave: rectangles, not pixels.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Rectangles, fillPixels, isDark, patterns, type Colour } from "../src/drawing/rectangles.ts";
import { groundColour, weaveRectangles } from "../src/drawing/weave_rectangles.ts";
import { lookOf, looks, planes, runsOf, weaveOf, type Plane } from "../src/model/weave.ts";

type Bucket = Partial<Record<Plane, number>>;

// The bytes that the server sends, of one row for each list of buckets.
function bytesOf(rows: Bucket[][], first = 0, shift = 0): ArrayBuffer {
  const columns = rows[0]!.length;
  const numbers = [0x56414557, 1, shift, rows.length, columns, planes.length, first, 0];
  rows.forEach((row, warp) => {
    numbers.push(warp);
    for (const plane of planes) for (const bucket of row) numbers.push(bucket[plane] ?? 0);
  });
  return new Uint32Array(numbers).buffer;
}

const full: Bucket = { steps: 1, lanes: 32, on_lanes: 32 };
const half: Bucket = { steps: 1, lanes: 16, on_lanes: 16, partial: 1 };
const view = { first: 0, span: 4, width: 40, rowHeight: 10, gap: 2 };
const draw = (rows: Bucket[][], first = 0, shift = 0) =>
  listOf(weaveRectangles(weaveOf(bytesOf(rows, first, shift)), view, () => 32));

function listOf(rectangles: Rectangles) {
  return Array.from({ length: rectangles.count }, (_, n) => {
    const [x, y, width, height, colour, pattern] = rectangles.data.subarray(6 * n, 6 * n + 6);
    return { x, y, width, height, look: looks[colour!] ?? (colour === groundColour ? "ground" : "?"), pattern: patterns[pattern!] };
  });
}

test("buckets that look alike are one rectangle", () => {
  assert.deepEqual(draw([[full, full, full, full]]), [{ x: 0, y: 0, width: 40, height: 10, look: "all", pattern: "plain" }]);
});
test("the height is how many lanes are on", () => {
  const drawn = draw([[full, half, half, full]]);
  assert.deepEqual(drawn.map((one) => [one.x, one.height, one.look]), [
    [0, 10, "all"],
    [10, 10, "ground"],
    [10, 5, "some"],
    [30, 10, "all"],
  ]);
});
test("a branch that no lane takes is not an idle warp, an access that half of them make is half of it", () => {
  assert.equal(draw([[{ ...full, on_lanes: 0 }]])[0]!.height, 10);
  assert.equal(draw([[{ ...full, accesses: 1, on_lanes: 16 }]])[1]!.height, 5);
});
test("rows lie below each other, and a warp that has ended is empty", () => {
  const drawn = draw([
    [full, full, full, full],
    [full, {}, {}, {}],
  ]);
  assert.deepEqual(drawn.map((one) => [one.y, one.width]), [
    [0, 40],
    [12, 10],
  ]);
});
test("what is left of the view is cut", () => {
  const wide = draw([[full, half, full, full, full, full]], 2, 0);
  assert.deepEqual(wide.map((one) => one.x), [20, 30, 30]);
});
test("a race of one step of thousands is still three pixels wide", () => {
  const weave = weaveOf(bytesOf([[{ ...full, marks: 1 }, full]], 0, 0));
  const drawn = listOf(weaveRectangles(weave, { ...view, span: 4000 }, () => 32));
  assert.ok(drawn.some((one) => one.look === "race" && one.width === 3));
});
test("the worst of a bucket is what it looks like", () => {
  const look = (bucket: Bucket) => lookOf(weaveOf(bytesOf([[bucket]])).rows[0]!, 0);
  assert.equal(look({}), null);
  assert.equal(look(full), "all");
  assert.equal(look(half), "some");
  assert.equal(look({ ...full, accesses: 1, sectors: 4, ideal_sectors: 4 }), "memory");
  assert.equal(look({ ...full, accesses: 1, sectors: 32, ideal_sectors: 4 }), "uncoalesced");
  assert.equal(look({ ...full, accesses: 1, wavefronts: 32, ideal_wavefronts: 1 }), "conflict");
  assert.equal(look({ ...full, diverging: 1 }), "diverges");
  assert.equal(look({ ...full, barriers: 1 }), "waits");
  assert.equal(look({ ...full, wavefronts: 32, ideal_wavefronts: 1, marks: 2 }), "race");
});
test("bytes of another version are refused", () => {
  const bytes = bytesOf([[full]]);
  new Uint32Array(bytes)[1] = 2;
  assert.throws(() => weaveOf(bytes));
  assert.throws(() => weaveOf(new ArrayBuffer(8)));
});
test("no pattern is all dark or, but for the plain one, all light", () => {
  patterns.forEach((name, pattern) => {
    let dark = 0;
    for (let y = 0; y < 12; ++y) for (let x = 0; x < 12; ++x) dark += isDark(pattern, x, y) ? 1 : 0;
    assert.ok(name === "plain" ? dark === 0 : dark > 20 && dark < 100, `${name}: ${dark} of 144`);
  });
});
test("a pixel has the rectangle that its middle is in, and the darker colour where the pattern says so", () => {
  const [width, height] = [24, 12];
  const palette: Colour[] = [
    [10, 20, 30],
    [200, 100, 50],
  ];
  const colourAt = (pixels: Uint32Array, x: number, y: number) => [...new Uint8Array(pixels.buffer, 4 * (y * width + x), 4)];
  for (const scale of [1, 2])
    patterns.forEach((_, pattern) => {
      const rectangles = new Rectangles();
      rectangles.add(-5, -5, 100, 100, 0, 0);
      rectangles.add(2.4 / scale, 1.6 / scale, 15.2 / scale, 100, 1, pattern); // the middles of pixels 2 to 17, and from row 2 on
      rectangles.add(3.6 / scale, 3 / scale, 0.8 / scale, 2 / scale, 0, 0); // between two middles
      const pixels = new Uint32Array(width * height);
      fillPixels(pixels, width, height, rectangles, palette, scale);
      for (let y = 0; y < height; ++y)
        for (let x = 0; x < width; ++x) {
          const inside = x >= 2 && x < 18 && y >= 2;
          const dark = isDark(pattern, Math.floor(x / scale), Math.floor(y / scale));
          const expected = !inside ? [10, 20, 30, 255] : dark ? [124, 62, 31, 255] : [200, 100, 50, 255];
          assert.deepEqual(colourAt(pixels, x, y), expected, `${patterns[pattern]}, ${scale} times: ${x}, ${y}`);
        }
    });
});

test("the table has a row for steps that look alike, and none where the warp has ended", () => {
  const weave = weaveOf(bytesOf([[full, full, half, full, {}]], 10));
  assert.deepEqual(
    runsOf(weave, weave.rows[0]!, { first: 10, span: 5 }, 32).map(({ first, last, look, fullness }) => [first, last, look, fullness]),
    [
      [10, 11, "all", 1],
      [12, 12, "some", 0.5],
      [13, 13, "all", 1],
    ],
  );
  assert.deepEqual(
    runsOf(weave, weave.rows[0]!, { first: 11, span: 1 }, 32).map(({ first, last }) => [first, last]),
    [[11, 11]],
  );
});
test("a bucket of several steps is as long as the steps that there are", () => {
  const weave = weaveOf(bytesOf([[{ ...full, steps: 4, lanes: 128 }, { ...full, steps: 3, lanes: 96 }]], 0, 2));
  assert.deepEqual(
    runsOf(weave, weave.rows[0]!, { first: 0, span: 8 }, 32).map(({ first, last, fullness }) => [first, last, fullness]),
    [[0, 6, 1]],
  );
});
