// Runs the tests of the page's functions: node functions.mjs WORK. They need no browser.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { require, work } from "./packages.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const tests = readdirSync(here).filter((name) => name.endsWith(".test.ts"));
const outdir = join(work, "built-tests");
require("esbuild").buildSync({
  entryPoints: tests.map((name) => join(here, name)),
  outdir,
  bundle: true,
  platform: "node",
  format: "esm",
  outExtension: { ".js": ".mjs" },
  jsx: "automatic",
  jsxImportSource: "preact",
  nodePaths: [join(work, "node_modules")],
});
const files = tests.map((name) => join(outdir, name.replace(/ts$/, "mjs")));
const run = spawnSync(process.execPath, ["--test", ...files], { stdio: "inherit" });
process.exit(run.status ?? 1);
