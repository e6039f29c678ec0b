// What the tests ask of every page: no complaint of the browser or of axe-core, no request to elsewhere, room for everything at
// both sizes and in both colour schemes, and a way for the keyboard.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { require } from "./packages.mjs";

export const large = { width: 1366, height: 768 };
export const phone = { width: 360, height: 740 };

// Tabs that note what must not happen: errors, and requests to other servers than those that are named. `expected`: what
// the browser says of answers that a test provokes.
export class Watch {
  complaints = [];
  origins = [];

  constructor(server, expected = null) {
    this.expected = expected;
    this.alsoOf(server);
  }

  // A server that has been started again may be another one.
  alsoOf(server) {
    this.origins.push(server.origin, new URL(server.link).origin);
  }

  async tab(context) {
    const page = await context.newPage();
    page.on("console", (message) => message.type() === "error" && !this.expected?.test(message.text()) && this.complaints.push(`${message.text()} ${message.location().url}`));
    page.on("pageerror", (error) => this.complaints.push(String(error)));
    page.on("request", (request) => this.origins.includes(new URL(request.url()).origin) || this.complaints.push(request.url()));
    return page;
  }

  nothing() {
    assert.deepEqual(this.complaints, []);
  }
}

// The bytes that come over the network from now on, as they travel: heads, and bodies as they are compressed.
export async function countBytes(page) {
  const session = await page.context().newCDPSession(page);
  const count = { bytes: 0 };
  session.on("Network.loadingFinished", ({ encodedDataLength }) => (count.bytes += encodedDataLength));
  await session.send("Network.enable");
  return count;
}

const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

export async function accessible(page, what) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate("axe.run(document, { resultTypes: ['violations'] })");
  const found = violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`);
  assert.deepEqual(found, [], what);
  const [wide, room] = await page.evaluate("[document.documentElement.scrollWidth, innerWidth]");
  assert.ok(wide <= room, `${what}: ${wide} pixels wide in ${room}`);
}

// Calls `look` at both sizes and in both colour schemes, and leaves the page large and light.
export async function inAllSizes(page, look) {
  for (const colorScheme of ["light", "dark"])
    for (const viewport of [large, phone]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(viewport);
      await page.waitForTimeout(100);
      await look(`${colorScheme}, ${viewport.width}`);
    }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize(large);
}
export const everywhere = (page, what) => inAllSizes(page, (how) => accessible(page, `${what}, ${how}`));

// Where the keyboard is: an editor's messages are in a shadow root of the page, too.
export const focused = (page) => page.evaluate(() => (document.activeElement?.shadowRoot?.activeElement ?? document.activeElement)?.className ?? "");

// Presses Tab until `found` says so.
export async function tabTo(page, found) {
  for (let n = 0; n < 200; ++n) {
    if ((await focused(page)).includes("cm-content")) await page.keyboard.press("Escape"); // Tab alone indents
    await page.keyboard.press("Tab");
    if (await found()) return;
  }
  throw new Error("the Tab key does not lead there");
}
export const focusHas = (page, words) => async () =>
  (await page.evaluate(() => (document.activeElement?.matches("a, button") ? document.activeElement.textContent : ""))).includes(words);
