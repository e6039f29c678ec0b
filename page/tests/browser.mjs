// The page in a browser: node browser.mjs WORK WARPWISE. Planted trouble is found by its link and by the keyboard, what is
// drawn is what `warpwise view` says, and axe-core finds nothing to complain of.
import assert from "node:assert/strict";
import { join } from "node:path";
import { Watch, accessible, countBytes, everywhere, large } from "./pages.mjs";
import { launch, planted, plantedLine, serve, view } from "./session.mjs";
import { threadView } from "./workplace.mjs";

const warpwise = process.argv[3];
const kinds = {
  race: { button: /C02/, says: /C02.*other party/s },
  conflict: { button: /bank conflicts/, says: /passes over the 32 banks/ },
  divergence: { button: /divergent/, says: /go different ways/ },
  uncoalesced: { button: /uncoalesced/, says: /1024 bytes moved, 128 wanted/ },
};

const recordings = Object.keys(kinds).map((kind) => [`${kind}.wwt`, `--kernel=${kind}`, planted]);
const server = await serve(warpwise, recordings);
let browser = await launch();
const watch = new Watch(server, /401 \(Unauthorized\)/); // of a wrong token
const tab = (context) => watch.tab(context);

const selectedLine = (page) =>
  page.locator(".source tr.selected .number").first().innerText().then(Number);
const stepOf = (page) => Number(new URLSearchParams(new URL(page.url()).hash.slice(1)).get("step"));
const warpOf = (page) => Number(new URLSearchParams(new URL(page.url()).hash.slice(1)).get("warp"));
// What is shown is the step that the address names.
const settled = (page) =>
  page.waitForFunction(() => {
    const place = new URLSearchParams(location.hash.slice(1));
    return document.querySelector(".cost")?.dataset.place === `${place.get("warp")}/${place.get("step")}`;
  });
async function open(page, file) {
  await page.goto(`${server.origin}/#file=${file}`);
  await page.reload(); // an address that differs behind the # alone loads nothing
  await threadView(page);
  await page.locator(".source .runs").first().waitFor();
}

// What is drawn of the selected step is what `view` says.
async function true_to(page, file) {
  const detail = view(warpwise, join(server.folder, file), `--warp=${warpOf(page)}`, `--step=${stepOf(page)}`);
  await page.locator(".table > summary").click();
  const rows = await page.locator(".table tbody tr").allInnerTexts();
  const access = detail.accesses[0];
  if (access) {
    const shown = rows.map((row) => row.split("\t")[3]).filter((text) => text);
    assert.deepEqual(shown, access.addresses.map((at) => `0x${at.toString(16)}`));
    if (access.sectors) assert.equal(await page.locator(".sector").count(), access.cost.sectors);
    if (access.banks) assert.equal(await page.locator(".banks tbody tr").count(), access.cost.wavefronts);
  }
  const on = rows.filter((row) => row.split("\t")[2] === "on").length;
  assert.equal(on, detail.step.on.toString(2).replaceAll("0", "").length, "lanes that are on");
  await page.locator(".table > summary").click();
}

// The weave's table has the selected step in one of its rows, and a row leads to its first step.
async function table_of_weave(page) {
  await page.locator(".weave-table > summary").click();
  await page.locator(".weave-table tbody tr").first().waitFor();  // drawn when the browser says that it is open
  const rows = await page.locator(".weave-table tbody tr").allInnerTexts();
  const spans = rows.map((row) => row.split("\t")[1].replaceAll(",", "").split(" to ").map(Number));
  const step = stepOf(page);
  assert(spans.some(([first, last = first]) => first <= step && step <= last), "the selected step is in the table");
  await page.locator(".weave-table tbody button").last().click();
  await page.waitForFunction((first) => new URLSearchParams(location.hash.slice(1)).get("step") === `${first}`, spans.at(-1)[0]);
  await page.locator(".weave-table > summary").click();
}

// What stands beside the lines are the recording's steps, and how many times the ideal the profile counts: all blocks of
// these launches do the same.
async function sums_true_to(page, file) {
  const path = join(server.folder, file);
  const { launch: index, profile } = view(warpwise, path);
  const steps = new Map();
  const sums = view(warpwise, path, "--lines").lines.filter(({ frames }) => frames.length > 0); // line 0 is nowhere
  for (const { frames, steps: some } of sums) steps.set(frames[0].line, (steps.get(frames[0].line) ?? 0) + some);
  const waste = new Map();
  for (const { frames, metrics } of profile.launches.find((one) => one.index === index).lines) {
    const ways = [
      ["l1tex__t_sectors_pipe_lsu_mem_global_op_", "warpwise__ideal_sectors_global_"],
      ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_", "warpwise__ideal_wavefronts_mem_shared_op_"],
    ];
    const times = ways.map((names) => names.map((name) => ["ld", "st"].reduce((sum, op) => sum + (metrics[`${name}${op}.sum`] ?? 0), 0))).map(([is, ideal]) => (ideal ? is / ideal : 1));
    const factor = Math.max(...times);
    if (frames.length > 0 && factor > 1.005) waste.set(frames[0].line, factor < 9.95 ? Number(factor.toFixed(1)) : Math.round(factor));
  }
  const rows = await page.locator(".source tr.runs").evaluateAll((all) =>
    all.map((row) => [row.querySelector(".number"), row.querySelector(".steps-column"), row.querySelector(".waste")].map((cell) => Number(cell?.textContent.replace(/[,×]/g, "") ?? NaN))),
  );
  assert.deepEqual(new Map(rows.map(([line, count]) => [line, count])), new Map([...steps].sort((a, b) => a[0] - b[0])), `${file}: steps of lines`);
  const shown = new Map(rows.filter(([, , times]) => !Number.isNaN(times)).map(([line, , times]) => [line, times]));
  assert.deepEqual(shown, new Map([...waste].sort((a, b) => a[0] - b[0])), `${file}: waste of lines`);
}

