// Pipes: where the data of a launch go, and where they jam; one launch, or two of them on one scale. It stands still:
// nothing here is a film of the hardware.
import { useEffect, useMemo, useState } from "preact/hooks";
import { ask, Refused, type Refusal, type Summary } from "../api.ts";
import { letterOf, sharesOf, type ArrayShare, type ArraySums } from "../model/arrays.ts";
import { comparedText } from "../model/energy.ts";
import { bytesText, percent, pipesOf, type Belt, type Pipes, type Profile } from "../model/pipes.ts";
import { secondsText } from "../model/verdict.ts";
import { EnergyView } from "./energy_view.tsx";
import { Message } from "./message.tsx";
import { PipesDrawing } from "./pipes_drawing.tsx";
import { useOtherPipes, type Choice, type OtherPipes, type OtherPipesState } from "./use_other_pipes.ts";

type Shares = (belt: Belt) => ArrayShare[];

// Bytes and loads of a belt in the launch that is beside this one.
function OtherCells({ id, other }: { id: string; other: OtherPipes }) {
  const way = other.pipes.ways.find((one) => one.belts.some((belt) => belt.id === id))!;
  const belt = way.belts.find((one) => one.id === id)!;
  return (
    <>
      <td data-then={belt.bytes}>{bytesText(belt.bytes)}</td>
      <td>
        {percent(way.load)}
        {way.jam ? " (jam)" : ""}
      </td>
    </>
  );
}

function Table({ pipes, shares, other }: { pipes: Pipes; shares: Shares; other: OtherPipes | null }) {
  return (
    <table class="pipes-table">
      <caption>The same as a table</caption>
      <thead>
        <tr>
          <th scope="col">way</th>
          <th scope="col">what</th>
          <th scope="col">bytes</th>
          <th scope="col">for nobody</th>
          <th scope="col">load</th>
          {other && <th scope="col">bytes {other.name}</th>}
          {other && <th scope="col">load {other.name}</th>}
          <th scope="col">arrays, as in the recorded block</th>
          <th scope="col">counter</th>
        </tr>
      </thead>
      <tbody>
        {pipes.ways.flatMap((way) =>
          way.belts.map((belt) => (
            <tr key={belt.id} data-belt={belt.id} data-bytes={belt.bytes} data-wanted={belt.wanted ?? undefined}>
              <td>{way.name}</td>
              <td>{belt.words}</td>
              <td>{bytesText(belt.bytes)}</td>
              <td>{belt.wanted === null ? "" : bytesText(belt.bytes - belt.wanted)}</td>
              <td>
                {percent(way.load)}
                {way.jam ? " (jam)" : ""}
              </td>
              {other && <OtherCells id={belt.id} other={other} />}
              <td>
                {shares(belt)
                  .map((one) => `${one.name} ${percent(one.share)}`)
                  .join("; ")}
              </td>
              <td>
                <code>{belt.counter}</code>
              </td>
            </tr>
          )),
        )}
      </tbody>
    </table>
  );
}

const optionsOf = (label: string, choices: Choice[]) =>
  choices.length > 0 && (
    <optgroup label={label}>
      {choices.map((one) => (
        <option key={one.value} value={one.value}>
          {one.words}
        </option>
      ))}
    </optgroup>
  );

function Chooser({ other }: { other: OtherPipesState }) {
  const known = [...other.whatIfs, ...other.devices, ...other.recordings].some((one) => one.value === other.chosen);
  return (
    <p class="pipes-chooser">
      <label>
        Beside it:{" "}
        <select value={other.chosen} onChange={(e) => other.choose(e.currentTarget.value)}>
          <option value="">nothing</option>
          {!known && other.chosen && <option value={other.chosen}>{other.chosen}</option>}
          {optionsOf("what if: advice is followed", other.whatIfs)}
          {optionsOf("another device", other.devices)}
          {optionsOf("another recording", other.recordings)}
        </select>
      </label>{" "}
      <span role="status">
        {other.busy && "Recording and counting …"}
        {other.said}
      </span>
    </p>
  );
}

