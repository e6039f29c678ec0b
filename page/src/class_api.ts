// What the server answers about a class (src/serve/class), and how it is asked: students join, the teacher looks.
import { get, post } from "./api.ts";

export interface StudentRow {
  nickname: string;
  return_code: string;
  problem: string | null; // where they are
  seconds: number | null; // since they asked for something
  state: "" | "waiting" | "running";
  solved: number;
  attempts: number;
  verdict: string; // of the last submission
  at: string;
}
export interface RefusalRow {
  problem: string;
  verdict: string;
  students: string[];
}
export interface Board {
  name: string;
  code: string;
  addresses: string[];
  running: number;
  waiting: number;
  students: StudentRow[];
  refusals: RefusalRow[];
}

export const join = (code: string, nickname: string, return_code: string): Promise<unknown> => post("/api/class/join", {}, { code, nickname, return_code });
export const getBoard = (signal: AbortSignal): Promise<Board> => get("/api/class", {}, signal);
export const handIn = (): Promise<{ folder: string }> => post("/api/class/export", {}, {});
