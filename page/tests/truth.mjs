// Whether what is drawn is what is priced: node truth.mjs WORK WARPWISE. Of every recorded step of kernels of examples/ and
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

const programs = [
  ["examples/transpose.cu", "transpose_naive", "transpose_tiled"],
  ["examples/reduction.cu", "interleaved", "shuffle"],
  ["examples/histogram.cu", "histogram_global", "histogram_shared"],
  ["examples/matmul.cu", "matmul_naive", "matmul_tiled"],
  ["examples/conv2d.cu", "conv_tiled"],
  ["examples/scan.cu", "scan_blocks"],
  ["kernels/published/sgemm/05_thread_square.cu", ""],
  ["kernels/published/sgemm/06_vectorised.cu", ""],
  ["kernels/published/sgemm/08_padded_rows.cu", ""],
  ["kernels/published/sgemm/11_warp_tiles.cu", ""],
];
const folder = mkdtempSync(join(tmpdir(), "warpwise-truth-"));
const compared = { steps: 0, shared: 0, global: 0 };

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
        const { rows } = model.wavefrontsOf(mask, addresses, site.bytes, site.kind, site.ptx);
        assert.equal(rows.length, step.cost.wavefronts, place);
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
  for (const [source, ...kernels] of programs)
    for (const kernel of kernels) {
      const file = join(folder, "recording.wwt");
      const words = ["trace", "-q", "--no-check", "--compiler=clang", "--steps=6000", "-o", file, ...(kernel ? [`--kernel=${kernel}`] : [])];
      const run = spawnSync(warpwise, [...words, join(tree, source), ...(source.startsWith("kernels") ? ["128"] : [])], { encoding: "utf8" });
      assert.equal(run.status, 0, `${source} ${kernel}: ${run.stderr}`);
      compare(file, view(warpwise, file));
    }
  console.log(compared);
  assert.ok(compared.shared > 1000 && compared.global > 1000);
} finally {
  rmSync(folder, { recursive: true });
}
