// The pictures of docs/page.md: node screenshots.mjs WORK WARPWISE OUT [NAMES], where WORK is the page's folder of a build.
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { smallPng } from "./small_png.mjs";
import { launch, planted, serve, serveClass } from "./tests/session.mjs";

const [warpwise, out] = process.argv.slice(3);
const examples = join(planted, "../../../examples");
// A transposition that is large enough for its ways to fill.
const folder = mkdtempSync(join(tmpdir(), "warpwise-pictures-"));
writeFileSync(
  join(folder, "large.cu"),
  `__global__ void transpose(float* out, const float* in, int n) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  out[x * n + y] = in[y * n + x];
}
int main() {
  const int n = 2048;
  float *in, *out;
  cudaMalloc(&in, n * n * 4), cudaMalloc(&out, n * n * 4), cudaMemset(in, 0, n * n * 4);
  transpose<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(out, in, n);
  return cudaDeviceSynchronize();
}
`,
);
const server = await serve(warpwise, [
  ["race.wwt", "--kernel=race", planted],
  ["conflict.wwt", "--kernel=conflict", planted],
  ["divergence.wwt", "--kernel=divergence", planted],
  ["uncoalesced.wwt", "--kernel=uncoalesced", planted],
  ["transpose.wwt", "--no-check", "--kernel=naive", join(examples, "transpose.cu")],
  ["reduction.wwt", "--no-check", "--kernel=interleaved", join(examples, "reduction.cu")],
  ["pipes.wwt", "--no-check", join(folder, "large.cu")],
], { folder });
const browser = await launch();
copyFileSync(planted, join(folder, "planted.cu"));
const addresses = { order: "planted.cu&vs=order:1:planted.cu", "what-if": "pipes.wwt&view=pipes&vs=if:uncoalesced-stores" };
const keep = async (page, name, fullPage) => writeFileSync(join(out, name), smallPng(await page.screenshot({ fullPage })));
const names = process.argv[5]?.split(",") ?? ["race", "conflict", "divergence", "uncoalesced", "transpose", "reduction", "pipes", "what-if", "order", "lab", "attempt", "images", "profile", "lessons", "class"];
const ofOtherServers = ["lab", "attempt", "images", "profile", "lessons", "class"];
for (const colorScheme of ["light", "dark"])
  for (const [width, height] of [
    [1366, 768],
    [360, 740],
  ]) {
    const context = await browser.newContext({ viewport: { width, height }, colorScheme });
    const page = await context.newPage();
    await page.goto(server.link);
    await page.locator("main.files li").first().waitFor();
    for (const name of names.filter((one) => !ofOtherServers.includes(one))) {
      await page.goto(`${server.origin}/#file=${addresses[name] ?? `${name}.wwt`}`);
      await page.reload();
      if (name === "what-if") {
        await page.locator("main.pipes[data-beside]").waitFor();
        await page.waitForTimeout(300);
        await keep(page, `page-${name}-${width}-${colorScheme}.png`, true);
        continue;
      }
      await page.locator(".cost .sentence").first().waitFor();
      await page.locator("canvas[data-rectangles]").waitFor();
      await page.locator(".source .runs").first().waitFor();
      await page.waitForTimeout(300);
      if (name === "order") {
        await page.locator(".beside[data-differing]").waitFor({ timeout: 60_000 });
        await page.keyboard.press("o");
        await page.waitForTimeout(300);
      }
      if (name === "pipes") await page.getByRole("button", { name: "Pipes" }).click();
      if (name === "pipes") await page.locator("main.pipes").waitFor();
      await keep(page, `page-${name}-${width}-${colorScheme}.png`, width < 500);
    }
    await context.close();
  }
