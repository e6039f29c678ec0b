// What a step costs and what to do about it, in sentences. They follow the recording's numbers alone, so that the page
// says the same as `warpwise view`.
import type { Access, Finding, StepDetail, Summary } from "../api.ts";
import { count, lanesOf, ranges, threadOf } from "./lanes.ts";
import { times } from "./source_lines.ts";

export interface Sentence {
  tone: "good" | "bad" | "plain";
  text: string;
  advice?: string;
}

const plural = (n: number, one: string): string => `${n.toLocaleString("en")} ${one}${n === 1 ? "" : "s"}`;

// "float*" of "k(float*, int)", for argument 0.
export function argumentType(kernel: string, argument: number): string {
  const open = kernel.indexOf("(");
  if (open < 0) return "";
  const list = kernel.slice(open + 1, kernel.lastIndexOf(")"));
  let depth = 0;
  let part = "";
  const parts: string[] = [];
  for (const c of list) {
    if (c === "<" || c === "(") ++depth;
    if (c === ">" || c === ")") --depth;
    if (c === "," && depth === 0) parts.push(part), (part = "");
    else part += c;
  }
  parts.push(part);
  return parts[argument]?.trim() ?? "";
}

const ordinals = ["1st", "2nd", "3rd"];

export function memoryName(access: Access, kernel: string): string {
  if (access.variable?.name) return `shared \`${access.variable.name.split("::").pop()}\``;
  if (access.space === "shared") return "shared memory";
  const memory = access.memory;
  if (memory?.name) return `\`${memory.name}\``;
  if (memory && memory.argument >= 0) {
    const type = argumentType(kernel, memory.argument);
    const ordinal = ordinals[memory.argument] ?? `${memory.argument + 1}th`;
    return `the ${ordinal} argument${type ? ` (${type})` : ""}`;
  }
  return `${access.space} memory`;
}

// An atomic is priced by its turns at L2, of which lanes that name one address need one each
// (src/perf/counters/pricing.cpp).
function ofAtomics(access: Access): Sentence {
  const { sectors = 0 } = access.cost;
  const together = access.addresses.length - new Set(access.addresses).size;
  const base = `The atomic takes ${plural(sectors, "turn")} at L2.`;
  if (together === 0) return { tone: "plain", text: `${base} No two lanes name one address.` };
  if (sectors === 1) return { tone: "good", text: `${base} The compiler combines the lanes first.` };
  return {
    tone: "bad",
    text: `${base} ${together === 1 ? "1 lane shares" : `${together} lanes share`} an address with a lane before, and ${together === 1 ? "waits" : "wait"} for it.`,
    advice: "Combine first: within the warp by __reduce_add_sync or shuffles, within the block in shared memory.",
  };
}

function ofSectors(access: Access, site: StepDetail["site"]): Sentence[] {
  const { sectors = 0, ideal_sectors: ideal = 0, bytes: wanted = 0 } = access.cost;
  const bytes = site.bytes ?? 4;
  if (!sectors) return [];
  if (site.kind === "atomic" || site.kind === "reduction") return [ofAtomics(access)];
  const moved = sectors * 32;
  const base = `${plural(sectors, "sector")} of 32 bytes: ${moved} bytes moved, ${wanted} wanted.`;
  if (sectors <= ideal) return [{ tone: "good", text: `${base} ${moved === wanted ? "No byte is moved for nothing." : "Fewer would not do."}` }];
  const stride = access.stride !== undefined ? Math.abs(access.stride) : 0;
  const apart = stride > bytes ? `Neighbouring lanes are ${stride} bytes apart. ` : "";
  const advice =
    sectors - ideal === 1 && stride <= bytes
      ? "The lanes' bytes begin in the middle of a sector: align the first address to 32 bytes."
      : `${apart}Let neighbouring threads access neighbouring elements: the fastest index should be threadIdx.x. ` +
        "Where the order of the data is given, go through shared memory.";
  return [{ tone: "bad", text: `${base} ${ideal} would do: ${times(sectors / ideal)}.`, advice }];
}

