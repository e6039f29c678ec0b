// Two recordings, one beside the other: the same program in another order, or an earlier attempt at the same case. What
// differs, in ranges and in words, and what each line cost before.
import type { LineSum, Place, SourceFile, StepDetail } from "../api.ts";
import { has, laneCount, lanesOf, ranges } from "./lanes.ts";
import { times, wasteOf, type SourceLine } from "./source_lines.ts";

// The answer to `differences` (src/trace/differences.h).
export interface Differences {
  of_each_warp: number; // the first recorded steps, so many of them, are compared
  compared: number;
  differing: number;
  path: number;
  lanes: number;
  addresses: number;
  values: number;
  warps: [number, number][][]; // of each warp: first step, how many
}

const kinds = ["path", "lanes", "addresses", "values"] as const;
const kindWords: Record<(typeof kinds)[number], string> = {
  path: "on another path",
  lanes: "with other lanes",
  addresses: "at other addresses",
  values: "with other values",
};
const many = (n: number, one: string): string => `${n.toLocaleString("en")} ${one}${n === 1 ? "" : "s"}`;

export function differencesText(found: Differences, recorded: number = found.compared): string {
  const part = found.compared < recorded ? ` Of each warp the first ${found.of_each_warp.toLocaleString("en")} steps are compared.` : "";
  if (found.differing === 0) return `All ${many(found.compared, "step")} do the same.${part}`;
  const parts = kinds.filter((kind) => found[kind] > 0).map((kind) => `${found[kind].toLocaleString("en")} ${kindWords[kind]}`);
  return `${found.differing.toLocaleString("en")} of ${many(found.compared, "step")} ${found.differing === 1 ? "differs" : "differ"}: ${parts.join(", ")}.${part}`;
}

export const isCompared = (found: Differences, { step }: Place, first: number): boolean => step - first < found.of_each_warp;

// The beginning of the next range of steps that differ, by warps and then by steps; behind the last comes the first.
export function nextDifference(found: Differences, from: Place, backwards: boolean): Place | null {
  const all = found.warps.flatMap((steps, warp) => steps.map(([step]): Place => ({ warp, step })));
  const before = (a: Place, b: Place) => a.warp < b.warp || (a.warp === b.warp && a.step < b.step);
  if (backwards) return all.filter((place) => before(place, from)).at(-1) ?? all.at(-1) ?? null;
  return all.find((place) => before(from, place)) ?? all[0] ?? null;
}

// The lanes of a step for which the other recording has something else, and both in words.
export interface LaneDifference {
  lane: number;
  here: string;
  there: string;
}
export interface StepDifference {
  path: boolean; // the other one does not run this step
  lanes: LaneDifference[];
  what: "value" | "address" | "lane" | "";
}

const byLane = <T>(mask: number, list: T[]): Map<number, T> => new Map(lanesOf(mask).map((lane, n) => [lane, list[n]!]));
const valuesOf = (detail: StepDetail) => new Map((detail.step.values ?? []).flatMap((one) => [...byLane(one.mask, one.lanes)]));
const addressesOf = (detail: StepDetail) => new Map(detail.accesses.flatMap((one) => [...byLane(one.mask, one.addresses)]));

export function stepDifference(here: StepDetail, there: StepDetail | null): StepDifference {
  if (!there) return { path: true, lanes: [], what: "" };
  const differing = (a: Map<number, unknown>, b: Map<number, unknown>, text: (value: unknown) => string): LaneDifference[] =>
    Array.from({ length: laneCount }, (_, lane) => lane)
      .filter((lane) => a.has(lane) && b.has(lane) && a.get(lane) !== b.get(lane))
      .map((lane) => ({ lane, here: text(a.get(lane)), there: text(b.get(lane)) }));
  const values = differing(valuesOf(here), valuesOf(there), String);
  if (values.length > 0) return { path: false, lanes: values, what: "value" };
  const addresses = differing(addressesOf(here), addressesOf(there), (value) => `0x${Number(value).toString(16)}`);
  if (addresses.length > 0) return { path: false, lanes: addresses, what: "address" };
  const on = (detail: StepDetail, lane: number) => (has(detail.step.on, lane) ? "on" : has(detail.step.active, lane) ? "off" : "not here");
  const lanes = Array.from({ length: laneCount }, (_, lane) => ({ lane, here: on(here, lane), there: on(there, lane) })).filter((one) => one.here !== one.there);
  return { path: false, lanes, what: lanes.length > 0 ? "lane" : "" };
}

