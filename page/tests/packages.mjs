// The packages that building the page has got, for its tests: they are loaded from the folder of the build.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

export const work = resolve(process.argv[2] ?? ".");

export function skip(why) {
  console.log(`SKIPPED: ${why}`);
  process.exit(77);
}

if (!existsSync(join(work, "node_modules/.lock"))) skip("the page is not built here (npm, or its packages, are missing)");
export const require = createRequire(join(work, "package.json"));
