// A judgement as the page shows it: cases as they come, words, and the lines of the source that it is about.
import type { CaseReport, Fact, Judgement, RunNews } from "../lab_api.ts";

export interface CaseRow {
  name: string;
  state: "passed" | "refused" | "waits" | "not-run";
  shape: string;
}

// All cases of the problem in its order: what has ended, what may still come, and what did not run because an earlier
// one was refused.
export function caseRows(names: string[], reports: CaseReport[], ended: boolean): CaseRow[] {
  const known = new Map(reports.map((one) => [one.name, one]));
  return names.map((name) => {
    const report = known.get(name);
    if (!report) return { name, state: ended ? "not-run" : "waits", shape: "" };
    return { name, state: report.passed ? "passed" : "refused", shape: report.shape };
  });
}

// The cases that a run has told so far.
export function reportsOf(events: RunNews["events"]): CaseReport[] {
  return events.flatMap((event) => ("case" in event ? [{ ...event, name: event.case }] : []));
}

export function judgementOf(events: RunNews["events"]): Judgement | null {
  return events.reduce<Judgement | null>((last, event) => ("judgement" in event ? event.judgement : last), null);
}

export interface LineMark {
  line: number;
  column: number; // from 1; 0: all of the line
  severity: "error" | "warning";
  message: string;
}

const compilerLine = /^(?:.*\/)?([^/:\s]+):(\d+):(\d+): (?:fatal )?(error|warning): (.*)$/;

// The lines of the submission's own file, each with what is said about it.
export function lineMarks(file: string, facts: Fact[]): LineMark[] {
  const marks: LineMark[] = [];
  let [what, who] = ["", ""];
  const add = (mark: LineMark) => {
    const same = marks.find((one) => one.line === mark.line && one.column === mark.column);
    if (!same) marks.push(mark);
    else if (!same.message.includes(mark.message)) same.message += `\n${mark.message}`;
  };
  for (const fact of facts) {
    const said = compilerLine.exec(fact.text);
    if (said && said[1] === file)
      add({ line: Number(said[2]), column: Number(said[3]), severity: said[4] as LineMark["severity"], message: said[5]! });
    else if (fact.label === "what") [what, who] = [fact.text, ""];
    else if (fact.label === "by" || fact.label === "and") who = fact.text;
    else if (fact.label === "at" && fact.file === file && fact.line)
      add({ line: fact.line, column: fact.column ?? 0, severity: "error", message: [what, who].filter((text) => text).join(": ") });
  }
  return marks;
}

const units: [number, string][] = [
  [1, "s"],
  [1e-3, "ms"],
  [1e-6, "µs"],
  [1e-9, "ns"],
];

export function secondsText(seconds: number): string {
  const [unit, name] = units.find(([one]) => seconds >= one) ?? units[3]!;
  return `${Number((seconds / unit).toPrecision(3))} ${name}`;
}

// "out-of-bounds" as people say it.
export const verdictWords = (verdict: string): string => verdict.replaceAll("-", " ");

export function howLongAgo(at: string, now: number): string {
  const seconds = Math.max(0, (now - Date.parse(at)) / 1000);
  const spans: [number, string][] = [
    [86_400, "day"],
    [3600, "hour"],
    [60, "minute"],
  ];
  for (const [span, name] of spans) {
    const count = Math.floor(seconds / span);
    if (count > 0) return `${count} ${name}${count === 1 ? "" : "s"} ago`;
  }
  return "just now";
}
