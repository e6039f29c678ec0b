// What is shown beside a recording: gets it recorded if need be, loads it, and compares the two. Its name stands in the
// address (`vs`), so that a link leads to both.
import { useEffect, useRef, useState } from "preact/hooks";
import { ask, Refused, type Place, type StepDetail } from "../api.ts";
import { getAttempt, getProblem, type Attempt } from "../lab_api.ts";
import { isSameSource, type Differences } from "../model/beside.ts";
import { baseName } from "../model/source_lines.ts";
import { showBeside, wantedBeside, wantedProblem } from "../selection.ts";
import { recordCase, recordVariation } from "./record_again.ts";
import { loadRecording, type Recording } from "./recording_view.tsx";

export interface Beside {
  recording: Recording;
  words: string; // "order 7", "attempt 12"
  differences: Differences | null; // null: the source is another one
  partner: { place: Place; detail: StepDetail | null } | null; // the step that goes with this one, when it is known
}
export interface BesideState {
  shown: Beside | null;
  busy: string; // what is being recorded: "order 7"
  said: string; // why there is none
  attempts: Attempt[]; // that can be shown beside it
  canReorder: boolean;
  reorder: () => void;
  attempt: (id: number) => void;
  close: () => void;
}

const orderOf = (name: string): number | null => (/^order:\d+:/.test(name) ? Number(name.split(":")[1]) : null);
const wordsOf = (error: unknown): string =>
  error instanceof Refused ? `${error.refusal.code}: ${error.refusal.message}` : "The server does not answer. It may have ended.";

async function loadBeside(name: string, words: string, to: Recording): Promise<Beside> {
  let recording: Recording | null = null;
  await loadRecording(name, (loaded) => (recording = loaded));
  const loaded = recording as unknown as Recording;
  const same = isSameSource(to.sources, loaded.sources);
  const order = /^shuffle:(\d+)/.exec(loaded.summary.schedule)?.[1];
  return {
    recording: loaded,
    words: words || (same && order ? `order ${order}` : /^lab:/.test(name) ? "the other recording" : name),
    differences: same ? await ask<Differences>(to.file, "differences", { vs: name }) : null,
    partner: null,
  };
}

export function useBeside(recording: Recording, place: Place): BesideState {
  const { file, summary } = recording;
  const problem = wantedProblem();
  const [shown, setShown] = useState<Beside | null>(null);
  const [busy, setBusy] = useState("");
  const [said, setSaid] = useState("");
  const [attempts, setAttempts] = useState<Attempt[]>([]);
  const seed = useRef(0);
  const stop = useRef(new AbortController());
  const ofLab = problem !== null && summary.input !== null;
  const canReorder = ofLab || /\.cu$/.test(file);

  useEffect(() => {
    if (ofLab) getProblem(problem).then((found) => setAttempts(found.attempts), () => {});
  }, [problem, ofLab]);

  // Only the newest wish is followed.
  const begin = async (words: string, name: (stop: AbortSignal) => Promise<string>) => {
    stop.current.abort();
    const mine = (stop.current = new AbortController());
    setBusy(words), setSaid("");
    try {
      const made = await name(mine.signal);
      const beside = await loadBeside(made, words, recording);
      if (mine.signal.aborted) return;
      setShown(beside), showBeside(made);
    } catch (error) {
      if (!mine.signal.aborted) setSaid(`There is no ${words} to show. ${wordsOf(error)}`);
    }
    if (!mine.signal.aborted) setBusy("");
  };
  useEffect(() => () => stop.current.abort(), []);

  const inOrder = (order: number) => {
    seed.current = order;
    void begin(`order ${order}`, async (signal) => {
      const source = problem === null ? "" : recording.sources.find((one) => baseName(one.name) === `${baseName(problem)}.cu`)?.text;
      if (ofLab && source) return recordCase(problem, source, { ...summary.input, order }, signal);
      const name = `order:${order}:${file}`;
      await recordVariation(name, summary, signal);
      return name;
    });
  };
  const attempt = (id: number) =>
    void begin(`attempt ${id}`, async (signal) => recordCase(problem!, (await getAttempt(id)).source, { ...summary.input }, signal));

  // A link names what is beside it.
  useEffect(() => {
    const wanted = wantedBeside();
    // What is beside the pipes alone is no matter here.
    if (wanted === null || /^(if|device):/.test(wanted)) return;
    const order = orderOf(wanted);
    if (order !== null) inOrder(order);
    else void begin("", async () => wanted);
  }, [file]);

  useEffect(() => {
    if (!shown?.differences) return;
    const gone = new AbortController();
    ask<StepDetail | null>(file, "partner", { vs: shown.recording.file, ...place }, gone.signal).then(
      (detail) => setShown((now) => now && { ...now, partner: { place, detail } }),
      () => {},
    );
    return () => gone.abort();
  }, [file, shown?.recording.file, shown?.differences, place.warp, place.step]);

  return {
    shown,
    busy,
    said,
    attempts,
    canReorder,
    reorder: () => inOrder(seed.current + 1),
    attempt,
    close: () => (stop.current.abort(), setShown(null), setBusy(""), setSaid(""), showBeside(null)),
  };
}