// What has no instruction of its own is a loop around one that compares and swaps.
function ofLoop(turns: number, ideal: number): Sentence {
  const base = `An atomic of this type is a loop in shared memory: ${turns} turns of the banks.`;
  if (turns <= ideal) return { tone: "plain", text: `${base} No lane waits for another.` };
  return {
    tone: "bad",
    text: `${base} ${ideal} would do where no two lanes name one word or bank: ${times(turns / ideal)}.`,
    advice: "Add within the warp first, by shuffles or __reduce_add_sync, and let one lane add to shared memory.",
  };
}

function ofBanks(access: Access, site: StepDetail["site"]): Sentence[] {
  const { wavefronts = 0, ideal_wavefronts: ideal = 0 } = access.cost;
  if (!wavefronts) return [];
  if (site.shared_atomic?.startsWith("spins")) return [ofLoop(wavefronts, ideal)];
  const base = `${plural(wavefronts, "pass")} over the 32 banks`.replace("passs", "passes");
  if (wavefronts <= ideal) return [{ tone: "good", text: `${base}: no bank conflict.` }];
  const worst = [...(access.banks ?? [])].sort((a, b) => (b.words ?? 0) - (a.words ?? 0))[0];
  const who =
    worst && (worst.words ?? 0) > 1
      ? ` Lanes ${ranges(lanesOf(worst.lanes))} want ${worst.words} different words of bank ${worst.at}.`
      : "";
  return [
    {
      tone: "bad",
      text: `${base}, and ${ideal} would do: ${times(wavefronts / ideal)}.${who}`,
      advice: "Shift each row by one element, as in tile[32][33], or swap the indices: lanes then meet different banks.",
    },
  ];
}

function ofLanes(detail: StepDetail, threads: number): Sentence[] {
  const { active, on } = detail.step;
  const sentences: Sentence[] = [];
  const here = count(active);
  if (detail.site.kind === "branch" && on !== 0 && on !== active) {
    const other = lanesOf((active & ~on) >>> 0);
    sentences.push({
      tone: "bad",
      text: `The lanes go different ways: ${ranges(lanesOf(on))} jump, ${ranges(other)} do not. The warp walks both ways, one after the other.`,
      advice: "Let whole warps decide alike: make the condition depend on threadIdx.x / 32, or sort the work by kind.",
    });
  } else if (here < threads) {
    sentences.push({ tone: "bad", text: `${here} of ${threads} lanes are here: the others wait, or have ended.` });
  }
  if (on !== active && detail.site.kind !== "branch")
    sentences.push({ tone: "plain", text: `The instruction's guard lets ${count(on)} of ${here} lanes through.` });
  return sentences;
}

function ofFinding(finding: Finding, party: number, others: number): Sentence {
  const role = finding.parties?.[party]?.role;
  const where = others > 0 ? " The other party is marked in the weave." : "";
  return {
    tone: "bad",
    text: `${finding.code}: ${finding.message}${role ? ` (this step is the ${role})` : ""}.${where}`,
    ...(finding.help ? { advice: finding.help } : {}),
  };
}

export function sentencesOf(detail: StepDetail, summary: Summary): Sentence[] {
  const sentences: Sentence[] = [];
  const told = new Set<number>();
  for (const mark of detail.marks) {
    const finding = summary.findings.list[mark.finding];
    if (!finding || told.has(mark.finding)) continue;
    told.add(mark.finding);
    const others = summary.findings.marks.filter((m) => m.finding === mark.finding && m.party !== mark.party);
    sentences.push(ofFinding(finding, mark.party, others.length));
  }
  sentences.push(...ofLanes(detail, summary.warps[detail.warp]?.threads ?? 32));
  for (const access of detail.accesses)
    sentences.push(...ofSectors(access, detail.site), ...ofBanks(access, detail.site));
  const clocks = detail.step.waits;
  if (detail.site.kind === "barrier")
    sentences.push({
      tone: clocks ? "plain" : "good",
      text: clocks
        ? `Waits for the other warps: ${plural(clocks, "modelled clock")}.`
        : "This warp is the last at the barrier: it does not wait.",
    });
  if (sentences.length === 0)
    sentences.push({ tone: "good", text: "All lanes do the same, and no memory is accessed. Nothing is wasted here." });
  return sentences;
}

// The thread of a lane in words: "thread (5,0,0)".
export function threadText(warp: number, lane: number, shape: [number, number, number]): string {
  return `thread (${threadOf(warp, lane, shape).join(",")})`;
}
