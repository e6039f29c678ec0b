// The ways of a launch as a drawing. A belt is as thick as the way is wide, and as full as the model says that the way is;
// what no thread wanted is hatched, and near the registers a colour and a letter say whose bytes they are.
import { useEffect, useRef } from "preact/hooks";
import { itemsOf, letterOf, type ArrayShare } from "../model/arrays.ts";
import { bytesText, percent, thickness, type Belt, type Pipes, type Way } from "../model/pipes.ts";

const slots = 30; // of a belt, each empty or with something on it
const length = 230; // of a belt as drawn
const top: Record<Way["place"], number> = { dram: 62, l2: 62, l1: 62, shared: 212 };
const left: Record<Way["place"], number> = { dram: 118, l2: 438, l1: 758, shared: 758 };
const thinnestLetter = 12; // a belt below has no room for one

function BeltShape({ belt, way, y, shares }: { belt: Belt; way: Way; y: number; shares: ArrayShare[] }) {
  const thick = thickness(way.peak);
  // A way's load is shared by its two belts as their bytes are.
  const all = way.belts.reduce((sum, one) => sum + one.bytes, 0);
  const full = all > 0 ? Math.max(belt.bytes > 0 ? 1 : 0, Math.round((slots * Math.min(1, way.load) * belt.bytes) / all)) : 0;
  const items = itemsOf(full, belt.wanted === null || belt.bytes === 0 ? 1 : belt.wanted / belt.bytes, shares);
  const x = left[way.place];
  const width = length / slots;
  // Loads come from the left, stores from the right.
  const at = (n: number) => x + (belt.up ? n : slots - 1 - n) * width;
  return (
    <g>
      <rect class={`belt${way.jam ? " jam" : ""}`} x={x} y={y} width={length} height={thick} rx="2" />
      {items.map(({ array, waste }, n) => (
        <rect key={n} class={waste ? "item waste" : array ? `item array-${array.colour}` : "item"} x={at(n) + 1} y={y + 2} width={width - 2} height={thick - 4} />
      ))}
      {thick >= thinnestLetter &&
        items.map(({ array, waste }, n) =>
          array && !waste && items[n - 1]?.array !== array ? (
            <text key={n} class="letter" x={at(n) + width / 2} y={y + thick / 2 + 4} text-anchor="middle">
              {letterOf(array)}
            </text>
          ) : null,
        )}
      <text x={x + 4} y={y - 4}>
        {belt.up ? "→" : "←"} {bytesText(belt.bytes)}
        {belt.wanted !== null && belt.wanted < belt.bytes ? `, ${bytesText(belt.wanted)} wanted` : ""}
      </text>
    </g>
  );
}

function WayShape({ way, shares }: { way: Way; shares: (belt: Belt) => ArrayShare[] }) {
  const y = top[way.place];
  const thick = thickness(way.peak);
  return (
    <g>
      <text class="name" x={left[way.place]} y={y - 22}>
        {percent(way.load)} busy; up to {bytesText(way.peak)}/s
      </text>
      {way.belts.map((belt, n) => (
        <BeltShape key={belt.id} belt={belt} way={way} y={y + n * (thick + 20)} shares={shares(belt)} />
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

export function PipesDrawing({ pipes, shares, name }: { pipes: Pipes; shares: (belt: Belt) => ArrayShare[]; name: string }) {
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
    <div ref={box} class="scroll pipes-drawing" tabIndex={0} role="region" aria-label={`the ways as a drawing: ${name}`}>
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
          <WayShape key={way.place} way={way} shares={shares} />
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
