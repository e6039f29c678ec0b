// The pictures of docs/page.md: node screenshots.mjs WORK WARPWISE OUT, where WORK is the page's folder of a build.
import { join } from "node:path";
import { launch, planted, serve } from "./tests/session.mjs";

const [warpwise, out] = process.argv.slice(3);
const examples = join(planted, "../../../examples");
const server = await serve(warpwise, [
  ["race.wwt", "--kernel=race", planted],
  ["conflict.wwt", "--kernel=conflict", planted],
  ["divergence.wwt", "--kernel=divergence", planted],
  ["uncoalesced.wwt", "--kernel=uncoalesced", planted],
  ["transpose.wwt", "--no-check", "--kernel=naive", join(examples, "transpose.cu")],
  ["reduction.wwt", "--no-check", "--kernel=interleaved", join(examples, "reduction.cu")],
]);
const browser = await launch();
const names = process.argv[5]?.split(",") ?? ["race", "conflict", "divergence", "uncoalesced", "transpose", "reduction"];
for (const colorScheme of ["light", "dark"])
  for (const [width, height] of [
    [1366, 768],
    [360, 740],
  ]) {
    const context = await browser.newContext({ viewport: { width, height }, colorScheme });
    const page = await context.newPage();
    await page.goto(server.link);
    await page.locator("main.files li").first().waitFor();
    for (const name of names) {
      await page.goto(`${server.origin}/#file=${name}.wwt`);
      await page.reload();
      await page.locator(".cost .sentence").first().waitFor();
      await page.locator("canvas[data-rectangles]").waitFor();
      await page.locator(".source .runs").first().waitFor();
      await page.waitForTimeout(300);
      await page.screenshot({ path: join(out, `page-${name}-${width}-${colorScheme}.png`), fullPage: width < 500 });
    }
    await context.close();
  }
await browser.close();
await server.end();
