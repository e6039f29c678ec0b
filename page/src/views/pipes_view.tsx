// Pipes: where the data of a launch go, and where they jam. A belt is as thick as the way is wide, and as full as the
// model says that the way is; what no thread wanted is hatched. It stands still: nothing here is a film of the hardware.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ask, Refused, type Refusal, type Summary } from "../api.ts";
import { bytesText, percent, pipesOf, thickness, type Belt, type Pipes, type Profile, type Way } from "../model/pipes.ts";
import { secondsText } from "../model/verdict.ts";
import { Message } from "./message.tsx";

const slots = 30; // of a belt, each empty or with something on it
const length = 230; // of a belt as drawn
const top: Record<Way["place"], number> = { dram: 62, l2: 62, l1: 62, shared: 212 };
const left: Record<Way["place"], number> = { dram: 118, l2: 438, l1: 758, shared: 758 };

function BeltShape({ belt, way, y }: { belt: Belt; way: Way; y: number }) {
  const thick = thickness(way.peak);
  // A way's load is shared by its two belts as their bytes are.
  const all = way.belts.reduce((sum, one) => sum + one.bytes, 0);
  const full = all > 0 ? Math.max(belt.bytes > 0 ? 1 : 0, Math.round((slots * way.load * belt.bytes) / all)) : 0;
  const wanted = belt.wanted === null || belt.bytes === 0 ? full : Math.round((full * belt.wanted) / belt.bytes);
  const x = left[way.place];
  const item = length / slots;
  return (
    <g>
      <rect class={`belt${way.jam ? " jam" : ""}`} x={x} y={y} width={length} height={thick} rx="2" />
      {Array.from({ length: full }, (_, n) => {
        // Loads come from the left, stores from the right.
        const at = belt.up ? n : slots - 1 - n;
        return <rect key={n} class={n < wanted ? "item" : "item waste"} x={x + at * item + 1} y={y + 2} width={item - 2} height={thick - 4} />;
      })}
      <text x={x + 4} y={y - 4}>
        {belt.up ? "→" : "←"} {bytesText(belt.bytes)}
        {belt.wanted !== null && belt.wanted < belt.bytes ? `, ${bytesText(belt.wanted)} wanted` : ""}
      </text>
    </g>
  );
}

function WayShape({ way }: { way: Way }) {
  const y = top[way.place];
  const thick = thickness(way.peak);
  return (
    <g>
      <text class="name" x={left[way.place]} y={y - 22}>
        {percent(way.load)} busy; up to {bytesText(way.peak)}/s
      </text>
      {way.belts.map((belt, n) => (
        <BeltShape key={belt.id} belt={belt} way={way} y={y + n * (thick + 20)} />
      ))}
      {way.jam && (
        <text class="jam-sign" x={left[way.place] + length / 2} y={y + 2 * thick + 44} text-anchor="middle">
          ▲ JAM
        </text>
      )}
    </g>
  );
}

function Station({ x, y, height, name }: { x: number; y: number; height: number; name: string }) {
  return (
    <g>
      <rect class="station" x={x} y={y} width="84" height={height} rx="6" />
      <text class="station-name" x={x + 42} y={y + height / 2 + 4} text-anchor="middle">
        {name}
      </text>
    </g>
  );
}

function Drawing({ pipes }: { pipes: Pipes }) {
  const box = useRef<HTMLDivElement>(null);
  // On a phone a part of it is in view: that with the jam.
  useEffect(() => {
    const sign = box.current?.querySelector<SVGTextElement>(".jam-sign");
    if (!sign || !box.current) return;
    const [inside, outside] = [sign.getBoundingClientRect(), box.current.getBoundingClientRect()];
    box.current.scrollLeft += inside.left + inside.width / 2 - outside.left - outside.width / 2;
  }, [pipes]);
  const said = pipes.ways.map((way) => `${way.name}: ${percent(way.load)}`).join("; ");
  return (
    <div ref={box} class="scroll pipes-drawing" tabIndex={0} role="region" aria-label="the ways as a drawing">
      <svg viewBox="0 0 1340 336" role="img" aria-label={`Loads of the ways. ${said}. ${pipes.limiter}`}>
        <defs>
          <pattern id="nobody-wants" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect class="waste-ground" width="5" height="5" />
            <rect class="waste-stripe" width="2" height="5" />
          </pattern>
        </defs>
        <Station x={24} y={50} height={110} name="DRAM" />
        <Station x={350} y={50} height={110} name="L2" />
        <Station x={672} y={50} height={110} name="L1" />
        <Station x={672} y={200} height={110} name="shared" />
        <Station x={996} y={50} height={260} name="registers" />
        {pipes.ways.map((way) => (
          <WayShape key={way.place} way={way} />
        ))}
        {pipes.pipes.map((pipe, n) => (
          <g key={pipe.key}>
            <text x={1096} y={64 + n * 32}>
              {pipe.name} {percent(pipe.load)}
              {pipe.jam ? " ▲ JAM" : ""}
            </text>
            <rect class={`belt${pipe.jam ? " jam" : ""}`} x={1096} y={69 + n * 32} width={length} height="8" rx="2" />
            <rect class="item" x={1096} y={69 + n * 32} width={length * Math.min(1, pipe.load)} height="8" />
          </g>
        ))}
      </svg>
    </div>
  );
}

function Table({ pipes }: { pipes: Pipes }) {
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

export function PipesView({ file, summary }: { file: string; summary: Summary }) {
  const [profile, setProfile] = useState<Profile | null | undefined>(undefined);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  useEffect(() => {
    ask<Profile | null>(file, "profile").then(setProfile, (error) => setRefusal(error instanceof Refused ? error.refusal : null));
  }, [file]);
  const pipes = useMemo(() => (profile ? pipesOf(profile, summary.launch) : null), [profile, summary]);
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
  const { kernel } = pipes;
  return (
    <main class="pipes">
      <p class="pipes-head">
        All blocks of launch {summary.launch}: modelled {secondsText(kernel.seconds / kernel.launches)} ({secondsText(kernel.seconds_low / kernel.launches)} to{" "}
        {secondsText(kernel.seconds_high / kernel.launches)}) on {summary.device}. <strong>{pipes.limiter}</strong>
      </p>
      <Drawing pipes={pipes} />
      <p class="quiet legend">
        <span>thickness: what the way can carry</span> <span>filled: how busy the model says it is</span>{" "}
        <span>
          <span class="look waste-look" /> moved, and wanted by no thread
        </span>
      </p>
      {pipes.reuse.length > 0 && (
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
      )}
      <div class="scroll" tabIndex={0} role="region" aria-label="the ways as a table">
        <Table pipes={pipes} />
      </div>
    </main>
  );
}
