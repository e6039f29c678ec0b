// What is beside the recording, in words: how the two differ, at this step and in all; of an earlier attempt what it cost.
import type { Place, StepDetail } from "../api.ts";
import { differencesText, isCompared, stepDifference, stepDifferenceText, totalRows, totalsOf, wasteRows } from "../model/beside.ts";
import { times } from "../model/source_lines.ts";
import type { Recording } from "./recording_view.tsx";
import type { BesideState } from "./use_beside.ts";

interface Properties {
  recording: Recording;
  place: Place;
  detail: StepDetail | null;
  beside: BesideState;
  next: (backwards: boolean) => void;
}

const change = (then: number, now: number): string => {
  if (then === now) return "as before";
  if (then === 0) return "new";
  const share = Math.round((100 * (now - then)) / then);
  return `${share > 0 ? "+" : "−"}${Math.abs(share)} %`;
};

const blocksOf = ({ summary }: Recording): number => summary.grid[0] * summary.grid[1] * summary.grid[2];

function Totals({ recording, beside }: { recording: Recording; beside: BesideState }) {
  const then = beside.shown!.recording;
  const [mine, theirs] = [totalsOf(recording.lines), totalsOf(then.lines)];
  const blocks: [string, number, number][] = [["blocks of the grid", blocksOf(then), blocksOf(recording)]];
  return (
    <>
      <table class="totals">
        <thead>
          <tr>
            <th scope="col">recorded of this block</th>
            <th scope="col">{beside.shown!.words}</th>
            <th scope="col">now</th>
            <th scope="col">change</th>
          </tr>
        </thead>
        <tbody>
          {[...totalRows(mine, theirs), ...blocks].map(([words, before, now]) => (
            <tr key={words} data-total={words} data-then={before} data-now={now}>
              <th scope="row">{words}</th>
              <td>{before.toLocaleString("en")}</td>
              <td>{now.toLocaleString("en")}</td>
              <td>{change(before, now)}</td>
            </tr>
          ))}
          {wasteRows(mine, theirs).map(([words, before, now]) => (
            <tr key={words} data-waste={words}>
              <th scope="row">{words}</th>
              <td>{before > 0 ? times(before) : ""}</td>
              <td>{now > 0 ? times(now) : ""}</td>
              <td>{before > 0 && now > 0 ? change(before, now) : ""}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {blocks[0]![1] !== blocks[0]![2] && <p class="quiet">The grid is another one, so this block may do more of the work, or less. “Pipes” counts all blocks.</p>}
    </>
  );
}

export function BesideView({ recording, place, detail, beside, next }: Properties) {
  const { shown, busy, said } = beside;
  if (!shown && !busy && !said) return null;
  const differences = shown?.differences ?? null;
  const here = shown?.partner?.place;
  const known = detail && here?.warp === place.warp && here.step === place.step && detail.warp === place.warp && detail.step.step === place.step;
  const there = shown ? shown.words.replace(/^./, (letter) => letter.toUpperCase()) : "";
  return (
    <section class="beside" aria-labelledby="beside-title" data-differing={differences?.differing} data-place={known ? `${place.warp}/${place.step}` : undefined}>
      <h2 id="beside-title">
        Beside it: {busy || shown?.words || "nothing"}
        {differences && differences.differing > 0 && (
          <button onClick={(e) => next(e.shiftKey)} title="key o; with ⇧ the one before">
            next difference
          </button>
        )}
        {differences && <button onClick={beside.reorder}>yet another order</button>}
        <button onClick={beside.close}>close</button>
      </h2>
      <div role="status">
        {busy && <p>Recording the same block …</p>}
        {said && <p class="said">{said}</p>}
        {!busy && differences && (
          <p>
            {differencesText(differences, recording.summary.recorded)}
            {differences.differing === 0 && " That is no proof: other orders may differ."}
            {known && isCompared(differences, place, recording.summary.warps[place.warp]!.first) && ` At this step: ${stepDifferenceText(stepDifference(detail, shown!.partner!.detail), there)}`}
          </p>
        )}
      </div>
      {!busy && shown && !differences && <Totals recording={recording} beside={beside} />}
    </section>
  );
}

// The buttons that begin it.
export function BesideButtons({ beside }: { beside: BesideState }) {
  return (
    <>
      {beside.canReorder && (
        <button onClick={beside.reorder} disabled={beside.busy !== ""} title="runs blocks and warps in a different order, and marks the steps that differ">
          Another order
        </button>
      )}
      {beside.attempts.length > 0 && (
        <select
          aria-label="show an earlier attempt beside it"
          value=""
          disabled={beside.busy !== ""}
          onChange={(e) => {
            const id = Number(e.currentTarget.value);
            e.currentTarget.value = "";
            if (id) beside.attempt(id);
          }}
        >
          <option value="">An earlier attempt …</option>
          {beside.attempts.map((one) => (
            <option key={one.id} value={one.id}>
              {one.id}: {one.verdict.replaceAll("-", " ")}
            </option>
          ))}
        </select>
      )}
    </>
  );
}
