// What is beside the pipes: the launch as advice would make it, its energy and score, and whose bytes are on a belt.
import assert from "node:assert/strict";
import { test } from "node:test";
import { arrayName, itemsOf, sharesOf, type ArraySums } from "../src/model/arrays.ts";
import { comparedText, energyShares, joulesText, scoresOf } from "../src/model/energy.ts";
import { pipesOf, whatIfsOf, type Belt, type Energy, type Profile } from "../src/model/pipes.ts";

const loads = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
const energy = (dram: number): Energy => ({ joules: dram + 2e-6, dram, l2: 1e-6, l1: 0, shared: 0, arithmetic: 0, idle: 1e-6 });
const profile: Profile = {
  launches: [{ index: 3, kernel: "k()", launch__grid_size: [2, 1, 1], launch__block_size: [32, 1, 1], metrics: { [loads]: 200, "smsp__sass_data_bytes_mem_global_op_ld.sum": 1600, "smsp__sass_data_bytes_mem_global_op_st.sum": 4000 } }],
  model: {
    launches: [{ index: 3, seconds: 4e-6, limiter: "l1", flops: 8000, energy: energy(6e-6) }],
    kernels: [
      {
        kernel: "k()",
        grid: [2, 1, 1],
        block: [32, 1, 1],
        predicted: true,
        seconds: 4e-6,
        seconds_low: 3e-6,
        seconds_high: 5e-6,
        launches: 1,
        limiter: "l1",
        next_limiter: "dram",
        utilization: { l1: 0.9 },
        peaks: { dram: 3.35e12, l2: 5.5e12, l1: 3e13, shared: 3e13 },
        advice: [
          { rule: "uncoalesced-loads", title: "Loads are not coalesced", evidence: "", remedy: "", gain: 2, then: { seconds: 2e-6, limiter: "dram", utilization: { dram: 0.8, l1: 0.2 }, shares: { [loads]: 0.25 }, energy: energy(2e-6) } },
          { rule: "tiny-grid", title: "The grid is too small", evidence: "", remedy: "", gain: 1.1 },
        ],
      },
    ],
  },
};

test("advice that is followed changes bytes, loads, the jam, time and energy", () => {
  assert.deepEqual(whatIfsOf(profile, 3).map((one) => one.rule), ["uncoalesced-loads"], "the other one changes no counts");
  const now = pipesOf(profile, 3)!;
  const then = pipesOf(profile, 3, whatIfsOf(profile, 3)[0]!)!;
  const read = (pipes: typeof now) => pipes.ways.find((way) => way.place === "l1")!.belts[0]!;
  assert.deepEqual([read(now).bytes, read(now).wanted], [6400, 1600]);
  assert.deepEqual([read(then).bytes, read(then).wanted], [1600, 1600]);
  assert.deepEqual(then.ways.map((way) => way.jam), [true, false, false, false]);
  assert.deepEqual([then.seconds, then.energy!.joules], [2e-6, 4e-6]);
  assert.equal(comparedText(now, then), "0.5× the time and 0.5× the energy");
  assert.equal(comparedText({ ...now, energy: null }, then), "0.5× the time");
  assert.equal(pipesOf(profile, 3, profile.model.kernels[0]!.advice![1]!), null);
});

test("score: results per second and per joule", () => {
  const now = pipesOf(profile, 3)!;
  assert.deepEqual(
    scoresOf(now).map((one) => [one.words, one.perSecond, one.perJoule]),
    [
      ["floating-point operations", "2 GFLOP/s", "1 GFLOP/J"],
      ["stored to global memory", "1 GB/s", "500 MB/J"],
    ],
  );
  assert.deepEqual(scoresOf({ ...now, energy: null }).map((one) => one.perJoule), ["", ""]);
  assert.deepEqual(energyShares(now.energy!).map((one) => [one.name, one.share]), [["DRAM", 0.75], ["L2", 0.125], ["in any case", 0.125]]);
  assert.deepEqual([joulesText(0.5), joulesText(2.5e-5), joulesText(1.2e-9), joulesText(0)], ["500 mJ", "25 µJ", "1.2 nJ", "0 nJ"]);
});

const array = (space: "global" | "shared", argument: number, name: string, sectors: number, wavefronts: number, bytes: number): ArraySums => ({ space, argument, name, bytes: 1024, loads: { sectors, wavefronts, bytes }, stores: { sectors: 0, wavefronts: 0, bytes: 0 } });
const belt = (id: string): Belt => ({ id }) as Belt;

test("arrays have their shares of the belts near the registers", () => {
  const arrays = [array("global", 0, "", 300, 0, 2400), array("global", 1, "", 100, 0, 3200), array("shared", -1, "k::tile", 0, 8, 64)];
  const names = (id: string) => sharesOf(belt(id), arrays, { kernel: "k(float*, int const*)" }).map((one) => [one.name, one.share, one.wanted]);
  assert.deepEqual(names("l1-read"), [
    ["1st argument (float*)", 0.75, 0.25],
    ["2nd argument (int const*)", 0.25, 1],
  ]);
  assert.deepEqual(names("shared-read"), [["tile", 1, null]]);
  assert.deepEqual([names("l1-write"), names("dram-read")], [[], []]);
  assert.equal(arrayName({ ...arrays[0]!, argument: -1, bytes: 0 }, "k()"), "memory of no known array");
});

test("items of a belt are its arrays side by side, each with its own waste", () => {
  const arrays = [array("global", 0, "a", 300, 0, 2400), array("global", 1, "b", 100, 0, 3200)];
  const shares = sharesOf(belt("l1-read"), arrays, { kernel: "k()" });
  const drawn = itemsOf(8, 1, shares).map((item) => item.array!.name + (item.waste ? "-" : ""));
  assert.deepEqual(drawn, ["a", "a", "a-", "a-", "a-", "a-", "b", "b"]);
  assert.deepEqual(itemsOf(4, 0.5, []).map((item) => [item.array, item.waste]), [[null, false], [null, false], [null, true], [null, true]]);
  assert.deepEqual(itemsOf(0, 1, shares), []);
});
