// The lab in a browser: node lab.mjs WORK WARPWISE. From an empty folder and with the keyboard alone: a problem is opened,
// refused, looked at in the thread view, solved. Nothing is lost by reloading, by a second tab, or with the server.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { axe, launch, serve } from "./session.mjs";

const warpwise = process.argv[3];
const large = { width: 1366, height: 768 };
const phone = { width: 360, height: 740 };
const kernel = (line) => `extern "C" __global__ void map(float* out, const float* a) {\n  int i = threadIdx.x;\n  ${line}\n}\n`;

let server = await serve(warpwise, [], { named: false, keep: true });
const { folder } = server;
const browser = await launch();
const complaints = [];
async function tab(context) {
  const page = await context.newPage();
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => request.url().startsWith(server.origin) || complaints.push(request.url()));
  return page;
}
async function accessible(page, what) {
  await page.evaluate(axe());
  const { violations } = await page.evaluate("axe.run(document, { resultTypes: ['violations'] })");
  const found = violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`);
  assert.deepEqual(found, [], what);
  const [wide, room] = await page.evaluate("[document.documentElement.scrollWidth, innerWidth]");
  assert.ok(wide <= room, `${what}: ${wide} pixels wide in ${room}`);
}
async function everywhere(page, what) {
  for (const colorScheme of ["light", "dark"])
    for (const viewport of [large, phone]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(viewport);
      await page.waitForTimeout(100);
      await accessible(page, `${what}, ${colorScheme}, ${viewport.width}`);
    }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize(large);
}
const ready = (page) => page.locator(".editor[data-state=ready]").waitFor();
const verdict = (page, pattern) =>
  page.waitForFunction((text) => new RegExp(text).test(document.querySelector(".headline")?.textContent ?? ""), pattern.source, { timeout: 60_000 });
const text = (page) => page.locator(".editor .cm-content").evaluate((content) => [...content.querySelectorAll(".cm-line")].map((line) => line.textContent).join("\n"));
// What has the focus, in the editor's shadow root, too.
const focused = (page) => page.evaluate(() => (document.activeElement?.shadowRoot?.activeElement ?? document.activeElement)?.className ?? "");
async function tabTo(page, found) {
  for (let n = 0; n < 100; ++n) {
    if ((await focused(page)).includes("cm-content")) await page.keyboard.press("Escape"); // Tab alone indents
    await page.keyboard.press("Tab");
    if (await found()) return;
  }
  throw new Error("the Tab key does not lead there");
}
const focusHas = (page, name) => async () =>
  (await page.evaluate(() => (document.activeElement?.matches("a, button") ? document.activeElement.textContent : ""))).includes(name);
async function write(page, source) {
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(source);
}
const kept = (page) => page.waitForFunction(() => document.querySelector(".draft")?.textContent === "kept");

try {
  const context = await browser.newContext({ viewport: large });
  const page = await tab(context);
  let bytes = 0;
  const count = async (response) => (bytes += Number((await response.allHeaders())["content-length"] ?? 0));
  page.on("response", count);
  const opened = performance.now();
  await page.goto(server.link);
  await page.locator("main.lab-map a.go").waitFor();
  const usable = performance.now() - opened;
  await page.waitForTimeout(100);
  console.log(`the map: ${bytes} bytes; the link ${Math.round(server.linked - server.begin)} ms after the start, the map ${Math.round(usable)} ms after the link was opened`);
  assert.ok(bytes < 350 * 1024, `the first load has ${bytes} bytes`);
  const mapBytes = bytes;
  assert.match(await page.locator("main.lab-map").innerText(), /Start with Map/);
  await everywhere(page, "the map");

  // With the keyboard alone from here.
  await tabTo(page, focusHas(page, "Start with Map"));
  await page.keyboard.press("Enter");
  await ready(page);
  await page.waitForTimeout(100);
  console.log(`with the editor: ${bytes} bytes more`.replace(`${bytes}`, `${bytes - mapBytes}`));
  page.off("response", count);
  assert.match(page.url(), /#problem=puzzles\/map$/);
  assert.match(await text(page), /Your code: one line/);
  await tabTo(page, focusHas(page, "Show a hint"));
  await page.keyboard.press("Enter");
  await page.locator(".hint").waitFor();
  assert.equal(await page.locator(".hint").count(), 1);
  await everywhere(page, "the problem");

  // A wrong answer shows its case, its words and its line.
  await tabTo(page, async () => (await focused(page)).includes("cm-content"));
  await write(page, kernel("out[i] = a[i + 1] + 10;"));
  await page.keyboard.press("Control+Enter");
  await verdict(page, /Refused: out of bounds/);
  const words = await page.locator(".facts").innerText();
  assert.match(words, /four elements, four threads/);
  assert.match(words, /just past the end of a /);
  assert.match(words, /line 3 of map\.cu/);
  assert.equal(await page.locator(".editor .marked-line").count(), 1);
  assert.match(await page.locator(".editor .marked-line").innerText(), /a\[i \+ 1\]/);
  assert.ok((await focused(page)).includes("cm-content"), "the editor keeps the focus");
  await page.locator(".attempts td.bad", { hasText: "out of bounds" }).waitFor();
  await everywhere(page, "refused");

  // From there into the thread view, at the step that is to blame, and back.
  await tabTo(page, focusHas(page, "See it"));
  await page.keyboard.press("Enter");
  await page.locator(".cost .sentence", { hasText: "C0101" }).waitFor({ timeout: 60_000 });
  assert.equal(await page.locator(".lane.marked").count(), 1);
  assert.match(await page.locator("header h1").innerText(), /puzzles\/map/);
  await everywhere(page, "the thread view of a submission");
  await tabTo(page, focusHas(page, "Back to the problem"));
  await page.keyboard.press("Enter");
  await ready(page);
  await verdict(page, /Refused: out of bounds/);
  assert.match(await text(page), /a\[i \+ 1\]/);

  // A wrong value and a compiler's message.
  await tabTo(page, async () => (await focused(page)).includes("cm-content"));
  await write(page, kernel("out[i] = a[i] + 11;"));
  await page.keyboard.press("Control+Enter");
  await verdict(page, /Refused: wrong value/);
  assert.match(await page.locator(".facts").innerText(), /out\[0\] is .*, expected /);
  await write(page, kernel("out[i] = undeclared;"));
  await page.locator(".stale").waitFor();
  await page.locator(".editor .marked-line", { hasText: "undeclared" }).waitFor(); // the compiler's, as one types
  assert.equal(await page.locator(".editor .marked-line").count(), 1, "marks go with the text that they are about");
  await page.keyboard.press("Control+Shift+Enter");
  await verdict(page, /Refused: does not compile/);
  assert.match(await page.locator(".verdict .said").innerText(), /undeclared/);
  assert.match(await page.locator(".editor .marked-line").innerText(), /undeclared/);
  await everywhere(page, "does not compile");

  // Reloading in the middle of typing and of a judgement loses neither.
  await write(page, kernel("while (true) out[i] = a[i];"));
  await page.keyboard.press("Control+Enter");
  await page.waitForFunction(() => /judging/i.test(document.querySelector(".headline")?.textContent ?? ""));
  await page.keyboard.press("Control+End");
  await page.keyboard.type("// half a word");
  await page.reload();
  await ready(page);
  assert.match(await text(page), /half a word/);
  await verdict(page, /Refused: too slow/);
  await page.locator(".attempts td.bad", { hasText: "too slow" }).waitFor();

  // Another tab: neither text is lost, and the page asks.
  const other = await tab(context);
  await other.goto(`${server.origin}/#problem=puzzles/map`);
  await ready(other);
  await other.locator(".editor .cm-content").focus();
  await write(other, kernel("/* of the other tab */"));
  await kept(other);
  await page.locator(".editor .cm-content").focus();
  await write(page, kernel("/* of this tab */"));
  await page.locator(".conflict").waitFor();
  complaints.splice(0, complaints.length, ...complaints.filter((one) => !one.includes("409")));
  await accessible(page, "a conflict");
  await page.getByRole("button", { name: "Take that text" }).focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => !document.querySelector(".conflict"));
  assert.match(await text(page), /of the other tab/);
  await other.close();

  // The server ends and starts again: text, verdicts and hints are there.
  await page.locator(".editor .cm-content").focus();
  await write(page, kernel("/* before the server ended */"));
  await kept(page);
  await server.end();
  server = await serve(warpwise, [], { folder, named: false, keep: true });
  await page.goto(`${server.link}&problem=puzzles/map`);
  await ready(page);
  // The browser says so of each request that finds no server; the page asks what the compiler thinks of a text.
  complaints.splice(0, complaints.length, ...complaints.filter((one) => !one.includes("ERR_CONNECTION_REFUSED")));
  assert.match(await text(page), /before the server ended/);
  assert.equal(await page.locator(".hint").count(), 1);

  // Solved.
  await page.locator(".editor .cm-content").focus();
  await write(page, kernel("out[i] = a[i] + 10;"));
  const submitted = performance.now();
  await page.keyboard.press("Control+Enter");
  await verdict(page, /Accepted/);
  const seconds = Number((await page.locator(".verdict h2 .quiet").first().innerText()).replace(" ms", ""));
  console.log(`the verdict was shown ${Math.round(performance.now() - submitted - seconds)} ms beyond the judge's ${seconds} ms`);
  assert.match(await page.locator(".verdict .lesson").innerText(), /You wrote no loop/);
  await everywhere(page, "accepted");
  await tabTo(page, focusHas(page, "Next problem"));
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => location.hash === "#problem=puzzles/zip");
  await ready(page);
  await tabTo(page, focusHas(page, "Lab"));
  await page.keyboard.press("Enter");
  await page.locator("main.lab-map .next", { hasText: "Zip" }).waitFor();
  assert.match(await page.locator("main.lab-map").innerText(), /1 of \d+ problems solved/);

  // Vim's keys: a line is copied and taken back, `:w` keeps the draft, Escape and Tab still lead out; the switch is remembered.
  await page.goto(`${server.origin}/#problem=puzzles/zip`);
  await page.reload();
  await ready(page);
  const plain = await text(page);
  await page.getByLabel("Vim keys").check();
  await page.locator(".editor .cm-vim-panel").waitFor();
  await page.locator(".editor .cm-content").focus();
  await page.keyboard.type("ggyyp");
  assert.equal(await text(page), plain.replace(/^(.*\n)/, "$1$1"));
  await page.keyboard.type(":w\n");
  await kept(page);
  await page.keyboard.press("u");
  assert.equal(await text(page), plain);
  await page.keyboard.press("Control+Enter");
  await verdict(page, /Refused/);
  await page.locator(".editor .cm-content").focus();
  await page.keyboard.type("ix");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  assert.ok(!(await focused(page)).includes("cm-content"), "Escape and Tab leave the editor");
  await everywhere(page, "Vim's keys");
  await page.reload();
  await ready(page);
  await page.locator(".editor .cm-vim-panel").waitFor();
  await page.getByLabel("Vim keys").uncheck();
  await page.locator(".editor .cm-vim-panel").waitFor({ state: "detached" });

  // The command line has the same progress.
  const home = spawnSync(warpwise, ["lab"], { encoding: "utf8", env: { ...process.env, XDG_DATA_HOME: join(folder, "data") } });
  assert.match(home.stdout, /1 of \d+ problems solved/);
  assert.match(home.stdout, /puzzles\/zip/);

  assert.deepEqual(complaints, []);
  console.log("PASSED");
} finally {
  await browser.close();
  await server.end();
}
