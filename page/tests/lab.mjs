// The lab in a browser: node lab.mjs WORK WARPWISE. From an empty folder and with the keyboard alone: a problem is opened,
// refused, looked at in the thread view, solved. Nothing is lost by reloading, by a second tab, or with the server.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { Watch, accessible, countBytes, everywhere, focusHas, focused, large, tabTo } from "./pages.mjs";
import { launch, serve } from "./session.mjs";
import { focusEditor, kept, map as kernel, ready, textOf, typeOver, verdict, write } from "./workplace.mjs";

const warpwise = process.argv[3];
let server = await serve(warpwise, [], { named: false, keep: true });
const { folder } = server;
const browser = await launch();
// What the browser says of a conflict of two tabs, and of requests that find no server while it starts again.
const watch = new Watch(server, /409 \(Conflict\)|ERR_CONNECTION_REFUSED/);
const tab = (context) => watch.tab(context);

try {
  const context = await browser.newContext({ viewport: large });
  const page = await tab(context);
  const load = await countBytes(page);
  const opened = performance.now();
  await page.goto(server.link);
  await page.locator("main.lab-map a.go").waitFor();
  const usable = performance.now() - opened;
  await page.waitForTimeout(100);
  console.log(`the map: ${load.bytes} bytes; the link ${Math.round(server.linked - server.begin)} ms after the start, the map ${Math.round(usable)} ms after the link was opened`);
  assert.ok(load.bytes > 20 * 1024 && load.bytes < 350 * 1024, `the first load has ${load.bytes} bytes`);
  const mapBytes = load.bytes;
  assert.match(await page.locator("main.lab-map").innerText(), /Start with Map/);
  await everywhere(page, "the map");

  // With the keyboard alone from here.
  await tabTo(page, focusHas(page, "Start with Map"));
  await page.keyboard.press("Enter");
  await ready(page);
  await page.waitForTimeout(100);
  console.log(`with the editor: ${load.bytes - mapBytes} bytes more`);
  assert.match(page.url(), /#problem=puzzles\/map$/);
  assert.match(await textOf(page), /Your code: one line/);
  await tabTo(page, focusHas(page, "Show a hint"));
  await page.keyboard.press("Enter");
  await page.locator(".hint").waitFor();
  assert.equal(await page.locator(".hint").count(), 1);
  await everywhere(page, "the problem");

  // A wrong answer shows its case, its words and its line.
  await tabTo(page, async () => (await focused(page)).includes("cm-content"));
  await typeOver(page, kernel("out[i] = a[i + 1] + 10;"));
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
  assert.match(await textOf(page), /a\[i \+ 1\]/);

  // A wrong value and a compiler's message.
  await tabTo(page, async () => (await focused(page)).includes("cm-content"));
  await typeOver(page, kernel("out[i] = a[i] + 11;"));
  await page.keyboard.press("Control+Enter");
  await verdict(page, /Refused: wrong value/);
  assert.match(await page.locator(".facts").innerText(), /out\[0\] is .*, expected /);
  await typeOver(page, kernel("out[i] = undeclared;"));
  await page.locator(".stale").waitFor();
  await page.locator(".editor .marked-line", { hasText: "undeclared" }).waitFor(); // the compiler's, as one types
  assert.equal(await page.locator(".editor .marked-line").count(), 1, "marks go with the text that they are about");
  await page.keyboard.press("Control+Shift+Enter");
  await verdict(page, /Refused: does not compile/);
  assert.match(await page.locator(".verdict .said").innerText(), /undeclared/);
  assert.match(await page.locator(".editor .marked-line").innerText(), /undeclared/);
  await everywhere(page, "does not compile");

  // Reloading in the middle of typing and of a judgement loses neither.
  await typeOver(page, kernel("while (true) out[i] = a[i];"));
  await page.keyboard.press("Control+Enter");
  await page.waitForFunction(() => /judging/i.test(document.querySelector(".headline")?.textContent ?? ""));
  await page.keyboard.press("Control+End");
  await page.keyboard.type("// half a word");
  await page.reload();
  await ready(page);
  assert.match(await textOf(page), /half a word/);
  await verdict(page, /Refused: too slow/);
  await page.locator(".attempts td.bad", { hasText: "too slow" }).waitFor();

  // Another tab: neither text is lost, and the page asks.
  const other = await tab(context);
  await other.goto(`${server.origin}/#problem=puzzles/map`);
  await ready(other);
  await write(other, kernel("/* of the other tab */"));
  await kept(other);
  await write(page, kernel("/* of this tab */"));
  await page.locator(".conflict").waitFor();
  await accessible(page, "a conflict");
  await page.getByRole("button", { name: "Take that text" }).focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => !document.querySelector(".conflict"));
  assert.match(await textOf(page), /of the other tab/);
  await other.close();

  // The server ends and starts again: text, verdicts and hints are there.
  await write(page, kernel("/* before the server ended */"));
  await kept(page);
  await server.end();
  server = await serve(warpwise, [], { folder, named: false, keep: true });
  watch.alsoOf(server);
  await page.goto(`${server.link}&problem=puzzles/map`);
  await ready(page);
  assert.match(await textOf(page), /before the server ended/);
  assert.equal(await page.locator(".hint").count(), 1);

  // Solved, with the keyboard alone.
  await tabTo(page, async () => (await focused(page)).includes("cm-content"));
  await typeOver(page, kernel("out[i] = a[i] + 10;"));
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
  const plain = await textOf(page);
  await page.getByLabel("Vim keys").check();
  await page.locator(".editor .cm-vim-panel").waitFor();
  await focusEditor(page);
  await page.keyboard.type("ggyyp");
  assert.equal(await textOf(page), plain.replace(/^(.*\n)/, "$1$1"));
  await page.keyboard.type(":w\n");
  await kept(page);
  await page.keyboard.press("u");
  assert.equal(await textOf(page), plain);
  await page.keyboard.press("Control+Enter");
  await verdict(page, /Refused/);
  await focusEditor(page);
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

  watch.nothing();
  console.log("PASSED");
} finally {
  await browser.close();
  await server.end();
}
