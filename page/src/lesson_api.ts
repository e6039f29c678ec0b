// What the server answers about lessons (src/serve/lab/lessons.h), and how it is asked.
import { ask, get, post, type LineSum, type Place, type RecordProgress, type SourceFile, type StepDetail, type Summary } from "./api.ts";
import type { Recording } from "./views/recording_view.tsx";

export type Part = "source" | "warps" | "lanes" | "memory";
export interface Look {
  run: number;
  line: number; // of the kernel
  warp: number;
  time: number;
  of: string;
  show: Part[];
}
export interface Question {
  ask: string; // Markdown, as `because`
  choices: { key: string; text: string }[];
  figure: string; // the answer is the choice whose key it is
  because: string;
  kernel: string; // "": that of the picture
  launch: string;
  look: Look;
}
export interface LessonStep {
  title: string;
  text: string; // Markdown
  kernel: string;
  launch: string;
  picture: Look | null;
  question: Question | null;
}
export interface LessonRow {
  name: string;
  title: string;
  chapter: string;
  about: string;
  steps: number;
}
export interface Lesson extends Omit<LessonRow, "steps"> {
  steps: LessonStep[];
}

export const getLessons = async (): Promise<LessonRow[]> => (await get<{ lessons: LessonRow[] }>("/api/lessons")).lessons;
export const getLesson = (name: string): Promise<Lesson> => get("/api/lesson", { name });

// What a picture is drawn from.
export interface Seen {
  recording: Recording;
  place: Place;
  figure: string; // "": none was asked for
}

const pollMilliseconds = 100;
const pause = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));

export class NotRecorded extends Error {}

// Records the program, unless that has been done, and looks at the step.
export async function see(lesson: string, look: Look, figure: string, signal: AbortSignal): Promise<Seen> {
  for (;;) {
    const progress = await post<RecordProgress>("/api/lesson/run", { name: lesson, run: look.run }, {}, false, signal);
    if (progress.state === "failed") throw new NotRecorded(progress.said);
    if (progress.state === "ready") break;
    await pause(pollMilliseconds);
  }
  const file = `lesson:${lesson}:${look.run}`;
  const where = { line: look.line, warp: look.warp, time: look.time, of: look.of, figure };
  const [summary, lines, sources, found] = await Promise.all([
    ask<Summary>(file, "summary", {}, signal),
    ask<{ lines: LineSum[] }>(file, "lines", {}, signal),
    ask<{ files: SourceFile[] }>(file, "sources", {}, signal),
    ask<Place & { figure: string }>(file, "look", where, signal),
  ]);
  return {
    recording: { file, summary, lines: lines.lines, summed: true, sources: sources.files },
    place: { warp: found.warp, step: found.step },
    figure: found.figure,
  };
}

export const stepOf = (file: string, place: Place, signal: AbortSignal): Promise<StepDetail> => ask(file, "step", { ...place }, signal);
