// What a live image asks of the server, and when: with a server that answers when the test says so.
import assert from "node:assert/strict";
import { test } from "node:test";
import { pictureOf, type Check, type Moment, type Picture, type Piece } from "../src/image_api.ts";
import { Live, type LiveState } from "../src/model/live.ts";
import { markOfLine, marksOfMessages } from "../src/model/messages.ts";

const good: Piece = { compiled: true, messages: "", width: 4, height: 2, kernels: ["image"], arrays: [] };
const picture: Picture = { width: 4, height: 2, milliseconds: 5, pixels: new Uint8ClampedArray(32) };
const clean: Check = { frame: 3, findings: [], pixels: [], failure: "", not_checked: [] };

function stage({ compiles = (_text: string) => true } = {}) {
  const asked = { texts: [] as string[], frames: [] as (Moment & { run: number })[], checks: 0 };
  const gates: (() => void)[] = [];
  const server = { hold: false, fails: false };
  const states: LiveState[] = [];
  let [clock, drawn] = [0, 0];
  const timers: { at: number; call: () => void; number: number }[] = [];
  const live = new Live({
    studio: {
      start: async (text) => asked.texts.push(text),
      piece: async (run) => ({ ...good, compiled: compiles(asked.texts[run - 1]!) }),
      frame: async (run, moment) => {
        asked.frames.push({ run, ...moment });
        if (server.hold) await new Promise<void>((go) => gates.push(go));
        if (server.fails) throw new Error("it ended");
        clock += 20;
        return picture;
      },
      check: async () => ((asked.checks += 1), clean),
    },
    draw: () => (drawn += 1),
    show: (state) => states.push(state),
    wordsOf: String,
    now: () => clock,
    later: (call, milliseconds) => timers.push({ at: clock + milliseconds, call, number: timers.length + 1 }),
    forget: (number) => timers.forEach((timer) => timer.number === number && (timer.call = () => {})),
  });
  const settle = () => new Promise((done) => setImmediate(done));
  // Lets so many timers pass.
  const pass = async (count: number) => {
    await settle();
    for (let n = 0; n < count; ++n) {
      const next = timers.shift();
      if (!next) return;
      clock = Math.max(clock, next.at);
      next.call();
      await settle();
    }
  };
  return { live, asked, gates, server, states, settle, pass, drawn: () => drawn, last: () => states.at(-1)! };
}

test("frames follow each other, one at a time, and the third is checked", async () => {
  const { live, asked, pass, drawn, last, server, gates, settle } = stage();
  live.begin("a");
  await pass(5);
  assert.deepEqual(asked.frames.map(({ frame }) => frame), [0, 1, 2, 3, 4, 5]);
  assert.ok(asked.frames.every(({ x, y }) => x === 2 && y === 1), "the mouse begins in the middle");
  assert.equal(drawn(), 6);
  assert.equal(asked.checks, 1);
  assert.equal(last().check, clean);
  assert.ok(Math.abs(asked.frames[5]!.time - asked.frames[4]!.time - 0.02) < 0.001, "time is that of the clock");
  server.hold = true;
  await pass(1);
  await pass(3);
  assert.equal(asked.frames.length, 7, "a slow frame makes no queue");
  gates[0]!();
  await settle();
});

test("one that is paused from the start has one frame, and that is checked", async () => {
  const { live, asked, pass, drawn } = stage();
  live.pause(true);
  live.begin("a");
  await pass(5);
  assert.deepEqual([drawn(), asked.checks], [1, 1]);
  live.pause(false);
  await pass(4);
  assert.ok(drawn() >= 4);
});
test("typing is compiled when it stops, and the newest text counts", async () => {
  const { live, asked, pass, last } = stage({ compiles: (text) => text !== "wrong" });
  live.begin("a");
  await pass(2);
  for (const text of ["b", "bc", "wrong"]) live.change(text);
  await pass(8);
  assert.deepEqual(asked.texts, ["a", "wrong"]);
  assert.equal(last().what, "refused");
  const frames = asked.frames.length;
  await pass(5);
  assert.equal(asked.frames.length, frames, "what does not compile is not painted");
  live.change("good");
  await pass(8);
  assert.equal(last().what, "running");
  assert.equal(asked.frames.at(-1)!.run, 3);
});

test("it stands still when paused, hidden, failed and gone", async () => {
  const { live, asked, pass, server, last } = stage();
  live.begin("a");
  await pass(2);
  live.pause(true);
  await pass(5);
  const paused = asked.frames.length;
  await pass(5);
  assert.equal(asked.frames.length, paused);
  live.step();
  await pass(5);
  assert.equal(asked.frames.length, paused + 1);
  live.hide(true);
  live.pause(false);
  await pass(5);
  assert.equal(asked.frames.length, paused + 1);
  live.moveMouse(1, 0);
  live.hide(false);
  await pass(2);
  assert.ok(asked.frames.length > paused + 1);
  assert.equal(asked.frames.at(-1)!.x, 1);
  server.fails = true;
  await pass(5);
  assert.equal(last().what, "failed");
  assert.match(last().error, /it ended/);
  server.fails = false;
  await live.restart();
  assert.equal(last().what, "running");
  live.end();
  await pass(3);
  const over = asked.frames.length;
  await pass(3);
  assert.equal(asked.frames.length, over);
});

test("a picture is what it says, and the compiler's words have their lines", () => {
  const bytes = new Uint8Array(16 + 4 * 2);
  bytes.set([..."WWIM"].map((letter) => letter.charCodeAt(0)));
  new DataView(bytes.buffer).setUint32(4, 2, true);
  new DataView(bytes.buffer).setUint32(8, 1, true);
  new DataView(bytes.buffer).setUint32(12, 1500, true);
  assert.deepEqual([pictureOf(bytes.buffer).width, pictureOf(bytes.buffer).height, pictureOf(bytes.buffer).milliseconds], [2, 1, 1.5]);
  assert.throws(() => pictureOf(bytes.buffer.slice(0, 20)));
  assert.throws(() => pictureOf(new ArrayBuffer(3)));
  const said = "life.cu:3:7: error: expected ';'\n  int x\n      ^\nother.h:1:1: error: no\nlife.cu:9:1: warning: unused";
  assert.deepEqual(marksOfMessages("life.cu", said).map(({ line, column, severity }) => [line, column, severity]), [[3, 7, "error"], [9, 1, "warning"]]);
  assert.deepEqual(markOfLine("line 2: a size is so"), [{ line: 2, column: 0, severity: "error", message: "a size is so" }]);
  assert.deepEqual(markOfLine("the kernel"), []);
});
