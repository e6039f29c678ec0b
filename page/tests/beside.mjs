// Recordings beside each other: node beside.mjs WORK WARPWISE. A race in another order has another outcome, at the step that
// is marked; an earlier attempt at a problem costs what its own recording says, by line and in all.
import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Watch, everywhere, large } from "./pages.mjs";
import { launch, planted, serve, view } from "./session.mjs";
import { map, ready, threadView, verdict, write } from "./workplace.mjs";

const warpwise = process.argv[3];
const folder = mkdtempSync(join(tmpdir(), "warpwise-beside-"));
copyFileSync(planted, join(folder, "planted.cu"));
// The same two recordings by the command.
const same = ["--launch=3", "--block=0,0,0"];
const server = await serve(
  warpwise,
  [
    ["in-order.wwt", ...same, planted],
    ["order-1.wwt", ...same, "--no-check", "--values=25", "--schedule=shuffle:1", planted],
  ],
  { folder },
);
const browser = await launch();
const watch = new Watch(server);

// Which steps have other values, by the two files alone: this kernel's warps take the same steps in any order.
function differing() {
  const [one, other] = ["in-order.wwt", "order-1.wwt"].map((file) => join(folder, file));
  const found = [];
  for (const [warp, { count }] of view(warpwise, one).warps.entries()) {
    const [mine, theirs] = [one, other].map((file) => view(warpwise, file, `--warp=${warp}`, `--steps=0..${count}`).steps);
    assert.deepEqual(mine.map((step) => step.site), theirs.map((step) => step.site));
    mine.forEach((step, n) => JSON.stringify(step.values) !== JSON.stringify(theirs[n].values) && found.push(`${warp}/${step.step}`));
  }
  return found;
}

async function inAnotherOrder(page) {
  await page.goto(server.link);
  await page.goto(`${server.origin}/#file=planted.cu`);
  await page.reload();
  await threadView(page);
  assert.match(await page.locator(".kernel").innerText(), /^race/);
  await page.getByRole("button", { name: "Another order" }).click();
  await page.locator(".beside[data-differing]").waitFor({ timeout: 60_000 });
  const wanted = differing();
  assert.ok(wanted.length > 0, "the order makes no difference");
  assert.equal(Number(await page.locator(".beside").getAttribute("data-differing")), wanted.length);
  await page.locator("canvas[data-beside='order 1']").waitFor();
  // The keyboard leads to such a step, and both outcomes stand there.
  await page.keyboard.press("Home");
  await page.keyboard.press("o");
  await page.waitForFunction(() => /value .* here, .* there|Other values/.test(document.querySelector(".beside").innerText));
  assert.ok(wanted.includes(await page.locator(".beside").getAttribute("data-place")));
  await everywhere(page, "another order");
  // A link leads to both; closed, it is gone.
  assert.match(page.url(), /vs=order%3A1%3Aplanted\.cu/);
  await page.reload();
  await page.locator(".beside[data-differing]").waitFor({ timeout: 60_000 });
  await page.locator(".beside").getByRole("button", { name: "close" }).click();
  await page.locator(".beside").waitFor({ state: "detached" });
  assert.doesNotMatch(page.url(), /vs=/);
}

// Two attempts at a problem: the first loads more than it needs.
async function besideAnEarlierAttempt(page) {
  await page.goto(`${server.origin}/#problem=puzzles/map`);
  await page.reload();
  const submit = async (source, words) => {
    await ready(page);
    await write(page, source);
    await page.keyboard.press("Control+Enter");
    await verdict(page, words);
    await page.locator(".stale").waitFor({ state: "detached" });
  };
  await submit(map("float zero = 0 * a[0];\n  out[i] = a[i] + 10 + zero;"), /over budget/);
  await page.locator(".attempts", { hasText: "one, the last" }).waitFor();
  await submit(map("out[i] = a[i] + 11;"), /Refused/);
  await page.locator(".attempts", { hasText: "2, the last" }).waitFor();
  await page.getByRole("button", { name: "See it" }).click();
  await threadView(page);
  await page.getByLabel("show an earlier attempt beside it").selectOption({ index: 2 });
  await page.locator(".beside .totals").waitFor({ timeout: 60_000 });
  // What is shown is the sum of the two recordings' lines.
  const recordings = await page.evaluate(async () => {
    const place = new URLSearchParams(location.hash.slice(1));
    const sectors = async (file) => {
      const { lines } = await (await fetch(`/api/trace/lines?${new URLSearchParams({ file })}`)).json();
      return { steps: lines.reduce((all, line) => all + line.steps, 0), sectors: lines.reduce((all, line) => all + (line.cost.sectors ?? 0), 0) };
    };
    return { now: await sectors(place.get("file")), then: await sectors(place.get("vs")) };
  });
  assert.deepEqual([recordings.then.sectors, recordings.now.sectors], [3, 2], "four floats are in one sector, and the first attempt loads twice");
  for (const [row, key] of [["steps", "steps"], ["sectors of global memory", "sectors"]]) {
    const shown = await page.locator(`tr[data-total="${row}"]`).evaluate((tr) => [Number(tr.dataset.then), Number(tr.dataset.now)]);
    assert.deepEqual(shown, [recordings.then[key], recordings.now[key]], row);
  }
  assert.match(await page.locator(".source .gone").allInnerTexts().then((all) => all.join("\n")), /float zero/);
  await page.locator("canvas[data-beside^='attempt']").waitFor();
  await everywhere(page, "an earlier attempt");
  // Both attempts as pipes: all launches of the case are counted, too.
  await page.getByRole("button", { name: "Pipes" }).click();
  await page.locator("main.pipes[data-beside^='lab:']").waitFor();
  const loads = page.locator("tr[data-belt=l1-read]");
  assert.deepEqual([Number(await loads.locator("td[data-then]").getAttribute("data-then")), Number(await loads.getAttribute("data-bytes"))], [64, 32]);
  await page.getByRole("button", { name: "Threads" }).click();
  await page.locator(".beside .totals").waitFor();
  // The lab's own recording in another order, with the same input: one element for each thread, so no value differs.
  await page.getByRole("button", { name: "Another order" }).click();
  await page.locator(".beside[data-differing='0']").waitFor({ timeout: 60_000 });
  assert.match(await page.locator(".beside").innerText(), /no proof/);
}

try {
  const page = await watch.tab(await browser.newContext({ viewport: large }));
  await inAnotherOrder(page);
  console.log("another order");
  await besideAnEarlierAttempt(page);
  console.log("an earlier attempt");
  watch.nothing();
  console.log("PASSED");
} finally {
  await browser.close();
  await server.end();
}
