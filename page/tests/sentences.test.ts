// The sentences of a step say what the numbers of the recording say.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { StepDetail, Summary } from "../src/api.ts";
import { ranges, threadOf } from "../src/model/lanes.ts";
import { argumentType, memoryName, sentencesOf } from "../src/model/sentences.ts";
import { linesOf, wasteOf } from "../src/model/source_lines.ts";

const all = 0xffffffff;
const summary = {
  warps: [{ threads: 32, steps: 9, first: 0, count: 9, clocks: 0 }],
  findings: {
    checked: true,
    list: [{ code: "C0201", severity: "error", message: "a race", threads: 2, parties: [{ role: "write" }, { role: "read" }], help: "order them" }],
    marks: [
      { finding: 0, party: 0, warp: 0, lane: 3, step: 5 },
      { finding: 0, party: 1, warp: 0, lane: 4, step: 6 },
    ],
  },
} as unknown as Summary;

function step(site: Partial<StepDetail["site"]>, more: Partial<StepDetail> = {}, lanes: { active?: number; on?: number; waits?: number } = {}): StepDetail {
  return {
    warp: 0,
    step: { step: 5, phase: 0, clock: 0, modelled_clock: 0, site: 0, active: all, on: all, ...lanes },
    site: { ptx: "", kind: "arithmetic", line: 0, ...site },
    frames: [],
    accesses: [],
    marks: [],
    ...more,
  };
}
const texts = (detail: StepDetail) => sentencesOf(detail, summary).map((sentence) => `${sentence.tone}: ${sentence.text} ${sentence.advice ?? ""}`);

test("an uncoalesced store has its factor and its stride", () => {
  const cost = { sectors: 32, ideal_sectors: 4, bytes: 128 };
  const access = { space: "global" as const, mask: all, addresses: [], cost, stride: 128 };
  const [said] = texts(step({ kind: "store", bytes: 4 }, { accesses: [access] }));
  assert.match(said!, /^bad: 32 sectors of 32 bytes: 1024 bytes moved, 128 wanted\. 4 would do: 8\.0×\./);
  assert.match(said!, /128 bytes apart.*threadIdx\.x/);
});
test("a sum of floats in shared memory is a loop", () => {
  const sum = { kind: "atomic", bytes: 4, shared_atomic: "spins" as const };
  const shared = (wavefronts: number) => ({ space: "shared" as const, mask: all, addresses: [], cost: { wavefronts, ideal_wavefronts: 43 } });
  assert.match(texts(step(sum, { accesses: [shared(86)] }))[0]!, /^bad: .*86 turns of the banks\. 43 would do .*: 2\.0×/);
  assert.match(texts(step(sum, { accesses: [shared(43)] }))[0]!, /^plain: .*No lane waits/);
});
test("lanes of an atomic that share an address wait for each other", () => {
  const access = { space: "global" as const, mask: 7, addresses: [64, 64, 68], cost: { sectors: 2, ideal_sectors: 1, bytes: 8 } };
  assert.match(texts(step({ kind: "atomic", bytes: 4 }, { accesses: [access] }))[0]!, /^bad: .*2 turns at L2\. 1 lane shares/);
});
test("a bank conflict names the bank and its lanes", () => {
  const cost = { wavefronts: 2, ideal_wavefronts: 1, bytes: 128 };
  const banks = [{ at: 5, lanes: 0x10001, words: 2 }];
  const [said] = texts(step({ kind: "load", bytes: 4 }, { accesses: [{ space: "shared", mask: all, addresses: [], cost, banks }] }));
  assert.match(said!, /2 passes over the 32 banks, and 1 would do: 2\.0×\. Lanes 0, 16 want 2 different words of bank 5\./);
});
test("accesses without waste are good", () => {
  const shared = { space: "shared" as const, mask: all, addresses: [], cost: { wavefronts: 1, ideal_wavefronts: 1 } };
  assert.match(texts(step({ kind: "load" }, { accesses: [shared] }))[0]!, /^good: 1 pass over the 32 banks: no bank conflict/);
});
test("a divergent branch names the lanes of both ways", () => {
  assert.match(texts(step({ kind: "branch" }, {}, { on: 0xffff }))[0]!, /0–15 jump, 16–31 do not/);
  assert.match(texts(step({ kind: "branch" }, {}, { on: 0 }))[0]!, /^good/);
});
test("a finding says which party the step is", () => {
  const marks = [summary.findings.marks[0]!];
  assert.match(texts(step({ kind: "store" }, { marks }))[0]!, /C0201: a race \(this step is the write\)\. The other party.*order them/);
});
test("names of memory", () => {
  const access = { space: "global" as const, mask: 1, addresses: [0], cost: {}, memory: { base: 0, bytes: 4, name: "", argument: 1 } };
  assert.equal(memoryName(access, "k(float const*, thrust::pair<int, int>*)"), "the 2nd argument (thrust::pair<int, int>*)");
  assert.equal(argumentType("k", 0), "");
});
test("lanes and threads", () => {
  assert.equal(ranges([0, 1, 2, 5, 7, 8]), "0–2, 5, 7–8");
  assert.deepEqual(threadOf(1, 3, [16, 16, 1]), [3, 2, 0]);
});
test("a line's sums are those of all its entries in the table of lines", () => {
  const frame = { file: "a.cu", line: 2, column: 1, function: "k" };
  const sums = [1, 2].map((line) => ({ line, frames: [frame], steps: 3, lanes: 96, on_lanes: 90, diverging: 1, cost: { sectors: 8, ideal_sectors: 4 } }));
  const lines = linesOf({ name: "a.cu", text: "one\ntwo\n" }, sums, [[], [frame], [{ ...frame, column: 9 }]]);
  assert.equal(lines.length, 2);
  assert.deepEqual([lines[1]!.steps, lines[1]!.lanes, lines[1]!.diverging, lines[1]!.indices], [6, 192, 2, [1, 2]]);
  assert.equal(wasteOf(lines[1]!.cost), 2);
});
