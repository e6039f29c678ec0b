// The pictures of docs/page.md: node screenshots.mjs WORK WARPWISE OUT [NAMES], where WORK is the page's folder of a build.
//
// Each is taken at two sizes and in two colour schemes. NAMES are those of `parts`, and of the recordings: race,pipes,lab.
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { smallPng } from "./small_png.mjs";
import { large, phone } from "./tests/pages.mjs";
import { launch, planted, serve, serveClass } from "./tests/session.mjs";
import { kept, map, ready, threadView, verdict, write } from "./tests/workplace.mjs";

const warpwise = resolve(process.argv[3]);
const out = process.argv[4];
const tree = join(planted, "../../..");
const browser = await launch();

// Opens the link in a page of each size and colour scheme, and hands it to `take`, with what keeps a picture of it: of a
// phone all of the page.
async function inAllSizes(link, begin, take) {
  for (const colorScheme of ["light", "dark"])
    for (const viewport of [large, phone]) {
      const context = await browser.newContext({ viewport, colorScheme });
      const page = await context.newPage();
      page.setDefaultTimeout(60_000);
      await page.goto(link);
      await page.locator(begin).first().waitFor();
      const shoot = async (name, { fullPage = viewport === phone, of = page } = {}) => {
        await of.emulateMedia({ colorScheme });
        await of.setViewportSize(viewport);
        await of.mouse.move(0, 0); // nothing is pointed at
        await of.waitForTimeout(400);
        writeFileSync(join(out, `page-${name}-${viewport.width}-${colorScheme}.png`), smallPng(await of.screenshot({ fullPage })));
      };
      await take(page, shoot);
      await context.close();
    }
}
// An address that differs behind the # alone loads nothing.
async function open(page, address) {
  await page.goto(address);
  await page.reload();
}

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
copyFileSync(planted, join(folder, "planted.cu"));

const ofExample = (name, ...words) => ["--no-check", ...words, join(tree, `examples/${name}.cu`)];
const recordings = {
  race: ["--kernel=race", planted],
  conflict: ["--kernel=conflict", planted],
  divergence: ["--kernel=divergence", planted],
  uncoalesced: ["--kernel=uncoalesced", planted],
  transpose: ofExample("transpose", "--kernel=naive"),
  reduction: ofExample("reduction", "--kernel=interleaved"),
  pipes: ["--no-check", join(folder, "large.cu")],
};
const otherAddresses = { order: "planted.cu&vs=order:1:planted.cu", "what-if": "pipes.wwt&view=pipes&vs=if:uncoalesced-stores" };

async function recording(page, shoot, origin, name) {
  await open(page, `${origin}/#file=${otherAddresses[name] ?? `${name}.wwt`}`);
  if (name === "what-if") {
    await page.locator("main.pipes[data-beside]").waitFor();
    return shoot(name, { fullPage: true });
  }
  await threadView(page);
  await page.locator(".source .runs").first().waitFor();
  if (name === "order") {
    await page.locator(".beside[data-differing]").waitFor();
    await page.keyboard.press("o");
  }
  if (name === "pipes") {
    await page.getByRole("button", { name: "Pipes" }).click();
    await page.locator("main.pipes").waitFor();
  }
  await shoot(name);
}

// The profile of a source of the folder.
async function profile(page, shoot, origin) {
  await open(page, `${origin}/#file=large.cu&view=profile`);
  await page.frameLocator("iframe").locator("h2").first().waitFor();
  await page.waitForTimeout(1500); // the frame draws in its own time
  await shoot("profile");
  await page.getByRole("button", { name: "Occupancy" }).click();
  await page.locator(".occupancy-result").waitFor();
  await page.locator(".sliders input").nth(1).fill("96");
  await shoot("occupancy");
}

// Live images: one that is as it comes, one with a race.
const racy = `// A ripple, with a mistake: two threads write the pixels of the ring
__global__ void image(uchar4* out, int w, int h, float time, float2 mouse, int frame) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float far = hypotf(x - mouse.x, y - mouse.y), wave = 0.5f + 0.5f * sinf(far / 12 - 4 * time);
  out[y * w + x] = make_uchar4(40, 90 + 120 * wave, 160 + 90 * wave, 255);
  if (far > 120 && far < 126 && x + 1 < w) out[y * w + x + 1] = make_uchar4(255, 255, 255, 255);
}
`;
async function images(page, shoot, origin) {
  await open(page, `${origin}/#image=mandelbrot`);
  await page.waitForFunction(() => /^[✓✗]/.test(document.querySelector(".piece-findings [role=status]")?.textContent ?? ""));
  await page.getByRole("button", { name: "Pause" }).click();
  await shoot("image");
  await page.goto(`${origin}/#image=gradient`);
  await ready(page);
  await write(page, racy);
  await page.locator(".piece-findings li").first().waitFor();
  await page.getByRole("button", { name: "Pause" }).click();
  await shoot("race-pixels");
}