try {
  const context = await browser.newContext({ viewport: large });
  const page = await tab(context);

  // The link lets the browser in, and the token is gone from the address.
  const load = await countBytes(page);
  await page.goto(server.link);
  await page.locator("main.files li").first().waitFor();
  assert.equal(await page.locator("main.files li").count(), 4);
  assert.ok(!page.url().includes("token"), page.url());
  const cookies = await context.cookies();
  assert.ok(cookies.length === 1 && cookies[0].httpOnly && cookies[0].sameSite === "Strict");
  await accessible(page, "files");
  await page.locator("main.files a", { hasText: "race.wwt" }).click();
  await page.locator(".cost .sentence").first().waitFor();
  assert.ok(load.bytes > 20 * 1024 && load.bytes < 350 * 1024, `the first load has ${load.bytes} bytes`);
  console.log(`first load and first recording: ${load.bytes} bytes; from the start of the server: ${Math.round(performance.now() - server.begin)} ms with the browser's own start`);

  for (const [kind, { button, says }] of Object.entries(kinds)) {
    const file = `${kind}.wwt`;
    const begin = performance.now();
    await open(page, file);
    console.log(`${file}: shown in ${Math.round(performance.now() - begin)} ms, painted by ${await page.locator("canvas").getAttribute("data-painter")}`);
    await page.keyboard.press("Home");
    await page.locator(".trouble", { hasText: button }).first().click();
    await page.waitForFunction((text) => new RegExp(text, "s").test(document.querySelector(".cost").innerText), says.source);
    await page.waitForTimeout(100);
    await settled(page);
    assert.equal(await selectedLine(page), plantedLine(kind), `${kind}: the line`);
    assert.match(await page.locator(".cost").innerText(), says);
    await true_to(page, file);
    await sums_true_to(page, file);
    assert.ok(Number(await page.locator("canvas").getAttribute("data-rectangles")) > 0);
    assert.equal(await page.locator("canvas").getAttribute("data-painter"), "2d");

    // The link of the step, in another tab and after a reload.
    const link = page.url();
    const other = await tab(context);
    await other.goto(link);
    await settled(other);
    assert.equal(await selectedLine(other), plantedLine(kind), `${kind}: by its link`);
    assert.equal(other.url(), link);
    await other.close();
    await page.reload();
    await settled(page);
    assert.equal(page.url(), link);

    await everywhere(page, kind);
    await table_of_weave(page);
  }

  // The keyboard alone.
  await open(page, "conflict.wwt");
  await page.keyboard.press("Home");
  const first = stepOf(page);
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction((step) => location.hash.includes(`step=${step}`), first + 1);
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction((step) => location.hash.includes(`step=${step}`), first);
  await page.keyboard.press("]");
  await page.waitForFunction(() => location.hash.includes("warp=1"));
  await page.keyboard.press("[");
  await page.keyboard.press("b");
  await page.waitForFunction(() => /at the barrier|Waits/.test(document.querySelector(".cost").innerText));
  await page.keyboard.press("Shift+C");
  await page.waitForFunction(() => /banks, and 1 would do/.test(document.querySelector(".cost").innerText));
  assert.equal(await selectedLine(page), plantedLine("conflict"));
  await page.keyboard.press("r");
  await page.waitForFunction(() => /no race in what/.test(document.querySelector(".said").innerText));

  // A line of the source leads to a step of it; the help opens, has no complaint, and closes.
  await page.locator(`.source button[aria-label="go to line ${plantedLine("conflict")}"]`).click();
  await page.waitForTimeout(100);
  await settled(page);
  assert.equal(await selectedLine(page), plantedLine("conflict"));
  await page.getByRole("button", { name: "How to read this" }).click();
  await accessible(page, "help");
  await page.keyboard.press("Escape");

  // Both parties of the race are there, and lead to each other.
  await open(page, "race.wwt");
  const mine = page.url();
  await page.locator(".cost button", { hasText: "the other party" }).first().click();
  await page.waitForFunction((url) => location.href !== url, mine);
  await settled(page);
  assert.equal(await selectedLine(page), plantedLine("race"));

  await page.emulateMedia({ reducedMotion: "reduce" });
  assert.equal(await page.locator(".cursor").evaluate((cursor) => getComputedStyle(cursor).transitionDuration), "0s");

  // A wrong token, and no cookie.
  const outside = await browser.newContext({ viewport: large });
  const refused = await tab(outside);
  await refused.goto(`${server.origin}/#token=${"0".repeat(48)}`);
  await refused.locator("[role=alert]", { hasText: "W0004" }).waitFor();
  await accessible(refused, "refused");
  await browser.close();

  // WebGL by a processor is slower than none, and left alone; that of a GPU is taken. Here a processor says that it is one.
  browser = await launch({ webgl: true });
  const withWebgl = await browser.newContext({ viewport: large });
  const painterOf = async () => {
    const one = await tab(withWebgl);
    await one.goto(`${server.link}&file=conflict.wwt`);
    await threadView(one);
    return one.locator("canvas").getAttribute("data-painter");
  };
  assert.equal(await painterOf(), "2d");
  await withWebgl.addInitScript(() => {
    const extension = WebGL2RenderingContext.prototype.getExtension;
    WebGL2RenderingContext.prototype.getExtension = function (name) {
      return name === "WEBGL_debug_renderer_info" ? null : extension.call(this, name);
    };
  });
  assert.equal(await painterOf(), "webgl2");
  watch.nothing();
  console.log("PASSED");
} finally {
  await browser.close();
  await server.end();
}
