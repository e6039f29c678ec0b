// A live image: the Mandelbrot piece as it comes, 512 x 512.
import { large } from "../../page/tests/pages.mjs";
import { serve } from "../../page/tests/session.mjs";

const seconds = 5;

export async function image({ browser, warpwise }) {
  const server = await serve(warpwise, []);
  const context = await browser.newContext({ viewport: large });
  const page = await context.newPage();
  await page.goto(server.link);
  await page.locator("nav.bar a").first().waitFor();
  await page.goto(`${server.origin}/#image=mandelbrot`);
  await page.reload();
  // The check of the third frame is over, and the optimised code is there.
  await page.waitForFunction(() => /^[✓✗]/.test(document.querySelector(".piece-findings [role=status]")?.textContent ?? ""), null, { timeout: 60_000 });
  await page.waitForTimeout(2000);
  const frame = () => page.evaluate(() => ({ at: performance.now(), frame: Number(document.querySelector(".live-picture").dataset.frame) }));
  const side = await page.evaluate(() => document.querySelector(".live-picture canvas").width);
  const begin = await frame();
  await page.waitForTimeout(1000 * seconds);
  const end = await frame();
  await context.close();
  await server.end();
  return [{ name: `live image of ${side} x ${side}, Mandelbrot`, value: (1000 * (end.frame - begin.frame)) / (end.at - begin.at), unit: "frames/s", least: 25 }];
}
