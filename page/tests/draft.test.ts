// What is typed is kept in its order, and never in place of a text that another tab has written.
import assert from "node:assert/strict";
import { test } from "node:test";
import { DraftKeeper, type DraftState } from "../src/model/draft.ts";

class Conflict extends Error {}

// A server with one draft; `hold` keeps its answers back.
function stage(start = 0) {
  const server = { revision: start, text: "", asked: 0, hold: null as Promise<void> | null };
  const states: DraftState[] = [];
  const keep = async (text: string, revision: number) => {
    server.asked += 1;
    await server.hold;
    if (revision !== server.revision) throw new Conflict();
    server.text = text;
    return { revision: ++server.revision };
  };
  const keeper = new DraftKeeper(start, keep, (error) => error instanceof Conflict, (state) => states.push(state), 1);
  const settled = () => new Promise((done) => setTimeout(done, 30));
  return { server, states, keeper, settled };
}

test("many changes are few requests, and the last one wins", async () => {
  const { server, states, keeper, settled } = stage();
  for (const text of ["a", "ab", "abc"]) keeper.change(text);
  await settled();
  assert.deepEqual([server.text, server.asked], ["abc", 1]);
  assert.equal(states.at(-1), "kept");
});

test("what is typed while a request is under way follows it with the new revision", async () => {
  const { server, keeper, settled } = stage(4);
  let go = () => {};
  server.hold = new Promise((done) => (go = done));
  keeper.change("first");
  await settled();
  keeper.change("second");
  await settled();
  assert.equal(server.asked, 1);
  go();
  await settled();
  assert.deepEqual([server.text, server.revision], ["second", 6]);
});

test("a text that another tab has changed is not replaced until the user says so", async () => {
  const { server, states, keeper, settled } = stage();
  server.revision = 9;
  server.text = "of another tab";
  keeper.change("mine");
  await settled();
  assert.equal(states.at(-1), "conflict");
  assert.equal(server.text, "of another tab");
  await keeper.insist("mine", 9);
  assert.equal(server.text, "mine");
  assert.equal(states.at(-1), "kept");
});
