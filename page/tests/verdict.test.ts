// Judgements as the page shows them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { VerdictView } from "../src/views/lab/verdict_view.tsx";
import { render } from "./render.ts";
import { caseRows, howLongAgo, judgementOf, lineMarks, reportsOf, secondsText, verdictWords } from "../src/model/verdict.ts";

const report = (name: string, passed: boolean) => ({ name, passed, shape: `n of ${name}`, seconds: 0 });

test("cases that have not ended wait while the judge runs, and did not run when it has ended", () => {
  const rows = caseRows(["a", "b", "c"], [report("a", true), report("b", false)], false);
  assert.deepEqual(
    rows.map((row) => row.state),
    ["passed", "refused", "waits"],
  );
  assert.equal(caseRows(["a", "b", "c"], [report("a", true)], true)[2]!.state, "not-run");
  assert.equal(rows[0]!.shape, "n of a");
});

test("a run's events are its cases, then its judgement", () => {
  const first = { verdict: "accepted" } as never;
  const last = { verdict: "accepted", performance: {} } as never;
  const events = [{ case: "a", passed: true, shape: "n = 1", seconds: 0 }, { judgement: first }, { judgement: last }];
  assert.deepEqual(
    reportsOf(events).map((one) => one.name),
    ["a"],
  );
  assert.equal(judgementOf(events), last, "the second one knows the ladder");
  assert.equal(judgementOf([]), null);
});

test("lines of the submission's own file are marked with what was said of them", () => {
  const facts = [
    { label: "what", text: "race on `s`" },
    { label: "by", text: "write by thread 0" },
    { label: "at", text: "k.cu:7", file: "k.cu", line: 7, column: 3 },
    { label: "and", text: "read by thread 1" },
    { label: "at", text: "k.cu:9", file: "k.cu", line: 9, column: 5 },
    { label: "at", text: "other.h:2", file: "other.h", line: 2, column: 1 },
  ];
  assert.deepEqual(lineMarks("k.cu", facts), [
    { line: 7, column: 3, severity: "error", message: "race on `s`: write by thread 0" },
    { line: 9, column: 5, severity: "error", message: "race on `s`: read by thread 1" },
  ]);
});

test("a compiler's messages mark their lines", () => {
  const said = ["/tmp/x/k.cu:3:5: error: use of undeclared identifier 'y'", "  3 |   y = 1;", "k.cu:4:1: warning: unused", "other.cu:1:1: error: no"];
  assert.deepEqual(
    lineMarks("k.cu", said.map((text) => ({ label: "", text }))),
    [
      { line: 3, column: 5, severity: "error", message: "use of undeclared identifier 'y'" },
      { line: 4, column: 1, severity: "warning", message: "unused" },
    ],
  );
});

test("a verdict has its colour before the judge's process has ended", () => {
  const colourOf = (accepted: boolean) => {
    const judgement = { verdict: accepted ? "accepted" : "wrong-value", accepted, seconds: 0, cases: [] };
    const run = { run: 1, problem: "p", kind: "submit", state: "running", ahead: 0, next: 1, events: [{ judgement }], said: "" };
    const unused = () => {};
    const props = { problem: { cases: [], file: "p.cu", lesson: "" }, shown: { judgement: null, samplesOnly: false, run }, stale: false, next: "", tracing: false, traceSaid: "" };
    const html = render(VerdictView({ ...props, seeIt: unused, stop: unused, goToLine: unused } as never) as never);
    return /class="verdict (\w*)"/.exec(html)?.[1];
  };
  assert.equal(colourOf(true), "good");
  assert.equal(colourOf(false), "bad");
});

test("times and words", () => {
  assert.equal(secondsText(1.31e-5), "13.1 µs");
  assert.equal(secondsText(2), "2 s");
  assert.equal(verdictWords("out-of-bounds"), "out of bounds");
  const now = Date.parse("2026-03-01T12:00:00Z");
  assert.equal(howLongAgo("2026-03-01T11:59:50.5Z", now), "just now");
  assert.equal(howLongAgo("2026-03-01T11:00:00Z", now), "1 hour ago");
  assert.equal(howLongAgo("2026-02-27T11:00:00Z", now), "2 days ago");
});
