// How fast the page is: node bench/page/page.mjs WORK WARPWISE [--json=FILE] [--only=PART,PART] [--check]
//
//     node bench/page/page.mjs build/release/page build/release/bin/warpwise --json=page.json
//
// WORK is the page's folder of a build, with the packages that its tests have. It drives Debian's Chromium without a GPU, as
// the tests do, prints a table and writes JSON. --check: exit with 1 where a figure is worse than was promised.
//
// What else the machine does is in the figures: the load before each part stands beside it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { launch } from "../../page/tests/session.mjs";
import { isMissed, lineOf, promise } from "./figures.mjs";
import { image } from "./image_figures.mjs";
import { bytes, students, usable, verdict } from "./lab_figures.mjs";
import { longRecording, recordingCost } from "./recording_figures.mjs";

const parts = { usable, bytes, verdict, recording: longRecording, cost: recordingCost, image, students };

const words = process.argv.slice(4);
const option = (name) => words.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
const chosen = option("only")?.split(",") ?? Object.keys(parts);
for (const part of chosen) if (!(part in parts)) throw new Error(`there is no part ${part}: ${Object.keys(parts).join(", ")}`);

const warpwise = resolve(process.argv[3]);
const tree = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const folder = mkdtempSync(join(tmpdir(), "warpwise-bench-page-"));
const browser = await launch();
const machine = {
  processor: /model name\s*: (.*)/.exec(readFileSync("/proc/cpuinfo", "utf8"))?.[1] ?? cpus()[0]?.model,
  processors: cpus().length,
  chromium: browser.version(),
};
console.log(`${machine.processor}, ${machine.processors} processors; Chromium ${machine.chromium}`);
const figures = [];
try {
  for (const part of chosen) {
    const load = loadavg()[0];
    for (const figure of await parts[part]({ browser, warpwise, tree, folder })) {
      figures.push({ ...figure, part, load, missed: isMissed(figure), promised: promise(figure) });
      console.log(`${lineOf(figure)}   (load ${load.toFixed(1)})`);
    }
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
const json = option("json");
if (json) writeFileSync(json, `${JSON.stringify({ machine, figures }, null, 2)}\n`);
if (words.includes("--check") && figures.some(isMissed)) process.exitCode = 1;
