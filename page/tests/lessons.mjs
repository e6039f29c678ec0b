// Lessons in a browser: node lessons.mjs WORK WARPWISE. With the keyboard alone: from the map into a lesson, through its
// steps, a question, its answer in the thread view, and back. All steps of all lessons have their pictures.
import assert from "node:assert/strict";
import { Watch, accessible, everywhere, focusHas, large, tabTo } from "./pages.mjs";
import { launch, serve } from "./session.mjs";

const warpwise = process.argv[3];
const server = await serve(warpwise, [], { named: false });
const browser = await launch();
const watch = new Watch(server, /status of 4\d\d/); // what is not there is asked for
const page = await watch.tab(await browser.newContext({ viewport: large }));
page.setDefaultTimeout(60_000);
const picture = () => page.locator(".lesson-picture[data-place]").waitFor();

try {
  await page.goto(server.link);
  await page.locator(".chapter-lesson").first().waitFor();
  await tabTo(page, focusHas(page, "Lesson: Threads and indices"));
  await page.keyboard.press("Enter");
  await picture();
  assert.match(await page.locator("#lesson-step").innerText(), /One function, many threads/);
  // The picture is that of a run: eight threads, and what they wrote.
  assert.equal(await page.locator(".lane.on").count(), 8);
  assert.match(await page.locator(".lane").nth(7).innerText(), /70/);
  assert.equal(await page.locator(".lesson-question").count(), 0, "no question before the reader asks for one");
  await everywhere(page, "a step");

  await tabTo(page, focusHas(page, "Ask me"));
  await page.keyboard.press("Enter");
  await tabTo(page, focusHas(page, "50"));
  await page.keyboard.press("Enter");
  await page.locator(".answer").waitFor();
  assert.match(await page.locator(".answer").innerText(), /Not quite. It is: 26/);
  await picture();
  assert.match(await page.locator(".lane").nth(5).innerText(), /26/);
  await everywhere(page, "an answer");
  const place = await page.locator(".lesson-picture").getAttribute("data-place");

  // The thread view shows the same step, and leads back.
  await page.getByRole("link", { name: "See it step by step" }).focus();
  await page.keyboard.press("Enter");
  await page.locator(`.cost[data-place="${place}"]`).waitFor();
  await accessible(page, "the recording of a lesson");
  await tabTo(page, focusHas(page, "Back to the lesson"));
  await page.keyboard.press("Enter");
  await picture();
  assert.match(page.url(), /lesson=indexing&at=1/);

  await page.keyboard.press("n");
  await page.waitForFunction(() => document.querySelector("#lesson-step")?.textContent.includes("Threads go in groups of 32"));
  await page.reload();
  await picture();
  assert.match(page.url(), /at=2/, "a reload shows the same step");
  await page.keyboard.press("p");
  await page.waitForFunction(() => document.querySelector("#lesson-step")?.textContent.includes("One function"));

  // Both parties of a race, and a step with banks.
  for (const [address, part] of [
    ["shared&at=2", ".weave"],
    ["shared&at=4", ".banks"],
    ["matrix&at=3", ".sectors"],
  ]) {
    await page.goto(`${server.origin}/#lesson=${address}`);
    await page.locator(`.lesson-picture ${part}`).waitFor();
    await accessible(page, address);
  }
  // What is not there is refused.
  const status = (path, method) => page.evaluate(([to, how]) => fetch(to, { method: how, headers: { "Content-Type": "application/json" }, body: how === "POST" ? "{}" : undefined }).then((answer) => answer.status), [path, method]);
  assert.equal(await status("/api/lesson?name=..%2Fcurriculum", "GET"), 404);
  assert.equal(await status("/api/lesson/run?name=indexing&run=999", "POST"), 400);
  assert.equal(await status("/api/trace/summary?file=lesson:indexing:..%2F0", "GET"), 409);
  watch.nothing();
  console.log("lessons: read, asked, answered, seen");
} finally {
  await browser.close();
  await server.end();
}