// The profile of a source of the folder, and live images: one that is as it comes, one with a race.
const racy = `// A ripple, with a mistake: two threads write the pixels of the ring
__global__ void image(uchar4* out, int w, int h, float time, float2 mouse, int frame) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float far = hypotf(x - mouse.x, y - mouse.y), wave = 0.5f + 0.5f * sinf(far / 12 - 4 * time);
  out[y * w + x] = make_uchar4(40, 90 + 120 * wave, 160 + 90 * wave, 255);
  if (far > 120 && far < 126 && x + 1 < w) out[y * w + x + 1] = make_uchar4(255, 255, 255, 255);
}
`;
for (const colorScheme of ["light", "dark"])
  for (const [width, height] of [
    [1366, 768],
    [360, 740],
  ]) {
    const context = await browser.newContext({ viewport: { width, height }, colorScheme });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const shoot = (name) => keep(page, `page-${name}-${width}-${colorScheme}.png`, width < 500);
    await page.goto(server.link);
    await page.locator("main.files li").first().waitFor();
    if (names.includes("profile")) {
      await page.goto(`${server.origin}/#file=large.cu&view=profile`);
      await page.reload();
      await page.frameLocator("iframe").locator("h2").first().waitFor();
      await page.waitForTimeout(1500); // the frame draws in its own time
      await shoot("profile");
      await page.getByRole("button", { name: "Occupancy" }).click();
      await page.locator(".occupancy-result").waitFor();
      await page.locator(".sliders input").nth(1).fill("96");
      await page.waitForTimeout(300);
      await shoot("occupancy");
    }
    if (names.includes("images")) {
      const checked = () => page.waitForFunction(() => /^[✓✗]/.test(document.querySelector(".piece-findings [role=status]")?.textContent ?? ""));
      await page.goto(`${server.origin}/#image=mandelbrot`);
      await page.reload();
      await checked();
      await page.getByRole("button", { name: "Pause" }).click();
      await shoot("image");
      await page.goto(`${server.origin}/#image=gradient`);
      await page.locator(".editor[data-state=ready]").waitFor();
      await page.locator(".editor .cm-content").focus();
      await page.keyboard.press("Control+A");
      await page.keyboard.insertText(racy);
      await page.locator(".piece-findings li").first().waitFor();
      await page.getByRole("button", { name: "Pause" }).click();
      await page.waitForTimeout(300);
      await shoot("race-pixels");
    }
    await context.close();
  }
await server.end();

