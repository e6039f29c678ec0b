// The pipes view: node pipes.mjs WORK WARPWISE. Its bytes are the sums of `warpwise profile --json`, its jam is the limiter.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Watch, accessible, everywhere, large } from "./pages.mjs";
import { launch, planted, serve, view } from "./session.mjs";
import { threadView } from "./workplace.mjs";

const warpwise = process.argv[3];
const examples = join(planted, "../../../examples");
// A launch that is large enough to fill the way to DRAM.
const folder = mkdtempSync(join(tmpdir(), "warpwise-pipes-"));
const copy = join(folder, "large.cu");
copyFileSync(planted, join(folder, "source.cu"));
writeFileSync(
  copy,
  `__global__ void copy(float* out, const float* in) { int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = in[i]; }
int main() {
  float *in, *out;
  cudaMalloc(&in, 64 << 20), cudaMalloc(&out, 64 << 20), cudaMemset(in, 0, 64 << 20);
  copy<<<(16 << 20) / 256, 256>>>(out, in);
  return cudaDeviceSynchronize();
}
`,
);
const recordings = [
  ["large.wwt", "--no-check", "--kernel=copy", copy],
  ["conflict.wwt", "--no-check", "--kernel=conflict", planted],
  ["uncoalesced.wwt", "--no-check", "--kernel=uncoalesced", planted],
  ["naive.wwt", "--no-check", "--kernel=naive", join(examples, "transpose.cu")],
  ["tiled.wwt", "--no-check", "--kernel=tiled", join(examples, "transpose.cu")],
  ["reduction.wwt", "--no-check", join(examples, "reduction.cu")],
];
// The bytes of each belt, from the counters.
const sums = {
  "dram-read": (m) => m["dram__bytes_read.sum"],
  "dram-write": (m) => m["dram__bytes_write.sum"],
  "l2-read": (m) => 32 * m["lts__t_sectors_srcunit_tex_op_read.sum"],
  "l2-write": (m) => 32 * m["lts__t_sectors_srcunit_tex_op_write.sum"],
  "l1-read": (m) => 32 * m["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"],
  "l1-write": (m) => 32 * m["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"],
  "shared-read": (m) => 128 * m["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"],
  "shared-write": (m) => 128 * m["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"],
};
// What of them threads want: the rest is hatched.
const needs = {
  "l1-read": (m) => m["smsp__sass_data_bytes_mem_global_op_ld.sum"],
  "l1-write": (m) => m["smsp__sass_data_bytes_mem_global_op_st.sum"],
  "shared-read": (m) => 128 * m["warpwise__ideal_wavefronts_mem_shared_op_ld.sum"],
  "shared-write": (m) => 128 * m["warpwise__ideal_wavefronts_mem_shared_op_st.sum"],
};
const jams = { dram: 0, l2: 1, l2_port: 1, atomics: 1, l1: 2, shared: 3 };

const profiles = new Map();
function profileOf(source) {
  if (!profiles.has(source)) {
    const file = join(folder, "profile.json");
    const run = spawnSync(warpwise, ["profile", `--json=${file}`, "--compiler=clang", source], { encoding: "utf8", maxBuffer: 1 << 28 });
    assert.equal(run.status, 0, run.stderr);
    profiles.set(source, JSON.parse(readFileSync(file, "utf8")));
  }
  return profiles.get(source);
}

