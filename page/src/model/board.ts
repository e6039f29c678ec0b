// The teacher's board in the order in which it helps: what most are stuck at comes first, and whoever has been quiet for
// long can be seen.
import type { RefusalRow, StudentRow } from "../class_api.ts";

export function byStudents(refusals: RefusalRow[]): RefusalRow[] {
  return [...refusals].sort((a, b) => b.students.length - a.students.length || a.problem.localeCompare(b.problem) || a.verdict.localeCompare(b.verdict));
}

// A page asks for something at least every time that its student stops typing.
const away = 300;

export function presence(row: StudentRow): string {
  if (row.state === "running") return "is being judged";
  if (row.state === "waiting") return "waits for the judge";
  if (row.seconds === null) return "not here since the server began";
  if (row.seconds < 60) return "here";
  const minutes = Math.floor(row.seconds / 60);
  return `${row.seconds < away ? "quiet for" : "away for"} ${minutes} ${minutes === 1 ? "minute" : "minutes"}`;
}