export function stepDifferenceText({ path, lanes, what }: StepDifference, there: string): string {
  if (path) return `${there} does not run this step.`;
  if (lanes.length === 0) return `${there} does the same at this step.`;
  const [first] = lanes;
  const alike = lanes.every((one) => one.here === first!.here && one.there === first!.there);
  if (alike) return `${lanes.length === 1 ? `Lane ${first!.lane}` : `Lanes ${ranges(lanes.map((one) => one.lane))}`}: ${what} ${first!.here} here, ${first!.there} there.`;
  const shown = lanes.slice(0, 3).map((one) => `lane ${one.lane}: ${one.here} here, ${one.there} there`);
  return `Other ${what}${what === "address" ? "es" : "s"} for ${many(lanes.length, "lane")}. ${shown.join("; ")}${lanes.length > shown.length ? "; …" : ""}.`;
}

// --- an earlier attempt

export const isSameSource = (now: SourceFile[], then: SourceFile[]): boolean => now.length === then.length && now.every((file, n) => file.text === then[n]!.text);

// Lines of two texts that are the same, in order: the longest such list. For each line of the first the number of the
// other's, or null.
export function matchLines(now: string[], then: string[]): (number | null)[] {
  const [a, b] = [now.map((line) => line.trim()), then.map((line) => line.trim())];
  let [head, tail] = [0, 0];
  while (head < a.length && head < b.length && a[head] === b[head]) ++head;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) ++tail;
  const [rows, columns] = [a.length - head - tail, b.length - head - tail];
  const matched = a.map((_, n): number | null => (n < head ? n : n >= a.length - tail ? n + b.length - a.length : null));
  if (rows * columns > 4e6) return matched; // nobody compares that line by line
  const width = columns + 1;
  const longest = new Uint32Array((rows + 1) * width);
  for (let x = rows - 1; x >= 0; --x)
    for (let y = columns - 1; y >= 0; --y)
      longest[x * width + y] = a[head + x] === b[head + y] ? longest[(x + 1) * width + y + 1]! + 1 : Math.max(longest[(x + 1) * width + y]!, longest[x * width + y + 1]!);
  for (let x = 0, y = 0; x < rows && y < columns; ) {
    if (a[head + x] === b[head + y]) matched[head + x++] = head + y++;
    else if (longest[(x + 1) * width + y]! >= longest[x * width + y + 1]!) ++x;
    else ++y;
  }
  return matched;
}

// A line of now, with that of then which it was; a line that is gone stands where it was.
export interface LinePair {
  now: SourceLine | null;
  then: SourceLine | null;
}

export function pairLines(now: SourceLine[], then: SourceLine[]): LinePair[] {
  const matched = matchLines(
    now.map((line) => line.text),
    then.map((line) => line.text),
  );
  const pairs: LinePair[] = [];
  let behind = 0;
  const gone = (until: number) => {
    for (; behind < until; ++behind) if (then[behind]!.text.trim()) pairs.push({ now: null, then: then[behind]! });
  };
  now.forEach((line, n) => {
    const other = matched[n] ?? null;
    if (other !== null) gone(other), (behind = other + 1);
    pairs.push({ now: line, then: other === null ? null : then[other]! });
  });
  gone(then.length);
  return pairs;
}

// What all recorded steps cost.
export interface Totals {
  steps: number;
  sectors: number;
  ideal_sectors: number;
  wavefronts: number;
  ideal_wavefronts: number;
  diverging: number;
}

export function totalsOf(lines: LineSum[]): Totals {
  const sum = (pick: (line: LineSum) => number | undefined): number => lines.reduce((all, line) => all + (pick(line) ?? 0), 0);
  return {
    steps: sum((line) => line.steps),
    sectors: sum((line) => line.cost.sectors),
    ideal_sectors: sum((line) => line.cost.ideal_sectors),
    wavefronts: sum((line) => line.cost.wavefronts),
    ideal_wavefronts: sum((line) => line.cost.ideal_wavefronts),
    diverging: sum((line) => line.diverging),
  };
}

const totalWords: [keyof Totals, string][] = [
  ["steps", "steps"],
  ["sectors", "sectors of global memory"],
  ["wavefronts", "passes over shared memory"],
  ["diverging", "divergent branches"],
];

// How many times what would do.
export const wasteRows = (now: Totals, then: Totals): [string, number, number][] => {
  const of = (words: string, is: keyof Totals, ideal: keyof Totals): [string, number, number] => {
    const waste = (totals: Totals): number => (totals[ideal] > 0 ? totals[is] / totals[ideal] : 0);
    return [words, waste(then), waste(now)];
  };
  return [of("sectors for each that would do", "sectors", "ideal_sectors"), of("passes for each that would do", "wavefronts", "ideal_wavefronts")].filter(([, before, after]) => before > 0 || after > 0);
};

// [what, then, now], of what there is.
export const totalRows = (now: Totals, then: Totals): [string, number, number][] =>
  totalWords.filter(([key]) => now[key] > 0 || then[key] > 0).map(([key, words]) => [words, then[key], now[key]]);

// "64 · 8.0×"
export const lineText = (line: SourceLine | null): string => (!line?.steps ? "" : line.steps.toLocaleString("en") + (wasteOf(line.cost) > 1.005 ? ` · ${times(wasteOf(line.cost))}` : ""));
