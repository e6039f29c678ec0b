// What is beside the pipes of a recording: the launch as advice would make it, the same program on another device, or
// another recording. `vs` in the address names it: "if:RULE", "device:ID:FILE", or a file.
import { useEffect, useRef, useState } from "preact/hooks";
import { ask, get, Refused, type Library, type LibraryFile, type Summary } from "../api.ts";
import { pipesOf, whatIfsOf, type Pipes, type Profile } from "../model/pipes.ts";
import { showBeside, wantedBeside } from "../selection.ts";
import { recordVariation } from "./record_again.ts";

export interface OtherPipes {
  name: string; // "on a100", "then"
  words: string; // the same for a heading
  pipes: Pipes;
}
export interface Choice {
  value: string;
  words: string;
}
export interface OtherPipesState {
  shown: OtherPipes | null;
  busy: string;
  said: string;
  chosen: string;
  whatIfs: Choice[];
  devices: Choice[];
  recordings: Choice[];
  choose: (value: string) => void;
}

const whatIf = "if:";
const onDevice = "device:";

async function otherRecording(file: string, summary: Summary, stop: AbortSignal): Promise<OtherPipes> {
  const device = file.startsWith(onDevice) ? file.split(":")[1]! : null;
  if (device !== null) await recordVariation(file, summary, stop);
  const [theirs, profile] = await Promise.all([ask<Summary>(file, "summary"), ask<Profile | null>(file, "profile")]);
  const pipes = profile && pipesOf(profile, theirs.launch);
  if (!pipes) throw new Refused(422, { code: "W0006", message: "that recording has no counts of the whole launch", explanation: "" });
  const name = device === null ? file : `on ${theirs.device}`;
  return { name, words: name, pipes };
}

export function useOtherPipes(file: string, summary: Summary, profile: Profile | null): OtherPipesState {
  const [shown, setShown] = useState<OtherPipes | null>(null);
  const [busy, setBusy] = useState("");
  const [said, setSaid] = useState("");
  const [chosen, setChosen] = useState("");
  const [files, setFiles] = useState<LibraryFile[]>([]);
  const [boards, setBoards] = useState<{ id: string; name: string }[]>([]);
  const stop = useRef(new AbortController());
  const ofSource = /\.cu$/.test(file) && !/^(lab|lesson|image):/.test(file);
  const advice = profile ? whatIfsOf(profile, summary.launch) : [];

  useEffect(() => {
    get<Library>("/api/files").then((library) => setFiles(library.files), () => {});
    if (ofSource) get<{ devices: typeof boards }>("/api/occupancy", { block: 32, registers: 32, shared: 0 }).then((answer) => setBoards(answer.devices), () => {});
    return () => stop.current.abort();
  }, [file]);

  const make = async (value: string, signal: AbortSignal): Promise<OtherPipes> => {
    if (!value.startsWith(whatIf)) return otherRecording(value, summary, signal);
    const rule = advice.find((one) => one.rule === value.slice(whatIf.length));
    const pipes = rule && profile ? pipesOf(profile, summary.launch, rule) : null;
    if (!rule || !pipes) throw new Refused(422, { code: "W0006", message: "the model knows of no such change", explanation: "" });
    return { name: "then", words: `what if you ${rule.remedy}`, pipes };
  };
  const choose = (value: string) => {
    stop.current.abort();
    const mine = (stop.current = new AbortController());
    setChosen(value), setSaid(""), setShown(null);
    showBeside(value || null);
    if (!value) return setBusy("");
    setBusy(value);
    make(value, mine.signal)
      .then(setShown, (error) => mine.signal.aborted || setSaid(error instanceof Refused ? `${error.refusal.code}: ${error.refusal.message}` : "The server does not answer. It may have ended."))
      .finally(() => mine.signal.aborted || setBusy(""));
  };
  useEffect(() => {
    const wanted = wantedBeside();
    if (profile && wanted !== null) choose(wanted);
  }, [profile]);

  return {
    shown,
    busy,
    said,
    chosen,
    whatIfs: advice.map((one) => ({ value: whatIf + one.rule, words: `${one.title} (${one.gain.toFixed(1)}×)` })),
    devices: boards.filter((board) => board.id !== summary.device).map((board) => ({ value: `${onDevice}${board.id}:${file}`, words: board.name })),
    recordings: files.filter((one) => one.name !== file && one.state === "ready").map((one) => ({ value: one.name, words: one.name })),
    choose,
  };
}
