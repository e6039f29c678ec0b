// Builds the page: node build.mjs OUT writes OUT/{index.html,app.js,app.css,icon.svg,editor.js,code.js,vim.js}.gz, which `warpwise
// serve` sends as they are. The editor is a file of its own, loaded with the first problem that is opened, and so are Vim's
// keys, for those who want them; what the two share is code.js. esbuild is the only tool; nothing is loaded from elsewhere at run time.
import { build } from "esbuild";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { runtimeFunctions } from "./runtime_functions.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "built");
const mostBytes = 350 * 1024; // of the first load: Chromebooks on a school's network

const licences = (...names) => names.map((name) => `${name}\n${readFileSync(join(here, "node_modules", name, "LICENSE"), "utf8")}`).join("\n");
const editorPackages = ["autocomplete", "commands", "lang-cpp", "language", "lint", "search", "state", "view"].map((name) => `@codemirror/${name}`);

const shared = {
  outdir: out,
  bundle: true,
  minify: true,
  write: false,
  format: "esm",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  logLevel: "warning",
};
const made = [
  await build({
    ...shared,
    entryPoints: [join(here, "src/main.tsx"), join(here, "src/app.css")],
    entryNames: "app",
    banner: { js: `/*\n${licences("preact")}\nmarked\n${readFileSync(join(here, "node_modules/marked/LICENSE.md"), "utf8")}*/` },
  }),
  await build({
    ...shared,
    entryPoints: [join(here, "src/editor.ts"), join(here, "src/vim.ts")],
    splitting: true,
    chunkNames: "code",
    define: { RUNTIME_FUNCTIONS: JSON.stringify(runtimeFunctions(readFileSync(join(here, "api.inc"), "utf8"))) },
    entryNames: "[name]",
    banner: { js: `/*\n${licences(...editorPackages, "@lezer/common", "@lezer/cpp", "@lezer/highlight", "@lezer/lr", "crelt", "style-mod", "w3c-keyname", "@marijn/find-cluster-break", "@replit/codemirror-vim", "@replit/codemirror-vim-core")}*/` },
  }),
];

mkdirSync(out, { recursive: true });
const files = made.flatMap((one) => one.outputFiles).map((file) => [basename(file.path), file.contents]);
for (const name of ["index.html", "icon.svg"]) files.push([name, readFileSync(join(here, "src", name))]);
const laterFiles = ["editor.js", "code.js", "vim.js"];
let [all, later] = [0, 0];
for (const [name, bytes] of files) {
  const compressed = gzipSync(bytes, { level: 9 });
  if (laterFiles.includes(name)) later += compressed.length;
  else all += compressed.length;
  writeFileSync(join(out, `${name}.gz`), compressed);
}
if (all > mostBytes) throw new Error(`the page has ${all} bytes compressed, and may have ${mostBytes}`);
console.log(`the page: ${(all / 1024).toFixed(1)} KB compressed; the editor, loaded later: ${(later / 1024).toFixed(1)} KB`);