// The lab: a learner's first minutes. What is refused is the same in all sizes; progress is that of one folder.
const kernel = (line) => `extern "C" __global__ void map(float* out, const float* a) {\n  int i = threadIdx.x;\n  ${line}\n}\n`;
const zip = (line) => `extern "C" __global__ void zip(float* out, const float* a, const float* b) {\n  int i = threadIdx.x;\n  ${line}\n}\n`;
async function lab(page, shoot, origin) {
  const judged = async (name, source, words) => {
    await page.goto(`${origin}/#problem=${name}`);
    await page.reload();
    await page.locator(".editor[data-state=ready]").waitFor();
    await page.locator(".editor .cm-content").focus();
    await page.keyboard.press("Control+A");
    await page.keyboard.insertText(source);
    await page.keyboard.press("Control+Enter");
    await page.waitForFunction((text) => document.querySelector(".headline")?.textContent.includes(text), words, { timeout: 60_000 });
    await page.waitForFunction(() => document.querySelector(".draft")?.textContent === "kept");
    await page.waitForTimeout(400);
  };
  await judged("puzzles/map", kernel("out[i] = a[i] + 10;"), "Accepted");
  await shoot("accepted");
  await page.goto(`${origin}/#lab`);
  await page.locator("main.lab-map").waitFor();
  await shoot("map");
  await judged("puzzles/zip", zip("out[i] = a[i + 1] + b[i];"), "out of bounds");
  await shoot("refused");
  await judged("puzzles/zip", zip("out[i] = a[i] + b[0];"), "Refused");
  await page.getByRole("button", { name: "See it" }).click();
  await page.locator(".cost .sentence").first().waitFor({ timeout: 60_000 });
  await page.locator("canvas[data-rectangles]").waitFor();
  await page.waitForTimeout(300);
  await shoot("seeit");
}
if (names.includes("lab")) {
  const learner = await serve(warpwise, [], { named: false });
  for (const colorScheme of ["light", "dark"])
    for (const [width, height] of [
      [1366, 768],
      [360, 740],
    ]) {
      const context = await browser.newContext({ viewport: { width, height }, colorScheme });
      const page = await context.newPage();
      await page.goto(learner.link);
      await page.locator("main.lab-map").waitFor();
      const shoot = (name) => keep(page, `page-${name}-${width}-${colorScheme}.png`, width < 500);
      await lab(page, shoot, learner.origin);
      await context.close();
    }
  await learner.end();
}
// Two attempts at a problem, the earlier one beside the later one.
if (names.includes("attempt")) {
  const learner = await serve(warpwise, [], { named: false });
  const solutions = join(planted, "../../../problems/challenges/transpose/solutions");
  for (const colorScheme of ["light", "dark"])
    for (const [width, height] of [
      [1366, 768],
      [360, 740],
    ]) {
      const context = await browser.newContext({ viewport: { width, height }, colorScheme });
      const page = await context.newPage();
      await page.goto(learner.link);
      await page.locator("main.lab-map").waitFor();
      for (const name of ["1-scattered-writes", "3-padded-tiles"]) {
        await page.goto(`${learner.origin}/#problem=challenges/transpose`);
        await page.reload();
        await page.locator(".editor[data-state=ready]").waitFor();
        await page.locator(".editor .cm-content").focus();
        await page.keyboard.press("Control+A");
        await page.keyboard.insertText(readFileSync(join(solutions, `${name}.cu`), "utf8"));
        await page.waitForTimeout(100);
        await page.keyboard.press("Control+Enter");
        await page.locator(".verdict.running").waitFor();
        await page.locator(".verdict.good").waitFor({ timeout: 60_000 });
      }
      await page.getByRole("button", { name: "Watch it run" }).click();
      await page.locator(".cost .sentence").first().waitFor({ timeout: 60_000 });
      await page.getByLabel("show an earlier attempt beside it").selectOption({ index: 2 });
      await page.locator(".beside .totals").waitFor({ timeout: 60_000 });
      await page.waitForTimeout(400);
      await keep(page, `page-attempt-${width}-${colorScheme}.png`, width < 500);
      await context.close();
    }
  await learner.end();
}
// A class: a student who joins, and the teacher's console when three have been at work.
if (names.includes("class")) {
  const data = mkdtempSync(join(tmpdir(), "warpwise-class-"));
  const course = await serveClass(warpwise, data, 0, false);
  const student = async (nickname, source, words) => {
    const page = await (await browser.newContext({ viewport: { width: 1366, height: 768 } })).newPage();
    await page.goto(course.origin);
    await page.getByLabel("Code of the class").fill(course.code);
    await page.getByLabel("Nickname").fill(nickname);
    await page.keyboard.press("Enter");
    await page.locator("main.lab-map").waitFor();
    if (!source) return page;
    await page.goto(`${course.origin}/#problem=puzzles/map`);
    await page.locator(".editor[data-state=ready]").waitFor();
    await page.locator(".editor .cm-content").focus();
    await page.keyboard.press("Control+A");
    await page.keyboard.insertText(source);
    await page.keyboard.press("Control+Enter");
    await page.waitForFunction((text) => document.querySelector(".headline")?.textContent.includes(text), words, { timeout: 60_000 });
    return page;
  };
  await student("Ada", kernel("out[i] = a[i] + 10;"), "Accepted");
  await student("Grace", kernel("out[i] = a[i + 1] + 10;"), "out of bounds");
  const joined = await student("Edsger", kernel("out[i] = a[i + 1] + 10;"), "out of bounds");
  for (const colorScheme of ["light", "dark"])
    for (const [width, height] of [
      [1366, 768],
      [360, 740],
    ]) {
      const page = await (await browser.newContext({ viewport: { width, height }, colorScheme })).newPage();
      await page.goto(course.link);
      await page.locator("main.console", { hasText: "Edsger" }).waitFor();
      await page.waitForTimeout(300);
      await keep(page, `page-class-${width}-${colorScheme}.png`, width < 500);
      await page.goto(course.origin);
      await page.getByLabel("Nickname").fill("Barbara");
      await keep(page, `page-class-join-${width}-${colorScheme}.png`, width < 500);
      await joined.emulateMedia({ colorScheme });
      await joined.setViewportSize({ width, height });
      await joined.waitForTimeout(200);
      await keep(joined, `page-class-student-${width}-${colorScheme}.png`, width < 500);
    }
  await course.end();
}
// Lessons: a step with its picture, an answer, a race.
if (names.includes("lessons")) {
  const reader = await serve(warpwise, [], { named: false });
  for (const colorScheme of ["light", "dark"])
    for (const [width, height] of [
      [1366, 768],
      [360, 740],
    ]) {
      const context = await browser.newContext({ viewport: { width, height }, colorScheme });
      const page = await context.newPage();
      const shoot = (name) => keep(page, `page-${name}-${width}-${colorScheme}.png`, true);
      await page.goto(reader.link);
      await page.locator(".chapter-lesson").first().waitFor();
      for (const [name, address] of Object.entries({ "lesson-guard": "indexing&at=3", lesson: "indexing&at=5", "lesson-race": "shared&at=2", "lesson-banks": "shared&at=4", "lesson-tile": "matrix&at=3", "lesson-shuffle": "reduction&at=2" })) {
        await page.goto(`${reader.origin}/#lesson=${address}`);
        await page.locator(".lesson-picture[data-place]").waitFor();
        await page.waitForTimeout(400);
        await shoot(name);
        if (name !== "lesson-banks") continue;
        await page.getByRole("button", { name: "Ask me" }).click();
        await page.getByRole("button", { name: "1", exact: true }).click();
        await page.locator(".answer").waitFor();
        await page.waitForTimeout(400);
        await shoot("lesson-answer");
      }
      await context.close();
    }
  await reader.end();
}
await browser.close();
