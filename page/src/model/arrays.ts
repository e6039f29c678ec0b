// Whose bytes are on a belt: the arrays of the recorded block, and their shares of what it loads and stores.
import type { Summary } from "../api.ts";
import type { Belt } from "./pipes.ts";
import { argumentType } from "./sentences.ts";

export interface ArrayCost {
  sectors: number;
  wavefronts: number;
  bytes: number;
}
// The answer to `arrays` (src/trace/arrays.h).
export interface ArraySums {
  space: "global" | "shared";
  name: string;
  argument: number;
  bytes: number;
  loads: ArrayCost;
  stores: ArrayCost;
}

export interface ArrayShare {
  colour: number; // of 8
  name: string;
  share: number; // of the belt, by the recorded block
  wanted: number | null; // of its bytes, the share that a thread asked for; null: not known
}

const sectorBytes = 32;

const ordinal = (n: number): string => ["1st", "2nd", "3rd"][n] ?? `${n + 1}th`;

export function arrayName(array: ArraySums, kernel: string): string {
  if (array.name) return array.name.split("::").pop()!;
  if (array.argument >= 0) {
    const type = argumentType(kernel, array.argument);
    return `${ordinal(array.argument)} argument${type ? ` (${type})` : ""}`;
  }
  return array.bytes > 0 ? "another array" : "memory of no known array";
}

const counted: Partial<Record<string, ["loads" | "stores", "sectors" | "wavefronts", ArraySums["space"]]>> = {
  "l1-read": ["loads", "sectors", "global"],
  "l1-write": ["stores", "sectors", "global"],
  "shared-read": ["loads", "wavefronts", "shared"],
  "shared-write": ["stores", "wavefronts", "shared"],
};

// Nothing of belts farther out: what caches keep of an array is not recorded.
export function sharesOf(belt: Belt, arrays: ArraySums[], { kernel }: Pick<Summary, "kernel">): ArrayShare[] {
  const by = counted[belt.id];
  if (!by) return [];
  const [way, unit, space] = by;
  const amount = (array: ArraySums): number => (array.space === space ? array[way][unit] : 0);
  const all = arrays.reduce((sum, array) => sum + amount(array), 0);
  const wanted = (array: ArraySums): number | null => (space === "global" ? Math.min(1, array[way].bytes / (sectorBytes * array[way].sectors)) : null);
  return arrays
    .map((array, colour) => ({ colour: colour % 8, name: arrayName(array, kernel), share: all > 0 ? amount(array) / all : 0, wanted: wanted(array) }))
    .filter((one) => one.share > 0);
}

// The items of a belt from its beginning on: of which array each is (null: not known), and whether anybody wants it.
export interface Item {
  array: ArrayShare | null;
  waste: boolean;
}
export function itemsOf(full: number, wantedShare: number, shares: ArrayShare[]): Item[] {
  const items: Item[] = [];
  let until = 0;
  for (const array of shares.length > 0 ? shares : [null]) {
    until += array?.share ?? 1;
    const first = items.length;
    const end = Math.min(full, Math.round(until * full));
    const wanted = Math.round((end - first) * (array?.wanted ?? wantedShare));
    for (let n = first; n < end; ++n) items.push({ array, waste: n - first >= wanted });
  }
  return items;
}

export const letterOf = (array: ArrayShare): string => String.fromCharCode("A".charCodeAt(0) + array.colour);
