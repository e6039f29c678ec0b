// Builds the page: node build.mjs OUT writes OUT/{index.html,app.js,app.css,icon.svg}.gz, which `warpwise serve` sends as
// they are. esbuild is the only tool; nothing is loaded from elsewhere at run time.
import { build } from "esbuild";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "built");
const mostBytes = 350 * 1024; // of the first load: Chromebooks on a school's network

const made = await build({
  entryPoints: [join(here, "src/main.tsx"), join(here, "src/app.css")],
  entryNames: "app",
  outdir: out,
  bundle: true,
  minify: true,
  write: false,
  format: "esm",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  banner: { js: `/*\nPreact\n${readFileSync(join(here, "node_modules/preact/LICENSE"), "utf8")}*/` },
  logLevel: "warning",
});

mkdirSync(out, { recursive: true });
const files = made.outputFiles.map((file) => [basename(file.path), file.contents]);
for (const name of ["index.html", "icon.svg"]) files.push([name, readFileSync(join(here, "src", name))]);
let all = 0;
for (const [name, bytes] of files) {
  const compressed = gzipSync(bytes, { level: 9 });
  all += compressed.length;
  writeFileSync(join(out, `${name}.gz`), compressed);
}
if (all > mostBytes) throw new Error(`the page has ${all} bytes compressed, and may have ${mostBytes}`);
console.log(`the page: ${(all / 1024).toFixed(1)} KB compressed`);
