// The teacher's board.
import assert from "node:assert/strict";
import { test } from "node:test";
import { byStudents, presence } from "../src/model/board.ts";

test("what most are stuck at comes first", () => {
  const rows = byStudents([
    { problem: "a", verdict: "race", students: ["x"] },
    { problem: "b", verdict: "race", students: ["x", "y"] },
    { problem: "a", verdict: "barrier", students: ["y"] },
  ]);
  assert.deepEqual(
    rows.map((row) => `${row.problem} ${row.verdict}`),
    ["b race", "a barrier", "a race"],
  );
});

test("who is here", () => {
  const row = { nickname: "ada", return_code: "", problem: null, seconds: null, state: "", solved: 0, attempts: 0, verdict: "", at: "" } as const;
  assert.equal(presence(row), "not here since the server began");
  assert.equal(presence({ ...row, seconds: 59 }), "here");
  assert.equal(presence({ ...row, seconds: 60 }), "quiet for 1 minute");
  assert.equal(presence({ ...row, seconds: 600 }), "away for 10 minutes");
  assert.equal(presence({ ...row, seconds: 600, state: "running" }), "is being judged");
});
