// What the server answers (docs/trace_format.md, "Answers as JSON"; src/serve/answers.h), and how it is asked.

export interface Refusal {
  code: string;
  message: string;
  explanation: string;
}

export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly refusal: Refusal,
  ) {
    super(refusal.message);
  }
}

export interface Frame {
  file: string;
  line: number;
  column: number;
  function: string;
}
export interface Site {
  ptx: string;
  kind: string;
  line: number;
  bytes?: number;
  shared_atomic?: "words" | "swaps" | "spins" | "spins64"; // else lanes of one bank take turns
  type?: string;
}
export interface Warp {
  threads: number;
  steps: number;
  first: number;
  count: number;
  clocks: number;
}
export interface Party {
  role?: string;
  detail?: string;
  block?: [number, number, number];
  thread?: [number, number, number];
  frames?: Frame[];
}
export interface Finding {
  code: string;
  severity: string;
  message: string;
  threads: number;
  parties?: Party[];
  notes?: string[];
  help?: string;
}
export interface Mark {
  finding: number;
  party: number;
  warp: number;
  lane: number;
  step: number;
}
export interface Summary {
  program: string;
  command: string;
  device: string;
  schedule: string;
  kernel: string;
  launch: number;
  grid: [number, number, number];
  block_shape: [number, number, number];
  block: [number, number, number];
  chosen_by: string;
  threads_one_by_one: boolean;
  steps: number;
  recorded: number;
  open: { warp: number; step: number };
  value_lines: number[];
  input: object | null; // of the lab: which case it is
  warps: Warp[];
  folds: number[][];
  sites: Site[];
  lines: Frame[][];
  findings: { checked: boolean; list: Finding[]; marks: Mark[] };
  notes: string[];
}
export interface Cost {
  requests?: number;
  sectors?: number;
  ideal_sectors?: number;
  wavefronts?: number;
  ideal_wavefronts?: number;
  words?: number;
  bytes?: number;
}
export interface LineSum {
  line: number;
  frames: Frame[];
  steps: number;
  lanes: number;
  on_lanes: number;
  diverging: number;
  cost: Cost;
}
export interface Touched {
  at: number;
  lanes: number;
  words?: number;
}
export interface Access {
  space: "global" | "shared" | "local" | "const";
  mask: number;
  addresses: number[];
  cost: Cost;
  stride?: number;
  memory?: { base: number; bytes: number; name: string; argument: number };
  variable?: { name: string; offset: number };
  sectors?: Touched[];
  banks?: Touched[];
  words?: Touched[];
}
export interface Step {
  step: number;
  phase: number;
  clock: number;
  modelled_clock: number;
  site: number;
  active: number;
  on: number;
  waits?: number;
  cost?: Cost;
  values?: { mask: number; lanes: string[] }[];
}
export interface StepDetail {
  warp: number;
  step: Step;
  site: Site;
  frames: Frame[];
  accesses: Access[];
  marks: Mark[];
}
export interface Place {
  warp: number;
  step: number;
}
export interface SourceFile {
  name: string;
  text: string;
}
export interface LibraryFile {
  name: string;
  kind: "recording" | "source";
  bytes: number;
  state: "none" | "recording" | "ready" | "failed";
}
export interface Library {
  open: string;
  home: "lab" | "files" | "class"; // where the page begins
  class?: { role: "student" | "teacher"; name: string; nickname?: string; return_code?: string };
  lab: boolean; // there are problems
  images: boolean; // there are pieces
  files: LibraryFile[];
}
export interface RecordProgress {
  state: LibraryFile["state"];
  seconds: number;
  exit_code: number;
  said: string;
}

async function refusalOf(response: Response): Promise<Refusal> {
  try {
    return (await response.json()).error as Refusal;
  } catch {
    return { code: "", message: `the server answered ${response.status}`, explanation: "" };
  }
}

type Parameters = Record<string, string | number>;

async function fetched(path: string, parameters: Parameters, init: RequestInit): Promise<Response> {
  const query = new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)]));
  const response = await fetch(`${path}?${query}`, init);
  if (!response.ok) throw new Refused(response.status, await refusalOf(response));
  return response;
}

export async function get<T>(path: string, parameters: Parameters = {}, signal?: AbortSignal, heads?: (headers: Headers) => void): Promise<T> {
  const response = await fetched(path, parameters, { signal: signal ?? null });
  heads?.(response.headers);
  return response.json();
}

// `keepalive`: the page may be gone before the answer.
export async function post<T>(path: string, parameters: Parameters, body: unknown, keepalive = false, signal?: AbortSignal): Promise<T> {
  const headers = { "Content-Type": "application/json" };
  return (await fetched(path, parameters, { method: "POST", headers, body: JSON.stringify(body), keepalive, signal: signal ?? null })).json();
}

export async function getBytes(path: string, parameters: Parameters, signal?: AbortSignal): Promise<ArrayBuffer> {
  return (await fetched(path, parameters, { signal: signal ?? null })).arrayBuffer();
}

// A question to a recording.
export function ask<T>(file: string, question: string, parameters: Parameters = {}, signal?: AbortSignal): Promise<T> {
  return get(`/api/trace/${question}`, { file, ...parameters }, signal);
}

export async function askBytes(file: string, question: string, parameters: Parameters): Promise<ArrayBuffer> {
  return getBytes(`/api/trace/${question}`, { file, ...parameters });
}