const server = await serve(warpwise, recordings, { folder });
const browser = await launch();
const watch = new Watch(server);
try {
  const page = await watch.tab(await browser.newContext({ viewport: large }));
  await page.goto(server.link);
  await page.locator("main.files li").first().waitFor();
  let compared = 0;
  for (const [file, ...words] of recordings) {
    await page.goto(`${server.origin}/#file=${file}`);
    await page.reload();
    await page.getByRole("button", { name: "Pipes" }).click();
    await page.locator("main.pipes").waitFor();
    assert.match(page.url(), /view=pipes/);
    const profile = profileOf(words.at(-1));
    const { launch: index } = view(warpwise, join(server.folder, file));
    const { metrics } = profile.launches.find((one) => one.index === index);
    const rows = await page.locator("tr[data-belt]").evaluateAll((all) => all.map((row) => [row.dataset.belt, Number(row.dataset.bytes), row.dataset.wanted]));
    assert.equal(rows.length, Object.keys(sums).length);
    for (const [belt, bytes, wanted] of rows) {
      assert.equal(bytes, sums[belt](metrics), `${file}: ${belt}`);
      assert.equal(wanted, belt in needs ? `${needs[belt](metrics)}` : undefined, `${file}: ${belt}`);
      compared += 1;
    }
    // The joules that are shown are the profile's, and the arrays' bytes those of the recorded block.
    const { limiter, energy } = profile.model.launches.find((one) => one.index === index);
    const joules = await page.locator("tr[data-energy]").evaluateAll((all) => all.map((row) => [row.dataset.energy, Number(row.dataset.joules)]));
    for (const [part, shown] of joules) assert.equal(shown, energy[part], `${file}: ${part}`);
    assert.ok(joules.some(([part]) => part === "joules"));
    assert.equal(await page.locator(".belt.jam").count() > 0, limiter in jams || ["fp32", "integer", "fp64", "fp16", "special", "tensor", "issue", "barriers"].includes(limiter), limiter);
  }
  console.log(`sums compared: ${compared}`);

  await everywhere(page, "pipes");
  // The launch as advice would make it: bytes are the shares that are left, time and joules the model's.
  await page.goto(`${server.origin}/#file=naive.wwt&view=pipes`);
  await page.reload();
  const chooser = page.getByLabel("Beside it");
  await chooser.selectOption("if:uncoalesced-stores");
  await page.locator("main.pipes[data-beside]").waitFor();
  const model = profileOf(join(examples, "transpose.cu")).model.kernels.find((one) => one.kernel.includes("naive"));
  const { then } = model.advice.find((one) => one.rule === "uncoalesced-stores");
  const stores = page.locator("tr[data-belt=l1-write]");
  const before = Number(await stores.getAttribute("data-bytes"));
  const after = Number(await stores.locator("td[data-then]").getAttribute("data-then"));
  assert.equal(after, Math.round((before / 32) * then.shares["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"]) * 32);
  assert.ok(after < before);
  assert.match(await page.locator("main.pipes").innerText(), /× the time and .*× the energy/);
  assert.equal(await page.locator(".pipes-drawing").count(), 2);
  await accessible(page, "what if");
  // Another recording beside it, by its link.
  await chooser.selectOption("conflict.wwt");
  await page.locator("main.pipes[data-beside='conflict.wwt']").waitFor();
  await page.reload();
  await page.locator("main.pipes[data-beside='conflict.wwt']").waitFor();
  const theirs = profileOf(planted).launches.find((one) => one.index === view(warpwise, join(server.folder, "conflict.wwt")).launch).metrics;
  assert.equal(Number(await page.locator("tr[data-belt=shared-write] td[data-then]").getAttribute("data-then")), sums["shared-write"](theirs));
  await chooser.selectOption("");
  await page.locator("main.pipes:not([data-beside])").waitFor();
  assert.doesNotMatch(page.url(), /vs=/);
  // The same program on another device: recorded there, with that device's counts.
  await page.goto(`${server.origin}/#file=source.cu`);
  await page.reload();
  await threadView(page);
  await page.getByRole("button", { name: "Pipes" }).click();
  await chooser.locator("option[value='device:t4:source.cu']").waitFor({ state: "attached" });
  await chooser.selectOption("device:t4:source.cu");
  await page.locator("main.pipes[data-beside]").waitFor({ timeout: 60_000 });
  assert.match(await page.locator("main.pipes").innerText(), /Beside it: on t4/);
  await accessible(page, "another device");
  // The link leads here, and the threads are one press away.
  await page.reload();
  await page.locator("main.pipes").waitFor();
  await page.getByRole("button", { name: "Threads" }).click();
  await threadView(page);
  assert.doesNotMatch(page.url(), /view=/);
  watch.nothing();
  console.log("PASSED");
} finally {
  await browser.close();
  await server.end();
}
