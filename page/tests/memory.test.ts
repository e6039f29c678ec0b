// Wavefronts and sectors of accesses whose costs are known from NVIDIA's guides.
import assert from "node:assert/strict";
import { test } from "node:test";
import { wavefrontsOf } from "../src/model/banks.ts";
import { sectorsOf } from "../src/model/sectors.ts";

const all = 0xffffffff;
const lanes = (address: (lane: number) => number) => Array.from({ length: 32 }, (_, lane) => address(lane));
const passes = (address: (lane: number) => number, bytes = 4, kind = "load", ptx = "ld.shared.f32", mask = all) =>
  wavefrontsOf(mask, lanes(address), bytes, kind, ptx).rows.length;

test("words side by side take one pass", () => assert.equal(passes((lane) => 4 * lane), 1));
test("a column of a tile of 32 takes 32 passes, of 33 one", () => {
  assert.equal(passes((lane) => 128 * lane), 32);
  assert.equal(passes((lane) => 132 * lane), 1);
});
test("a word that all lanes want is broadcast", () => {
  const { rows } = wavefrontsOf(all, lanes(() => 64), 4, "load", "ld.shared.f32");
  assert.equal(rows.length, 1);
  assert.equal(rows[0]![16]!.lanes.length, 32);
});
test("lanes that add 1 to one word go together", () => {
  const { rows } = wavefrontsOf(all, lanes((lane) => 4 * (lane % 2)), 4, "reduction", "red.shared.add.u32", "words");
  assert.equal(rows.length, 1);
});
test("atomics on one word go one by one", () => assert.equal(passes(() => 0, 4, "atomic", "atom.shared.add.u32"), 32));
test("8 bytes a lane go in halves, 16 in quarters", () => {
  assert.equal(passes((lane) => 8 * lane, 8), 2);
  assert.equal(passes((lane) => 16 * lane, 16), 4);
  assert.equal(passes((lane) => 8 * (lane >> 1), 8), 1);
});
test("every lane is in exactly one cell", () => {
  const { rows } = wavefrontsOf(all, lanes((lane) => 64 * lane), 4, "load", "ld.shared.f32");
  const seen = rows.flat().flatMap((cell) => cell?.lanes ?? []);
  assert.deepEqual(seen.sort((a, b) => a - b), lanes((lane) => lane));
});
test("addresses are those of the lanes of the mask", () => {
  const { rows } = wavefrontsOf(0b1010, [8, 16], 4, "load", "ld.shared.f32");
  assert.deepEqual(rows[0]![2]!.lanes, [1]);
  assert.deepEqual(rows[0]![4]!.lanes, [3]);
});

test("32 floats side by side fill four sectors", () => {
  const sectors = sectorsOf(all, lanes((lane) => 0x1000 + 4 * lane), 4);
  assert.equal(sectors.length, 4);
  assert.ok(sectors.every((sector) => sector.wanted === 32 && sector.gap === 0 && sector.cells.length === 8));
});
test("a stride of 128 bytes wants 4 bytes of each sector", () => {
  const sectors = sectorsOf(all, lanes((lane) => 0x1000 + 128 * lane), 4);
  assert.equal(sectors.length, 32);
  assert.ok(sectors.every((sector) => sector.wanted === 4));
  assert.equal(sectors[1]!.gap, 96);
  assert.equal(sectors[31]!.lanes, 0x80000000);
});
test("bytes of one sector that several lanes want count once", () => {
  const sectors = sectorsOf(all, lanes(() => 0x1008), 8);
  assert.equal(sectors.length, 1);
  assert.equal(sectors[0]!.wanted, 8);
  assert.equal(sectors[0]!.cells[1]!.length, 32);
});
