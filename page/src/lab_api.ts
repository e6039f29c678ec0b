// What the server answers about the lab (src/serve/lab), and how it is asked.
import { get, post } from "./api.ts";

export interface ProblemRow {
  name: string; // "puzzles/map"
  title: string;
  level: string;
  number: number;
  kind: "kernel" | "solve";
  idea: string;
  open: boolean; // what it builds on is solved
  solved: boolean;
  attempts: number;
  last_verdict: string;
  hints: number;
}
export interface Chapter {
  id: string;
  title: string;
  about: string;
  reading: string;
  problems: ProblemRow[];
}
export interface LabMap {
  solved: number;
  of: number;
  next: string;
  chapters: Chapter[];
}
export interface Fact {
  label: string;
  text: string;
  file?: string;
  line?: number;
  column?: number;
}
export interface CaseReport {
  name: string;
  passed: boolean;
  shape: string;
  seconds: number;
}
export interface Performance {
  modelled_seconds: number;
  device: string;
}
export interface Judgement {
  problem: string;
  verdict: string;
  accepted: boolean;
  seed: number;
  seconds: number;
  cases: CaseReport[];
  refusal?: { case: string; shape: string; shrunk: boolean; next?: string };
  performance?: Performance;
  printed?: string;
  facts?: Fact[];
}
export interface Attempt {
  id: number;
  at: string;
  verdict: string;
  samples_only: boolean;
  seconds: number;
  seed: number;
  modelled_seconds?: number;
  device?: string;
}
export interface WholeAttempt {
  attempt: Attempt;
  judgement: Judgement | null;
  source: string;
}
export interface ProblemDetail {
  name: string;
  title: string;
  level: string;
  number: number;
  kind: "kernel" | "solve";
  idea: string;
  solved: boolean;
  file: string; // "map.cu"
  signature: string;
  statement: string; // Markdown, as hints and lesson
  starter: string;
  cases: { name: string; sizes: string; sample: boolean; timed: boolean }[];
  budgets: string[];
  hints: { seen: string[]; of: number };
  draft: { text: string; revision: number; at: string } | null;
  attempts: Attempt[];
  last: WholeAttempt | null;
  lesson: string;
}
export type RunKind = "submit" | "test" | "trace";
export interface RunNews {
  run: number;
  problem: string;
  kind: RunKind;
  state: "waiting" | "running" | "done" | "failed" | "stopped";
  ahead: number; // submissions before it, while it waits
  next: number;
  events: ({ case: string; passed: boolean; shape: string; seconds: number } | { judgement: Judgement })[];
  said: string;
}

export const hasEnded = (state: RunNews["state"]): boolean => state !== "waiting" && state !== "running";

// This tab: of each, one submission may wait, and one picture is painted.
export const tab = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");

export const getMap = (): Promise<LabMap> => get("/api/lab");

// A problem, and the run that it has now; 0: none.
export async function getProblem(name: string): Promise<ProblemDetail & { run: number }> {
  let run = 0;
  const problem = await get<ProblemDetail>("/api/lab/problem", { name }, undefined, (headers) => {
    run = Number(headers.get("Warpwise-Run") ?? 0);
  });
  return { ...problem, run };
}

export const getAttempt = (id: number): Promise<WholeAttempt> => get("/api/lab/attempt", { id });
export const nextHint = (name: string): Promise<{ number: number; of: number; text: string }> => post("/api/lab/hint", { name }, {});
export const keepDraft = (name: string, text: string, revision: number, last = false): Promise<{ revision: number }> =>
  post("/api/lab/draft", { name }, { text, revision }, last);

export const startRun = (name: string, kind: RunKind, text: string, more: Record<string, string | number> = {}): Promise<RunNews> =>
  post("/api/lab/run", { name, kind, page: tab, ...more }, { text });
// What the compiler says of a text.
export const diagnose = async (name: string, text: string, signal: AbortSignal): Promise<string> =>
  (await post<{ messages: string }>("/api/lab/diagnose", { name, page: tab }, { text }, false, signal)).messages;
export const stopRun = (run: number): Promise<RunNews> => post("/api/lab/stop", { run }, {});

// Hears of a run until it has ended.
export async function followRun(run: number, hear: (news: RunNews) => void, signal: AbortSignal): Promise<void> {
  for (let from = 0; ; ) {
    const news = await get<RunNews>("/api/lab/run", { run, from }, signal);
    if (signal.aborted) return;
    hear(news);
    if (hasEnded(news.state)) return;
    from = news.next;
  }
}
