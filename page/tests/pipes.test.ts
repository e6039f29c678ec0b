// The ways of a launch, from a profile: bytes, what of them is wanted, loads, the jam.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bytesText, pipesOf, thickness, type Profile } from "../src/model/pipes.ts";

const profile = (limiter: string): Profile => ({
  launches: [
    {
      index: 3,
      kernel: "k()",
      launch__grid_size: [2, 1, 1],
      launch__block_size: [32, 1, 1],
      metrics: {
        "dram__bytes_read.sum": 1000,
        "lts__t_sectors_srcunit_tex_op_read.sum": 100,
        "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": 200,
        "smsp__sass_data_bytes_mem_global_op_ld.sum": 1600,
        "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum": 8,
        "warpwise__ideal_wavefronts_mem_shared_op_ld.sum": 2,
      },
    },
  ],
  model: {
    launches: [],
    kernels: [
      { kernel: "k()", grid: [4, 1, 1], block: [32, 1, 1], predicted: true } as never,
      {
        kernel: "k()",
        grid: [2, 1, 1],
        block: [32, 1, 1],
        predicted: true,
        seconds: 1e-6,
        seconds_low: 1e-6,
        seconds_high: 1e-6,
        launches: 1,
        limiter,
        next_limiter: "l2",
        utilization: { dram: 0.5, l2: 0.25, l2_port: 0.75, l1: 0.1, fp32: 0.02 },
        peaks: { dram: 3.35e12, l2: 5.5e12, l1: 3e13, shared: 3e13 },
      },
    ],
  },
});

test("bytes are the counters', and waste is what no thread wanted", () => {
  const pipes = pipesOf(profile("dram"), 3)!;
  const belt = (id: string) => pipes.ways.flatMap((way) => way.belts).find((one) => one.id === id)!;
  assert.equal(belt("dram-read").bytes, 1000);
  assert.equal(belt("l2-read").bytes, 3200);
  assert.deepEqual([belt("l1-read").bytes, belt("l1-read").wanted], [6400, 1600]);
  assert.deepEqual([belt("shared-read").bytes, belt("shared-read").wanted], [1024, 256]);
  assert.equal(belt("l2-write").bytes, 0);
  assert.deepEqual(
    pipes.reuse.map((one) => one.times),
    [3.2, 2, 0.25],
  );
});

test("the jam is where the limiter is, and the load of a way that of its busiest part", () => {
  const pipes = pipesOf(profile("l2_port"), 3)!;
  assert.deepEqual(
    pipes.ways.map((way) => [way.place, way.load, way.jam]),
    [
      ["dram", 0.5, false],
      ["l2", 0.75, true],
      ["l1", 0.1, false],
      ["shared", 0, false],
    ],
  );
  assert.match(pipes.limiter, /L2 to L1/);
  assert.match(pipesOf(profile("fp32"), 3)!.limiter, /fp32/);
  assert.ok(pipesOf(profile("fp32"), 3)!.pipes[0]!.jam);
  const none = pipesOf(profile("launch"), 3)!;
  assert.match(none.limiter, /No way is full/);
  assert.ok(none.ways.every((way) => !way.jam));
});

test("a launch that the profile does not have, or could not predict, has no pipes", () => {
  assert.equal(pipesOf(profile("dram"), 4), null);
  const unknown = profile("dram");
  unknown.model.kernels[1]!.predicted = false;
  assert.equal(pipesOf(unknown, 3), null);
});

test("sizes", () => {
  assert.equal(bytesText(0), "0 bytes");
  assert.equal(bytesText(666_016), "666 KB");
  assert.equal(bytesText(3.35e12), "3.35 TB");
  assert.ok(thickness(1e14) > thickness(1e12) && thickness(1e12) > thickness(0));
});
