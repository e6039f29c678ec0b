// A picture of a lesson: some parts of the thread view, at one step of a kernel that was run for it. What can be pointed
// at and clicked there can be here.
import { useEffect, useState } from "preact/hooks";
import { Refused, type Place, type StepDetail } from "../../api.ts";
import { NotRecorded, see, stepOf, type Look, type Seen } from "../../lesson_api.ts";
import { linkTo } from "../../selection.ts";
import { LaneView } from "../lane_view.tsx";
import { MemoryView } from "../memory_view.tsx";
import { SourceView } from "../source_view.tsx";
import { StepTable } from "../step_table.tsx";
import { WeaveView } from "../weave_view.tsx";

interface Properties {
  lesson: string;
  look: Look;
  launch: string;
  figure: string; // "": none
  seen: (figure: string) => void;
}

export function LessonPicture({ lesson, look, launch, figure, seen }: Properties) {
  const [shown, setShown] = useState<Seen | null>(null);
  const [place, setPlace] = useState<Place | null>(null);
  const [detail, setDetail] = useState<StepDetail | null>(null);
  const [lane, setLane] = useState<number | null>(null);
  const [failure, setFailure] = useState("");
  useEffect(() => {
    const stop = new AbortController();
    see(lesson, look, figure, stop.signal).then(
      (now) => (setShown(now), setPlace(now.place), seen(now.figure)),
      (error) => {
        if (stop.signal.aborted) return;
        if (error instanceof Refused) setFailure(`${error.refusal.code}: ${error.refusal.message}`);
        else if (error instanceof NotRecorded) setFailure(`The kernel could not be recorded. ${error.message}`);
        else setFailure("The server does not answer. It may have ended.");
      },
    );
    return () => stop.abort();
  }, [lesson, look, figure]);
  const file = shown?.recording.file;
  useEffect(() => {
    if (!file || !place) return;
    const stop = new AbortController();
    stepOf(file, place, stop.signal).then(
      (now) => (setDetail(now), setLane(null)),
      () => {},
    );
    return () => stop.abort();
  }, [file, place?.warp, place?.step]);

  if (failure) return <p role="alert">{failure}</p>;
  if (!shown || !place || !detail)
    return (
      <p class="quiet" role="status">
        The kernel is being run …
      </p>
    );
  const { recording } = shown;
  const { summary } = recording;
  const parts = new Set(look.show);
  const moved = place.warp !== shown.place.warp || place.step !== shown.place.step;
  return (
    <figure class="lesson-picture" data-place={`${detail.warp}/${detail.step.step}`}>
      <figcaption>
        <code>{launch}</code>{" "}
        <span class="quiet">
          block ({summary.block.join(",")}), warp {detail.warp}, line {detail.frames[0]?.line ?? "?"}, as it ran here
        </span>{" "}
        <span class="buttons">
          {moved && <button onClick={() => setPlace(shown.place)}>Back to this step</button>}
          <a href={linkTo({ file: recording.file, ...place })}>See it step by step</a>
        </span>
      </figcaption>
      {parts.has("source") && <SourceView recording={recording} detail={detail} line={() => {}} />}
      {parts.has("warps") && <WeaveView recording={recording} place={place} go={setPlace} fold={false} />}
      {parts.has("lanes") && <LaneView summary={summary} detail={detail} lane={lane} setLane={setLane} />}
      {parts.has("memory") && <MemoryView summary={summary} detail={detail} lane={lane} setLane={setLane} />}
      <StepTable summary={summary} detail={detail} />
    </figure>
  );
}
