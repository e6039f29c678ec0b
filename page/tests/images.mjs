// Live images in a browser: node images.mjs WORK WARPWISE. A piece is drawn, changed, wrong, racy, endless; a pixel and a
// race lead to their threads. Then the profile of a source, and what the lab's editor says while one types.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Watch, everywhere, large } from "./pages.mjs";
import { launch, serve } from "./session.mjs";
import { map, ready, textOf, write } from "./workplace.mjs";

const warpwise = process.argv[3];
const head = "// size: 128 x 64\n__global__ void image(uchar4* out, int w, int h, float time, float2 mouse, int frame";
const place = "  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;\n";

const folder = mkdtempSync(join(tmpdir(), "warpwise-images-"));
writeFileSync(
  join(folder, "twice.cu"),
  "__global__ void twice(float* x) { x[blockIdx.x * 256 + threadIdx.x] *= 2; }\nint main() {\n  float* x;\n  cudaMalloc(&x, 4096 * 4);\n  twice<<<16, 256>>>(x);\n  return cudaDeviceSynchronize();\n}\n",
);
writeFileSync(join(folder, "broken.cu"), "int main() { return undeclared; }\n"); // of two files, none is opened at once
const server = await serve(warpwise, [], { folder });
const browser = await launch();
// What the browser says of refusals, and of a process that has ended.
const watch = new Watch(server, /status of 4(22|09|10)/);
const page = await watch.tab(await browser.newContext({ viewport: large }));
const longer = { timeout: 60_000 };
const frames = (count) => page.waitForFunction((least) => Number(document.querySelector(".live-picture")?.dataset.frame) >= least, count, longer);
const pixel = (x, y) =>
  page.evaluate(([px, py]) => [...document.querySelector(".live-picture canvas").getContext("2d").getImageData(px, py, 1, 1).data], [x, y]);
const red = (x, y) => page.evaluate(([px, py]) => document.querySelector(".live-picture .marks").getContext("2d").getImageData(px, py, 1, 1).data[3] > 0, [x, y]);
const said = (pattern) =>
  page.waitForFunction((text) => new RegExp(text).test(document.querySelector(".piece-findings .scroll")?.textContent ?? ""), pattern.source, longer);