function Legend({ arrays }: { arrays: ArrayShare[] }) {
  return (
    <p class="quiet legend">
      <span>thickness: what the way can carry</span> <span>filled: how busy the model says it is</span>{" "}
      <span>
        <span class="look waste-look" /> moved, and wanted by no thread
      </span>{" "}
      {arrays.map((one) => (
        <span key={one.name}>
          <span class={`look array-look array-${one.colour}`} aria-hidden="true">
            {letterOf(one)}
          </span>{" "}
          {one.name}
        </span>
      ))}
    </p>
  );
}

function Reuse({ pipes }: { pipes: Pipes }) {
  if (pipes.reuse.length === 0) return null;
  return (
    <section aria-labelledby="reuse-title">
      <h2 id="reuse-title">Reuse</h2>
      <ul>
        {pipes.reuse.map((one) => (
          <li key={one.words}>
            {one.words} <strong>{one.share ? percent(one.times) : `${Number(one.times.toPrecision(3))}×`}</strong>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Head({ pipes, summary }: { pipes: Pipes; summary: Summary }) {
  const { kernel } = pipes;
  return (
    <p class="pipes-head">
      All blocks of launch {summary.launch}: modelled {secondsText(pipes.seconds)} ({secondsText(kernel.seconds_low / kernel.launches)} to{" "}
      {secondsText(kernel.seconds_high / kernel.launches)}) on {summary.device}. <strong>{pipes.limiter}</strong>
    </p>
  );
}

export function PipesView({ file, summary }: { file: string; summary: Summary }) {
  const [profile, setProfile] = useState<Profile | null | undefined>(undefined);
  const [arrays, setArrays] = useState<ArraySums[]>([]);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  useEffect(() => {
    ask<Profile | null>(file, "profile").then(setProfile, (error) => setRefusal(error instanceof Refused ? error.refusal : null));
    ask<{ arrays: ArraySums[] }>(file, "arrays").then((answer) => setArrays(answer.arrays), () => {});
  }, [file]);
  const pipes = useMemo(() => (profile ? pipesOf(profile, summary.launch) : null), [profile, summary]);
  const state = useOtherPipes(file, summary, profile ?? null);
  const other = state.shown;
  if (refusal) return <Message error={refusal} />;
  if (profile === undefined) return <main class="message" aria-busy="true" />;
  if (!pipes)
    return (
      <main class="message">
        <p>
          This recording has no counts of the whole launch, so there is nothing to draw. <code>warpwise trace</code> of a program makes one that has.
        </p>
      </main>
    );
  const shares: Shares = (belt) => sharesOf(belt, arrays, summary);
  // Of a launch that is not recorded, an array's own waste is not known.
  const wishful: Shares = (belt) => shares(belt).map((one) => ({ ...one, wanted: null }));
  const none: Shares = () => [];
  const seen = new Map(pipes.ways.flatMap((way) => way.belts.flatMap(shares)).map((one) => [one.name, one]));
  const shown = [{ name: "now", pipes }, ...(other ? [other] : [])];
  return (
    <main class="pipes" data-beside={other ? state.chosen : undefined}>
      <Head pipes={pipes} summary={summary} />
      <Chooser other={state} />
      <PipesDrawing pipes={pipes} shares={shares} name="now" />
      {other && (
        <>
          <h2>Beside it: {other.words}</h2>
          <p>
            It takes {comparedText(pipes, other.pipes)}: {secondsText(other.pipes.seconds)}. <strong>{other.pipes.limiter}</strong>
          </p>
          <PipesDrawing pipes={other.pipes} shares={state.chosen.startsWith("if:") ? wishful : none} name={other.name} />
        </>
      )}
      <Legend arrays={[...seen.values()]} />
      <EnergyView shown={shown} figures={profile?.model.energy_figures ?? null} device={summary.device} />
      <Reuse pipes={pipes} />
      <div class="scroll" tabIndex={0} role="region" aria-label="the ways as a table">
        <Table pipes={pipes} shares={shares} other={other} />
      </div>
    </main>
  );
}
