// A class in a browser: node class.mjs WORK WARPWISE. Three students and a teacher: they join, are refused and accepted, come back
// from another machine, reload, have two tabs; the server ends and starts again; the teacher sees who is where. On the
// machine's own network address where it has one, because browsers trust such pages less than those of loopback.
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { Watch, everywhere, large } from "./pages.mjs";
import { launch, serveClass } from "./session.mjs";
import { kept, map as kernel, ready, textOf, verdict, write } from "./workplace.mjs";

const warpwise = process.argv[3];
const hasNetwork = Object.values(networkInterfaces()).flat().some((one) => one.family === "IPv4" && !one.internal);
const folder = mkdtempSync(join(tmpdir(), "warpwise-class-"));

const begin = (port) => serveClass(warpwise, folder, port, hasNetwork);

let server = await begin(0);
const browser = await launch();
// What the browser says of a page that came by plain http, and of answers that tests provoke.
const expected = /Cross-Origin-Opener-Policy|401 \(Unauthorized\)|403 \(Forbidden\)|ERR_CONNECTION_REFUSED|409 \(Conflict\)/;
const watch = new Watch(server, expected);
const tab = (context) => watch.tab(context);
async function joins(page, nickname, back = "") {
  await page.getByLabel("Code of the class").fill(server.code.toLowerCase());
  await page.getByLabel("Nickname").fill(nickname);
  await page.getByLabel("Return code").fill(back);
  await page.keyboard.press("Enter");
}
const sees = (page, pattern) => page.waitForFunction((text) => new RegExp(text).test(document.querySelector("main.console")?.innerText.replace(/\s+/g, " ") ?? ""), pattern.source, { timeout: 20_000 });

try {
  // A wrong code, then the right one.
  const people = [];
  for (const nickname of ["ada", "bob", "cleo"]) {
    const context = await browser.newContext({ viewport: large });
    const page = await tab(context);
    await page.goto(server.origin);
    await page.locator("main.join").waitFor();
    people.push({ nickname, context, page });
  }
  const [ada, bob, cleo] = people.map((one) => one.page);
  await ada.getByLabel("Code of the class").fill("AAAAAA");
  await ada.getByLabel("Nickname").fill("ada");
  await ada.keyboard.press("Enter");
  await ada.locator("[role=alert]", { hasText: "not the code" }).waitFor();
  await everywhere(ada, "joining");
  for (const { page, nickname } of people) {
    await joins(page, nickname);
    await page.locator("main.lab-map a.go").waitFor();
  }
  await everywhere(ada, "a student's map");
  assert.match(await ada.locator(".bar").innerText(), /ada in cs101/);
  assert.equal(await ada.locator(".bar a", { hasText: "Recordings" }).count(), 0);

  // All three submit at once; two of them the same.
  for (const page of [ada, bob, cleo]) {
    await page.locator("main.lab-map a.go").click();
    await ready(page);
  }
  await write(ada, kernel("out[i] = a[i + 1] + 10;"));
  await write(bob, kernel("out[i] = a[i + 1] + 10;"));
  await write(cleo, kernel("out[i] = a[i] + 10;"));
  for (const page of [ada, bob, cleo]) await page.keyboard.press("Control+Enter");
  await verdict(ada, /Refused: out of bounds/);
  await verdict(bob, /Refused: out of bounds/);
  await verdict(cleo, /Accepted/);
  await everywhere(ada, "a student's problem");

  // A student sees why.
  await ada.getByRole("button", { name: "See it" }).click();
  await ada.locator(".cost .sentence", { hasText: "C0101" }).waitFor({ timeout: 60_000 });
  await ada.goBack();
  await ready(ada);

  // The teacher's console.
  const teacher = await tab(await browser.newContext({ viewport: large }));
  await teacher.goto(server.link);
  await sees(teacher, /puzzles\/map out of bounds 2 ada, bob/);
  await sees(teacher, /cleo puzzles\/(map|zip) 1 /);
  assert.ok((await teacher.locator(".invitation").innerText()).includes(server.code));
  await everywhere(teacher, "the console");
  await teacher.getByRole("button", { name: "Write a folder" }).click();
  const said = teacher.locator("[role=status]", { hasText: "Written to" });
  await said.waitFor();
  const [, handed] = /Written to (\S+)\./.exec(await said.innerText());
  assert.ok(existsSync(join(handed, "cleo/puzzles/map.cu")));

  // Two tabs, and a reload in the middle of a word.
  const second = await tab(people[1].context);
  await second.goto(`${server.origin}/#problem=puzzles/map`);
  await ready(second);
  await write(second, kernel("/* of bob's other tab */"));
  await kept(second);
  await second.reload();
  await ready(second);
  assert.match(await textOf(second), /bob's other tab/);
  await second.close();

  // Another machine, with the return code.
  const code = await ada.locator(".bar code").innerText();
  const elsewhere = await tab(await browser.newContext({ viewport: large }));
  await elsewhere.goto(server.origin);
  await joins(elsewhere, "ada");
  await elsewhere.locator("[role=alert]", { hasText: "return code" }).waitFor();
  await joins(elsewhere, "ada", code);
  await elsewhere.locator("main.lab-map a.go").waitFor();
  assert.match(await elsewhere.locator("main.lab-map").innerText(), /\d attempts?, last: out of bounds/);

  // The server ends and starts again at the same port: everybody is still there.
  await write(ada, kernel("/* before the server ended */"));
  await kept(ada);
  const { port } = server;
  await server.end();
  server = await begin(port);
  watch.alsoOf(server);
  for (const page of [ada, cleo]) {
    await page.reload();
    await ready(page);
  }
  assert.match(await textOf(ada), /before the server ended/);
  await teacher.goto(server.link);
  await sees(teacher, /puzzles\/map out of bounds 2 ada, bob/);

  watch.nothing();
  console.log("PASSED");
} finally {
  await browser.close();
  await server.end();
  rmSync(folder, { recursive: true });
}
