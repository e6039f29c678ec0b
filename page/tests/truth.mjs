// Whether what is drawn is what is priced: node truth.mjs WORK WARPWISE. Of every recorded step of 40 kernels of examples/ and
// kernels/, the sectors and the rows of banks that the page would draw are as many as the recording's prices say, and as many
// bytes are wanted.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { require, work } from "./packages.mjs";
import { view } from "./session.mjs";

const warpwise = process.argv[3];
const here = dirname(fileURLToPath(import.meta.url));
const tree = resolve(here, "../..");
const model = {};
for (const name of ["banks", "sectors"]) {
  const outfile = join(work, "built-tests", `${name}.mjs`);
  require("esbuild").buildSync({ entryPoints: [join(here, `../src/model/${name}.ts`)], outfile, bundle: true, format: "esm" });
  Object.assign(model, await import(pathToFileURL(outfile)));
}

// Sources with what they are called with, and their kernels; "": the one that takes longest.
const programs = [
  ["examples/vecadd.cu", [], "add"],
  ["examples/vecadd3d.cu", [], "add"],
  ["examples/counter.cu", [], "count_racy", "count_atomic"],
  ["examples/mandelbrot.cu", [], "mandelbrot"],
  ["examples/conv1d.cu", [], "conv_naive", "conv_tiled"],
  ["examples/conv2d.cu", [], "conv_naive", "conv_tiled"],
  ["examples/transpose.cu", [], "transpose_naive", "transpose_tiled"],
  ["examples/reduction.cu", [], "interleaved", "compact", "sequential", "grid_stride", "shuffle"],
  ["examples/histogram.cu", [], "histogram_global", "histogram_shared"],
  ["examples/matmul.cu", [], "matmul_naive", "matmul_tiled"],
  ["examples/scan.cu", [], "scan_blocks", "add_totals"],
  ["examples/softmax.cu", [], "softmax"],
  ["kernels/published/matvec.cu", ["64", "512"], "naive", "warp", "block", "vectorised"],
  ["kernels/published/softmax.cu", ["64", "512"], "naive", "online", "shared", "shuffle"],
  ...["01_naive", "02_coalesced", "03_shared_tiles", "04_thread_column", "05_thread_square", "06_vectorised", "08_padded_rows", "09_double_buffer", "11_warp_tiles"].map((step) => [`kernels/published/sgemm/${step}.cu`, ["128"], ""]),
];
const folder = mkdtempSync(join(tmpdir(), "warpwise-truth-"));
const compared = { kernels: 0, steps: 0, shared: 0, global: 0 };

function compare(file, summary) {
  summary.warps.forEach((warp, w) => {
    const { steps } = view(warpwise, file, `--warp=${w}`, `--steps=${warp.first}..${warp.first + warp.count}`);
    for (const step of steps) {
      ++compared.steps;
      if (step.accesses?.length !== 1) continue;
      const [{ space, mask, addresses }] = step.accesses;
      const site = summary.sites[step.site];
      const place = `${file}: warp ${w}, step ${step.step}, ${site.ptx}`;
      if (space === "shared") {
        ++compared.shared;
        const { rows } = model.wavefrontsOf(mask, addresses, site.bytes, site.kind, site.ptx, site.shared_atomic);
        // A compare and swap takes two turns for each that is drawn; loops are priced by their rounds.
        const turns = site.shared_atomic === "swaps" ? 2 * rows.length : rows.length;
        if (!site.shared_atomic?.startsWith("spins")) assert.equal(turns, step.cost.wavefronts, place);
      } else if (space === "global") {
        ++compared.global;
        const sectors = model.sectorsOf(mask, addresses, site.bytes);
        // Atomics are priced by their turns at L2, and drawn by what they touch.
        const atomic = site.kind === "atomic" || site.kind === "reduction";
        if (!atomic) assert.equal(sectors.length, step.cost.sectors, place);
        assert.equal(sectors.reduce((all, sector) => all + sector.wanted, 0), step.cost.bytes, `${place}: bytes wanted`);
      }
    }
  });
}

try {
  for (const [source, called, ...kernels] of programs)
    for (const kernel of kernels) {
      const file = join(folder, "recording.wwt");
      const words = ["trace", "-q", "--no-check", "--compiler=clang", "--steps=2000", "-o", file, ...(kernel ? [`--kernel=${kernel}`] : [])];
      const run = spawnSync(warpwise, [...words, join(tree, source), ...called], { encoding: "utf8" });
      assert.equal(run.status, 0, `${source} ${kernel}: ${run.stderr}`);
      compare(file, view(warpwise, file));
      ++compared.kernels;
    }
  console.log(compared);
  assert.equal(compared.kernels, 40);
  assert.ok(compared.shared > 1000 && compared.global > 1000);
} finally {
  rmSync(folder, { recursive: true });
}
