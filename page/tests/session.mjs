// A server with recordings of planted trouble and a browser, for the tests and the screenshots.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { createInterface } from "node:readline";
import { require, skip } from "./packages.mjs";

const tree = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
export const planted = join(tree, "tests/serve/planted.cu");
const browsers = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

// The line of the planted source that the comment `// KIND: …` marks.
export function plantedLine(kind) {
  const lines = readFileSync(planted, "utf8").split("\n");
  return lines.findIndex((line) => line.includes(`// ${kind}: `)) + 1;
}

export const view = (warpwise, file, ...options) => {
  const run = spawnSync(warpwise, ["view", "--json", ...options, file], { encoding: "utf8", maxBuffer: 1 << 28 });
  if (run.status !== 0) throw new Error(run.stderr);
  return JSON.parse(run.stdout);
};

// Ends the server by the function that it returns. A test that fails or is skipped leaves no server either: it would hold
// our outputs open, and who reads them would wait.
function endsWithUs(server) {
  const kill = () => server.kill("SIGKILL");
  process.once("exit", kill);
  return async () => {
    const ended = new Promise((done) => server.once("exit", done));
    server.kill("SIGINT");
    await ended;
    process.off("exit", kill);
  };
}

// `recordings`: names with the words for `warpwise trace`. `folder`: that of an earlier server, to be served again.
export async function serve(warpwise, recordings, { folder = mkdtempSync(join(tmpdir(), "warpwise-page-")), named = true, keep = false } = {}) {
  for (const [name, ...words] of recordings) {
    const run = spawnSync(warpwise, ["trace", "-q", "--compiler=clang", "-o", join(folder, name), ...words], { encoding: "utf8" });
    if (!existsSync(join(folder, name))) throw new Error(`no recording ${name}: ${run.stderr}`);
  }
  const begin = performance.now();
  // The progress of the lab is in a folder of its own, too.
  const options = { cwd: folder, stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, XDG_DATA_HOME: join(folder, "data") } };
  const server = spawn(warpwise, named ? ["serve", folder] : ["serve"], options);
  const ended = endsWithUs(server);
  const link = await new Promise((done) => createInterface(server.stdout).once("line", done));
  const end = async () => {
    await ended();
    if (!keep) rmSync(folder, { recursive: true });
  };
  return { folder, link, origin: new URL(link).origin, begin, linked: performance.now(), end };
}

// A class of that folder: the teacher's link, what students open, and their code.
export async function serveClass(warpwise, folder, port, lan) {
  const words = ["serve", "--class=cs101", `--class-port=${port}`, ...(lan ? ["--lan"] : [])];
  const server = spawn(warpwise, words, { cwd: folder, stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, XDG_DATA_HOME: join(folder, "data") } });
  const end = endsWithUs(server);
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  const link = (await lines.next()).value;
  const [, origin, code] = /^(http:\S+) {2}code (\w+)$/.exec((await lines.next()).value);
  return { link, origin, code, port: Number(new URL(origin).port), end };
}

// Debian's Chromium as on a machine without a GPU. `webgl`: a processor stands in for WebGL, but not for all of the page.
export async function launch({ webgl = false } = {}) {
  const executablePath = browsers.find((path) => existsSync(path));
  if (!executablePath) skip("there is no Chromium here (apt install chromium)");
  const graphics = webgl ? ["--enable-unsafe-swiftshader"] : ["--disable-3d-apis", "--disable-gpu"];
  return require("playwright-core").chromium.launch({ executablePath, args: ["--no-sandbox", "--no-proxy-server", ...graphics] });
}
