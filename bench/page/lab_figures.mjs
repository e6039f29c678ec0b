// The lab and a class: how soon the page is usable, what comes over the network, how soon a verdict is shown.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { countBytes, large } from "../../page/tests/pages.mjs";
import { serve } from "../../page/tests/session.mjs";
import { map, ready, write } from "../../page/tests/workplace.mjs";
import { now, openAndSee, watchFor, whenSeen } from "./in_browser.mjs";
import { median } from "./figures.mjs";

const mapIsThere = "main.lab-map a.go";

// From the start of `warpwise serve` to the lab's map in a browser that runs already and has nothing of the page.
export async function usable({ browser, warpwise }) {
  const times = [];
  for (let n = 0; n < 5; ++n) {
    const context = await browser.newContext({ viewport: large });
    const page = await context.newPage();
    const server = await serve(warpwise, [], { named: false });
    const seen = await openAndSee(page, server.link, mapIsThere);
    times.push(seen - (performance.timeOrigin + server.begin));
    await context.close();
    await server.end();
  }
  return [{ name: "usable after the start of serve", value: median(times), unit: "ms", most: 500 }];
}

export async function bytes({ browser, warpwise }) {
  const server = await serve(warpwise, [], { named: false });
  const context = await browser.newContext({ viewport: large });
  const page = await context.newPage();
  const count = await countBytes(page);
  await openAndSee(page, server.link, mapIsThere);
  await page.waitForLoadState("networkidle");
  const first = count.bytes;
  await page.locator(mapIsThere).click();
  await ready(page);
  await page.waitForLoadState("networkidle");
  await context.close();
  await server.end();
  return [
    { name: "first load", value: first / 1024, unit: "KB", most: 350 },
    { name: "first problem, with the editor", value: (count.bytes - first) / 1024, unit: "KB" },
  ];
}

// When the server has heard the judge's verdict: a second client hears of the run as the page does.
async function whenJudged(server, cookie, run) {
  for (let from = 0; ; ) {
    const answer = await fetch(`${server.origin}/api/lab/run?run=${run}&from=${from}`, { headers: { Cookie: cookie } });
    const news = await answer.json();
    if (news.events.some((event) => "judgement" in event)) return now();
    from = news.next;
  }
}

export async function verdict({ browser, warpwise }) {
  const server = await serve(warpwise, [], { named: false });
  const context = await browser.newContext({ viewport: large });
  const page = await context.newPage();
  await openAndSee(page, `${server.link}&problem=puzzles/map`, ".editor[data-state=ready]");
  const [{ name, value }] = await context.cookies();
  const [shown, all] = [[], []];
  for (const line of ["out[i] = a[i] + 10;", "out[i] = a[i + 1] + 10;", "out[i] = a[i] + 11;", "out[i] = 10 + a[i];", "int j = i; out[j] = a[j] + 10;"]) {
    await write(page, map(line));
    await page.waitForTimeout(1000); // the compiler has said what it thinks of the text
    const started = page.waitForResponse((response) => new URL(response.url()).pathname === "/api/lab/run" && response.request().method() === "POST");
    const begin = now();
    await page.keyboard.press("Control+Enter");
    const { run } = await (await started).json();
    const judged = whenJudged(server, `${name}=${value}`, run);
    await page.locator(".verdict.running").waitFor();
    await watchFor(page, ".verdict.good, .verdict.bad");
    const seen = await whenSeen(page);
    shown.push(seen - (await judged));
    all.push(seen - begin);
  }
  await context.close();
  await server.end();
  return [
    { name: "verdict shown after the judge's", value: median(shown), unit: "ms", most: 50 },
    { name: "verdict shown after the key is pressed", value: median(all), unit: "ms" },
  ];
}

// Thirty students, as docs/class.md says.
export async function students({ warpwise, tree }) {
  const run = spawnSync("python3", [join(tree, "tests/serve/class_load.py"), warpwise, "30", "60", "30"], { encoding: "utf8" });
  const found = /(\d+) verdicts, the longest after ([\d.]+) s, half of them within ([\d.]+) s/.exec(run.stdout);
  if (!found) throw new Error(`class_load.py: ${run.stdout}${run.stderr}`);
  return [
    { name: `30 students, ${found[1]} verdicts: the longest`, value: Number(found[2]), unit: "s", most: 5 },
    { name: "30 students: half of the verdicts within", value: Number(found[3]), unit: "s" },
  ];
}
