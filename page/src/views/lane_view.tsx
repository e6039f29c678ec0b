// C: the 32 lanes of the warp at this step: which are on, their threads, what they access. Lanes that share a sector or a
// bank have one colour.
import type { StepDetail, Summary } from "../api.ts";
import { count, has, lanesOf, laneCount, ranges, threadOf } from "../model/lanes.ts";
import { memoryName } from "../model/sentences.ts";

export interface StepViewProperties {
  summary: Summary;
  detail: StepDetail;
  lane: number | null;
  setLane: (lane: number | null) => void;
}

// Which sector or bank of the first access a lane is in, for its colour; -1: none.
export function groupsOf(detail: StepDetail): number[] {
  const groups = Array.from({ length: laneCount }, () => -1);
  const access = detail.accesses[0];
  const touched = access?.sectors ?? access?.banks ?? access?.words ?? [];
  touched.forEach((one, n) => lanesOf(one.lanes).forEach((lane) => groups[lane] === -1 && (groups[lane] = n)));
  return groups;
}

export const groupClass = (group: number): string => (group < 0 ? "" : `group-${group % 8}`);

function stateOf(detail: StepDetail, lane: number, threads: number): string {
  if (lane >= threads) return "none";
  if (!has(detail.step.active, lane)) return "away";
  return has(detail.step.on, lane) ? "on" : "off";
}

const stateWords: Record<string, string> = {
  on: "on",
  off: "off: its guard is false",
  away: "not here",
  none: "no thread",
};

export function addressesOf(detail: StepDetail): Map<number, number> {
  const of = new Map<number, number>();
  for (const access of detail.accesses) lanesOf(access.mask).forEach((lane, n) => of.set(lane, access.addresses[n]!));
  return of;
}

export function valuesOf(detail: StepDetail): Map<number, string> {
  const of = new Map<number, string>();
  const values = detail.step.values?.[0];
  if (values) lanesOf(values.mask).forEach((lane, n) => of.set(lane, values.lanes[n]!));
  return of;
}

export { stateOf, stateWords };

// "base + 4096·lane", or what the addresses have in common.
function pattern(detail: StepDetail): string {
  const access = detail.accesses[0];
  if (!access) return "";
  if (access.stride === 0) return "all lanes name one address";
  if (access.stride !== undefined) return `neighbouring lanes ${Math.abs(access.stride)} bytes apart${access.stride < 0 ? ", backwards" : ""}`;
  return count(access.mask) === 1 ? "one lane" : "scattered addresses";
}

export function LaneView({ summary, detail, lane, setLane }: StepViewProperties) {
  const threads = summary.warps[detail.warp]?.threads ?? laneCount;
  const groups = groupsOf(detail);
  const [addresses, values] = [addressesOf(detail), valuesOf(detail)];
  const least = Math.min(...addresses.values());
  const access = detail.accesses[0];
  const origin = access?.memory?.base ?? access?.variable?.offset ?? (access?.space === "shared" ? 0 : least);
  // As the source has it: the index of the element, where addresses are those of elements.
  const bytes = detail.site.bytes ?? 1;
  const whole = [...addresses.values()].every((address) => (address - origin) % bytes === 0);
  const indexOf = (address: number): string => (whole ? `${(address - origin) / bytes}` : `+${address - origin}`);
  const longest = Math.max(0, ...[...addresses.values()].map((address) => indexOf(address).length));
  const marked = new Set(detail.marks.map((mark) => mark.lane));
  const off = lanesOf((detail.step.active & ~detail.step.on) >>> 0);
  return (
    <section class="lanes" aria-labelledby="lanes-title">
      <h2 id="lanes-title">
        32 lanes of warp {detail.warp} <code>{detail.site.ptx}</code>
        {access && <span class="quiet">{values.size > 0 ? "below: the value" : whole ? "below: the element" : "below: the byte"} of {memoryName(access, summary.kernel).replaceAll("`", "")}; {pattern(detail)}</span>}
        {detail.site.kind === "branch" && off.length > 0 && <span class="quiet">lanes {ranges(off)} do not jump</span>}
      </h2>
      <ol class={`lane-row ${longest > 5 ? "long" : ""}`} onMouseLeave={() => setLane(null)}>
        {Array.from({ length: laneCount }, (_, n) => {
          const state = stateOf(detail, n, threads);
          const thread = threadOf(detail.warp, n, summary.block_shape);
          const address = addresses.get(n);
          const words = `lane ${n}, thread (${thread.join(",")}), ${stateWords[state]}${address !== undefined ? `, element ${indexOf(address)}, byte ${address - origin}` : ""}${values.has(n) ? `, value ${values.get(n)}` : ""}${marked.has(n) ? ", party of a finding" : ""}`;
          const classes = ["lane", state, groupClass(groups[n]!), lane === n ? "pointed" : "", marked.has(n) ? "marked" : ""];
          return (
            <li key={n}>
              <button
                class={classes.join(" ")}
                title={words}
                onMouseEnter={() => setLane(n)}
                onFocus={() => setLane(n)}
              >
                <span class="spoken">{words}</span>
                <span class="lane-number" aria-hidden="true">{n}</span>
                <span class="lane-data" aria-hidden="true">
                  {state === "on" ? (values.get(n) ?? (address !== undefined ? indexOf(address) : "●")) : state === "off" ? "○" : "·"}
                </span>
                {marked.has(n) && <span class="lane-mark" aria-hidden="true">✕</span>}
              </button>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