try {
  // The first piece, as it comes.
  await page.goto(server.link);
  await page.locator("nav.bar a", { hasText: "Live images" }).click(longer);
  await ready(page);
  await frames(4);
  assert.equal(await page.locator(".pieces a").count(), 10);
  const box = await page.locator(".live-picture canvas").first().boundingBox();
  assert.ok(box.width > 250 && Math.abs(box.width - box.height) < 2, "the picture is seen, and square");
  const [r, g, b] = await pixel(400, 100);
  assert.ok(r > 150 && g > 30 && b > 20, `${r} ${g} ${b}`);
  await said(/✓ Frame \d+: the checkers find nothing/);
  await everywhere(page, "a piece");

  // Drawn as one types; the compiler's words stand at their lines, and the last picture stays.
  const typed = performance.now();
  await write(page, `${head}) {\n${place}  out[y * w + x] = make_uchar4(10 * frame + 10, 77, 3, 0);\n}\n`);
  await page.waitForFunction(() => document.querySelector(".live-picture canvas").width === 128, null, longer);
  await frames(2);
  console.log(`a new text is drawn ${Math.round(performance.now() - typed)} ms after it was typed`);
  assert.deepEqual((await pixel(5, 5)).slice(1), [77, 3, 255]);
  await write(page, `${head}) {\n${place}  out[y * w + x] = make_uchar4(1, undeclared, 3, 0);\n}\n`);
  const wrong = performance.now();
  await said(/use of undeclared identifier/);
  console.log(`the compiler's words came ${Math.round(performance.now() - wrong)} ms after typing stopped`);
  assert.match(await page.locator(".editor .marked-line").innerText(), /undeclared/);
  assert.deepEqual((await pixel(5, 5)).slice(1), [77, 3, 255], "the last picture stays");
  await everywhere(page, "does not compile");
  await write(page, `${head}, Particle* p) {}\n`);
  await said(/unknown type name/);
  await write(page, `${head}, int n) { out[n] = make_uchar4(0, 0, 0, 0); }\n`);
  await said(/I0002: the kernel `image`: `int` is no pointer/);

  // A race is red, and leads to both of its sides.
  await write(page, `${head}) {\n${place}  out[y * w + x] = make_uchar4(1, 2, 3, 0);\n  if (y == 5 && x < 2) out[y * w] = make_uchar4(x, 0, 0, 0);\n}\n`);
  await said(/C02\d\d: .*`out`/);
  assert.equal(await red(0, 5), true);
  assert.equal(await red(50, 50), false);
  await everywhere(page, "a race");
  await page.getByRole("button", { name: "See it: step by step" }).first().click();
  await page.locator(".cost .sentence", { hasText: /C02/ }).waitFor(longer);
  await page.getByRole("button", { name: "Back to the picture" }).click();
  await ready(page);
  assert.match(await textOf(page), /y == 5/, "the text was kept");

  // A pixel leads to the thread that wrote it.
  await write(page, `${head}) {\n${place}  out[y * w + w - 1 - x] = make_uchar4(x, y, 3, 0);\n}\n`);
  await page.waitForTimeout(400);
  await frames(4);
  const shown = await page.locator(".live-picture canvas").first().boundingBox();
  // The middle of the pixel: at its edge the neighbour may be meant.
  await page.mouse.move(shown.x + (shown.width * 32.5) / 128, shown.y + (shown.height * 32.5) / 64);
  await page.locator(".numbers", { hasText: "pixel (32, 32)" }).waitFor();
  await page.getByLabel("x", { exact: true }).fill("60");
  await page.getByLabel("y", { exact: true }).fill("11");
  await page.getByRole("button", { name: "See its thread" }).click();
  await page.locator(".cost .sentence").first().waitFor(longer);
  assert.match(page.url(), /file=image%3A\d+&image=gradient&warp=3&step=\d+/);
  assert.match(await page.locator("header").first().innerText(), /block \(2,1,0\)/);
  await page.getByRole("button", { name: "Back to the picture" }).click();
  await ready(page);

  // A kernel without an end is ended; the page lives, and the next text is drawn.
  await write(page, `${head}, int* wait) {\n  while (atomicAdd(wait, 0) == 0) {}\n}\n`);
  await said(/I0004: .*image/);
  await everywhere(page, "stopped");
  await page.getByRole("button", { name: "Start again" }).click();
  await page.waitForFunction(() => document.querySelector(".live-picture canvas").width === 512, null, longer);
  await frames(3);

  // It stands still while it is paused.
  await page.getByRole("button", { name: "Pause" }).click();
  await page.waitForTimeout(300);
  const still = await page.locator(".live-picture").getAttribute("data-frame");
  await page.waitForTimeout(300);
  assert.equal(await page.locator(".live-picture").getAttribute("data-frame"), still);
  await page.getByRole("button", { name: "Step", exact: true }).click();
  await frames(Number(still) + 1);

  // Who wants less motion gets one frame, which is checked, and more of them when they are asked for.
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(`${server.origin}/#image=mandelbrot`);
  await page.reload();
  await said(/✓ Frame \d+: the checkers find nothing/);
  assert.equal(await page.locator(".live-picture").getAttribute("data-frame"), "1");
  await page.getByRole("button", { name: "Play" }).click();
  await frames(3);
  await page.emulateMedia({ reducedMotion: "no-preference" });

  // The profile of a source, in a frame that reaches nothing.
  await page.goto(`${server.origin}/#file=twice.cu&view=profile`);
  await page.reload();
  const report = page.frameLocator("iframe");
  await report.locator("h1, h2").first().waitFor(longer);
  assert.match(await report.locator("body").innerText(), /twice/);
  assert.equal(await page.evaluate(() => document.querySelector("iframe").contentDocument), null, "an origin of its own");
  await everywhere(page, "a profile");
  // The calculator says what the command says; the keyboard moves its sliders.
  await page.getByRole("button", { name: "Occupancy" }).click();
  await page.getByLabel("threads of a block").focus();
  await page.keyboard.press("End");
  await page.getByLabel("registers of a thread").fill("40");
  const computed = spawnSync(warpwise, ["occupancy", "--json", "--block=1024", "--registers=40"], { encoding: "utf8" });
  const { occupancy, warps_per_sm } = JSON.parse(computed.stdout);
  await page.waitForFunction((words) => document.querySelector(".occupancy-result")?.textContent.includes(words), `${Math.round(100 * occupancy)} %: ${warps_per_sm} of`);
  await everywhere(page, "the occupancy calculator");

  // A source that does not compile has no recording, and its page says why.
  await page.goto(`${server.origin}/#file=broken.cu`);
  await page.reload();
  await page.locator(".recorder [role=alert]").waitFor(longer);
  assert.match(await page.locator(".recorder pre").innerText(), /undeclared/);
  await everywhere(page, "no recording");

  // The lab's editor: what the compiler says while one types, and what may come next.
  await page.goto(`${server.origin}/#problem=puzzles/map`);
  await page.reload();
  await ready(page);
  await write(page, map("out[i] = missing;"));
  const lab = performance.now();
  await page.locator(".editor .marked-line", { hasText: "missing" }).waitFor(longer);
  console.log(`in the lab the compiler's words came ${Math.round(performance.now() - lab)} ms after typing stopped`);
  await page.keyboard.type("// \n__sync");
  await page.locator(".cm-tooltip-autocomplete li", { hasText: "__syncthreads" }).first().waitFor();
  await page.keyboard.press("Escape");

  watch.nothing();
  console.log("PASSED");
} finally {
  await browser.close();
  await server.end();
}
