// Recordings: how soon one of ten million steps is open, how often frames come while it is dragged, and what recording a
// block costs beside checking.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { large } from "../../page/tests/pages.mjs";
import { launch, serve } from "../../page/tests/session.mjs";
import { median } from "./figures.mjs";
import { drag, now, openAndSee } from "./in_browser.mjs";

const opened = ".recording:has(.cost .sentence) canvas[data-rectangles]";
// What is in view, and how often "zoom in" is pressed more for it: buckets of a hundred steps, of a few, and steps as wide
// as letters.
const zooms = { "a quarter": 2, "a 64th": 4, "80 steps": 6 };

// Two browsers without a GPU.
const browsers = { "no WebGL": { webgl: false }, "WebGL by a processor": { webgl: true } };

export async function longRecording({ warpwise, tree, folder }) {
  const source = join(tree, "bench/page/long_recording.cu");
  const recording = [["long.wwt", "--no-check", "--kernel=sort_rows", "--steps=10000000", source]];
  let server = await serve(warpwise, recording, { folder, keep: true });
  const figures = [];
  for (const [kind, how] of Object.entries(browsers)) {
    const browser = await launch(how);
    const times = [];
    for (let n = 0; n < 5; ++n) {
      await server.end();
      server = await serve(warpwise, [], { folder, keep: true }); // one that has not read the file
      const context = await browser.newContext({ viewport: large });
      const asked = now();
      times.push((await openAndSee(await context.newPage(), `${server.link}&file=long.wwt`, opened)) - asked);
      await context.close();
    }
    figures.push({ name: `10 million steps open, ${kind}`, value: median(times), unit: "ms", most: 1000 });
    const page = await (await browser.newContext({ viewport: large })).newPage();
    await openAndSee(page, `${server.link}&file=long.wwt`, opened);
    await page.locator(".source .runs").first().waitFor(); // the sums are there, and the server is quiet
    for (const [zoom, presses] of Object.entries(zooms)) {
      for (let n = 0; n < presses; ++n) await page.getByRole("button", { name: "zoom in" }).click();
      await page.waitForTimeout(500);
      const { perSecond, slow } = await drag(page, 3000);
      figures.push({ name: `dragging ${zoom}, ${kind}`, value: perSecond, unit: "frames/s", least: 25, slowest_of_twenty_ms: slow });
    }
    await browser.close();
  }
  await server.end();
  return figures;
}

const examples = ["conv2d", "histogram", "matmul", "reduction", "scan", "softmax", "transpose"];
const rounds = 3;

// Processor seconds and seconds of the clock.
function timed(words) {
  const run = spawnSync("bash", ["-c", 'TIMEFORMAT="%R %U %S"; time "$@" >/dev/null 2>&1', "bash", ...words], { encoding: "utf8" });
  const [real, user, system] = run.stderr.trim().split("\n").at(-1).split(" ").map(Number);
  return { clock: real, processor: user + system };
}

// `warpwise trace` runs a program three times, checked, counted and recorded, and `check` once; both with everything
// compiled. What was promised is how long one waits. Counting alone stands beside it: that is where most of the time goes.
export async function recordingCost({ warpwise, tree, folder }) {
  const ratios = { clock: [], processor: [], counting: [] };
  for (const name of examples) {
    const words = (...command) => [warpwise, ...command, "--compiler=clang", join(tree, `examples/${name}.cu`)];
    const commands = { trace: words("trace", "-q", "-o", join(folder, "cost.wwt")), check: words("check"), profile: words("profile") };
    const times = { trace: [], check: [], profile: [] };
    for (let round = 0; round <= rounds; ++round)
      for (const [command, what] of Object.entries(commands)) {
        const took = timed(what);
        if (round > 0) times[command].push(took); // the first one compiled
      }
    const of = (command, clock) => median(times[command].map((time) => time[clock]));
    ratios.clock.push(of("trace", "clock") / of("check", "clock"));
    ratios.processor.push(of("trace", "processor") / of("check", "processor"));
    ratios.counting.push(of("profile", "processor") / of("check", "processor"));
  }
  const mean = (values) => Math.exp(values.reduce((sum, one) => sum + Math.log(one), 0) / values.length);
  return [
    { name: `trace beside check, ${examples.length} examples, in the mean`, value: mean(ratios.clock), unit: "times", most: 3 },
    { name: "trace beside check, the dearest", value: Math.max(...ratios.clock), unit: "times" },
    { name: "trace beside check, processor time", value: mean(ratios.processor), unit: "times" },
    { name: "profile beside check, processor time", value: mean(ratios.counting), unit: "times" },
  ];
}
