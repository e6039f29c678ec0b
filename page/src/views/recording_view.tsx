// A recording: loads what does not change, holds the selection, and lets the views and the keys move it.
import { useCallback, useEffect, useState } from "preact/hooks";
import {
  ask,
  Refused,
  type LibraryFile,
  type LineSum,
  type Place,
  type Refusal,
  type SourceFile,
  type StepDetail,
  type Summary,
} from "../api.ts";
import { showSelection, showView, wantedSelection, wantedView } from "../selection.ts";
import { nextDifference } from "../model/beside.ts";
import { BesideView } from "./beside_view.tsx";
import { CostView } from "./cost_view.tsx";
import { Header } from "./header.tsx";
import { useKeys } from "./keys.ts";
import { LaneView } from "./lane_view.tsx";
import { MemoryView } from "./memory_view.tsx";
import { Message } from "./message.tsx";
import { PipesView } from "./pipes_view.tsx";
import { SourceView } from "./source_view.tsx";
import { StepBar } from "./step_bar.tsx";
import { StepTable } from "./step_table.tsx";
import { useBeside } from "./use_beside.ts";
import { WeaveView } from "./weave_view.tsx";

export interface Recording {
  file: string;
  summary: Summary;
  lines: LineSum[];
  summed: boolean; // the lines are there: of ten million steps they take a second
  sources: SourceFile[];
}

export async function loadRecording(file: string, show: (recording: Recording) => void): Promise<void> {
  const [summary, sources] = await Promise.all([
    ask<Summary>(file, "summary"),
    ask<{ files: SourceFile[] }>(file, "sources"),
  ]);
  show({ file, summary, lines: [], summed: false, sources: sources.files });
  const { lines } = await ask<{ lines: LineSum[] }>(file, "lines");
  show({ file, summary, lines, summed: true, sources: sources.files });
}

export interface Back {
  words: string; // on its button
  go: () => void;
}

interface Properties {
  file: LibraryFile;
  back: Back | null;
  again: (() => void) | null; // records a source anew
}

export function RecordingView({ file, back, again }: Properties) {
  const [recording, setRecording] = useState<Recording | null>(null);
  const [refusal, setRefusal] = useState<{ error: Refusal | null } | null>(null);
  useEffect(() => {
    loadRecording(file.name, setRecording).catch((error) => setRefusal({ error: error instanceof Refused ? error.refusal : null }));
  }, [file.name]);
  if (refusal) return <Message error={refusal.error} />;
  if (!recording) return <main class="message" aria-busy="true" />;
  return <ThreadView recording={recording} back={back} again={again} />;
}

// A recorded step of a warp, as near as there is one.
function clamped(summary: Summary, place: Place): Place {
  const warp = Math.min(Math.max(0, place.warp), summary.warps.length - 1);
  const { first, count } = summary.warps[warp]!;
  return { warp, step: Math.min(Math.max(first, place.step), first + Math.max(0, count - 1)) };
}

function placeOfAddress(summary: Summary): Place {
  const { warp, step } = wantedSelection();
  return clamped(summary, warp === null || step === null ? summary.open : { warp, step });
}

function ThreadView({ recording, back, again }: { recording: Recording; back: Back | null; again: (() => void) | null }) {
  const { file, summary } = recording;
  const [view, setView] = useState(wantedView);
  const [place, setPlace] = useState(() => placeOfAddress(summary));
  const [detail, setDetail] = useState<StepDetail | null>(null);
  const [lane, setLane] = useState<number | null>(null);
  const [said, setSaid] = useState("");

  const go = useCallback((to: Place) => (setSaid(""), setPlace(clamped(summary, to))), [summary]);
  useEffect(() => {
    const follow = () => (setPlace(placeOfAddress(summary)), setView(wantedView()));
    addEventListener("popstate", follow);
    addEventListener("hashchange", follow);
    return () => (removeEventListener("popstate", follow), removeEventListener("hashchange", follow));
  }, [summary]);
  useEffect(() => {
    if (view === "threads") showSelection({ file, ...place });
    const stop = new AbortController();
    ask<StepDetail>(file, "step", { ...place }, stop.signal).then(
      (now) => (setDetail(now), setLane(null)),
      (error) => {
        if (error instanceof Refused) setSaid(`${error.refusal.code}: ${error.refusal.message}`);
        else if (!stop.signal.aborted) setSaid("The server does not answer. It may have ended.");
      },
    );
    return () => stop.abort();
  }, [file, place.warp, place.step, view]);
  const show = (to: typeof view) => (showView(to), setView(to));

  const next = useCallback(
    async (event: string, backwards: boolean) => {
      const from = (there: Place) => ask<{ place: Place | null }>(file, "next", { event, ...there, back: backwards ? 1 : 0 });
      const { place: found } = await from(place);
      if (found) return go(found);
      // Behind the last comes the first, and before the first the last.
      const edge = backwards ? { warp: summary.warps.length - 1, step: 2 ** 50 } : { warp: 0, step: 0 };
      const { place: around } = await from(edge);
      if (around) go(around);
      setSaid(around ? `That was the ${backwards ? "first" : "last"} ${event}; this is the ${backwards ? "last" : "first"}.` : `There is no ${event} in what is recorded.`);
    },
    [file, summary, place.warp, place.step, go],
  );
  const line = useCallback(
    async (indices: number[]) => {
      const { place: found } = await ask<{ place: Place | null }>(file, "line", { lines: indices.join(","), ...place });
      if (found) go(found);
    },
    [file, place.warp, place.step, go],
  );
  const beside = useBeside(recording, place);
  const shown = beside.shown;
  const difference = (backwards: boolean) => {
    const found = shown?.differences ? nextDifference(shown.differences, place, backwards) : null;
    if (found) go(found);
  };
  const steps = {
    difference,
    by: (n: number) => go({ ...place, step: place.step + n }),
    warp: (n: number) => go({ ...place, warp: place.warp + n }),
    open: () => go(summary.open),
    next: (event: string, backwards: boolean) => void next(event, backwards),
  };
  useKeys(steps, view === "threads");

  return (
    <div class="recording">
      <Header recording={recording} place={place} go={go} back={back} again={again} next={steps.next} view={view} show={show} beside={beside} />
      {view === "pipes" ? (
        <PipesView file={file} summary={summary} />
      ) : (
        <main>
          <SourceView recording={recording} detail={detail} line={(indices) => void line(indices)} before={shown && !shown.differences ? shown : null} />
          <WeaveView recording={recording} place={place} go={go} beside={shown} />
          <StepBar summary={summary} place={place} detail={detail} steps={steps} said={said} />
          <BesideView recording={recording} place={place} detail={detail} beside={beside} next={difference} />
          {detail && (
            <>
              <LaneView summary={summary} detail={detail} lane={lane} setLane={setLane} />
              <MemoryView summary={summary} detail={detail} lane={lane} setLane={setLane} />
              <CostView recording={recording} detail={detail} go={go} />
              <StepTable summary={summary} detail={detail} />
            </>
          )}
        </main>
      )}
    </div>
  );
}