// The lab: a learner's first minutes. What is refused is the same in all sizes; progress is that of one folder.
const zip = (line) => map(line).replace("map(float* out, const float* a)", "zip(float* out, const float* a, const float* b)");
async function lab(page, shoot, origin) {
  const judged = async (name, source, words) => {
    await open(page, `${origin}/#problem=${name}`);
    await ready(page);
    await write(page, source);
    await page.keyboard.press("Control+Enter");
    await verdict(page, words);
    await kept(page);
    await page.waitForTimeout(400);
  };
  await judged("puzzles/map", map("out[i] = a[i] + 10;"), /Accepted/);
  await shoot("accepted");
  await page.goto(`${origin}/#lab`);
  await page.locator("main.lab-map").waitFor();
  await shoot("map");
  await judged("puzzles/zip", zip("out[i] = a[i + 1] + b[i];"), /out of bounds/);
  await shoot("refused");
  await judged("puzzles/zip", zip("out[i] = a[i] + b[0];"), /Refused/);
  await page.getByRole("button", { name: "See it" }).click();
  await threadView(page);
  await shoot("seeit");
}

// Two attempts at a problem, the earlier one beside the later one.
async function attempt(page, shoot, origin) {
  for (const name of ["1-scattered-writes", "3-padded-tiles"]) {
    await open(page, `${origin}/#problem=challenges/transpose`);
    await ready(page);
    await write(page, readFileSync(join(tree, `problems/challenges/transpose/solutions/${name}.cu`), "utf8"));
    await page.waitForTimeout(100);
    await page.keyboard.press("Control+Enter");
    await page.locator(".verdict.running").waitFor();
    await page.getByRole("button", { name: "Watch it run" }).waitFor(); // the attempt is kept
  }
  await page.getByRole("button", { name: "Watch it run" }).click();
  await threadView(page);
  await page.getByLabel("show an earlier attempt beside it").selectOption({ index: 2 });
  await page.locator(".beside .totals").waitFor();
  await shoot("attempt");
}

// Lessons: a step with its picture, an answer, a race.
const lessonSteps = { "lesson-guard": "indexing&at=3", lesson: "indexing&at=5", "lesson-race": "shared&at=2", "lesson-banks": "shared&at=4", "lesson-tile": "matrix&at=3", "lesson-shuffle": "reduction&at=2" };
async function lessons(page, shoot, origin) {
  for (const [name, address] of Object.entries(lessonSteps)) {
    await page.goto(`${origin}/#lesson=${address}`);
    await page.locator(".lesson-picture[data-place]").waitFor();
    await shoot(name, { fullPage: true });
    if (name !== "lesson-banks") continue;
    await page.getByRole("button", { name: "Ask me" }).click();
    await page.getByRole("button", { name: "1", exact: true }).click();
    await page.locator(".answer").waitFor();
    await shoot("lesson-answer", { fullPage: true });
  }
}

// A class: a student who joins, and the teacher's console when three have been at work.
async function classOfThree() {
  const course = await serveClass(warpwise, mkdtempSync(join(tmpdir(), "warpwise-class-")), 0, false);
  const student = async (nickname, line, words) => {
    const page = await (await browser.newContext({ viewport: large })).newPage();
    await page.goto(course.origin);
    await page.getByLabel("Code of the class").fill(course.code);
    await page.getByLabel("Nickname").fill(nickname);
    await page.keyboard.press("Enter");
    await page.locator("main.lab-map").waitFor();
    await page.goto(`${course.origin}/#problem=puzzles/map`);
    await ready(page);
    await write(page, map(line));
    await page.keyboard.press("Control+Enter");
    await verdict(page, words);
    return page;
  };
  await student("Ada", "out[i] = a[i] + 10;", /Accepted/);
  await student("Grace", "out[i] = a[i + 1] + 10;", /out of bounds/);
  const joined = await student("Edsger", "out[i] = a[i + 1] + 10;", /out of bounds/);
  await inAllSizes(course.link, "main.console:has-text('Edsger')", async (page, shoot) => {
    await shoot("class");
    await page.goto(course.origin);
    await page.getByLabel("Nickname").fill("Barbara");
    await shoot("class-join");
    await shoot("class-student", { of: joined });
  });
  await course.end();
}

// Each has a server of its own.
async function withServer(begin, take, made = {}, options = { named: false }) {
  const server = await serve(warpwise, Object.entries(made).map(([name, words]) => [`${name}.wwt`, ...words]), options);
  await inAllSizes(server.link, begin, (page, shoot) => take(page, shoot, server.origin));
  await server.end();
}
const namesOfRecordings = [...Object.keys(recordings), ...Object.keys(otherAddresses)];
const parts = {
  lab: () => withServer("main.lab-map", lab),
  attempt: () => withServer("main.lab-map", attempt),
  lessons: () => withServer(".chapter-lesson", lessons),
  class: classOfThree,
};
const ofTheFolder = { profile, images };

const names = process.argv[5]?.split(",") ?? [...namesOfRecordings, ...Object.keys(ofTheFolder), ...Object.keys(parts)];
if (names.some((name) => !(name in parts)))
  await withServer(
    "main.files li",
    async (page, shoot, origin) => {
      for (const name of names)
        if (name in ofTheFolder) await ofTheFolder[name](page, shoot, origin);
        else if (!(name in parts)) await recording(page, shoot, origin, name);
    },
    recordings,
    { folder },
  );
for (const name of names) await parts[name]?.();
await browser.close();
