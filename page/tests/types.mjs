// Checks the page's types: node types.mjs WORK.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { work } from "./packages.mjs";

const run = spawnSync(join(work, "node_modules/.bin/tsc"), ["--project", work], { stdio: "inherit" });
process.exit(run.status ?? 1);
