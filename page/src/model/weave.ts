// The window of the weave: the bytes of the server (src/serve/answers.h) as planes, and what each bucket is drawn as.

export const planes = [
  "steps",
  "lanes",
  "on_lanes",
  "partial",
  "diverging",
  "accesses",
  "sectors",
  "ideal_sectors",
  "wavefronts",
  "ideal_wavefronts",
  "atomics",
  "barriers",
  "waits",
  "site",
  "marks",
] as const;
export type Plane = (typeof planes)[number];

export interface WeaveRow {
  warp: number;
  plane: Record<Plane, Uint32Array>;
}
export interface Weave {
  first: number; // step of the first bucket
  shift: number; // a bucket has two to this power steps
  columns: number;
  rows: WeaveRow[];
}

const magic = 0x56414557; // "WEAV"
const headNumbers = 8;

export function weaveOf(bytes: ArrayBuffer): Weave {
  const head = new DataView(bytes);
  const number = (n: number): number => head.getUint32(4 * n, true);
  if (bytes.byteLength < 4 * headNumbers || number(0) !== magic || number(1) !== 1 || number(5) !== planes.length)
    throw new Error("the server and the page are of different versions: reload the page");
  const weave: Weave = { shift: number(2), columns: number(4), first: number(6) + number(7) * 2 ** 32, rows: [] };
  const rowNumbers = 1 + planes.length * weave.columns;
  for (let row = 0; row < number(3); ++row) {
    const at = headNumbers + row * rowNumbers;
    const plane = {} as Record<Plane, Uint32Array>;
    planes.forEach((name, n) => {
      plane[name] = new Uint32Array(bytes, 4 * (at + 1 + n * weave.columns), weave.columns);
    });
    weave.rows.push({ warp: number(at), plane });
  }
  return weave;
}

// What a bucket is drawn as: the worst that happens in it.
export const looks = ["all", "some", "memory", "uncoalesced", "conflict", "diverges", "waits", "race"] as const;
export type Look = (typeof looks)[number];

export const lookWords: Record<Look, string> = {
  all: "all lanes",
  some: "some lanes (the height says how many)",
  memory: "memory, nothing wasted",
  uncoalesced: "uncoalesced: sectors are fetched for nothing",
  conflict: "bank conflict",
  diverges: "lanes go different ways",
  waits: "barrier: waits for the other warps",
  race: "race, or another finding",
};

// For the legend below the picture.
export const shortWords: Record<Look, string> = {
  all: "all lanes",
  some: "some lanes",
  memory: "memory",
  uncoalesced: "uncoalesced",
  conflict: "bank conflict",
  diverges: "divergence",
  waits: "barrier",
  race: "race or finding",
};

export function lookOf(row: WeaveRow, column: number): Look | null {
  const at = (name: Plane): number => row.plane[name][column]!;
  if (at("marks")) return "race";
  if (!at("steps")) return null;
  if (at("wavefronts") > at("ideal_wavefronts")) return "conflict";
  if (at("sectors") > at("ideal_sectors")) return "uncoalesced";
  if (at("diverging")) return "diverges";
  if (at("barriers")) return "waits";
  if (at("partial")) return "some";
  return at("accesses") ? "memory" : "all";
}

// How much of the warp took part, from 0 to 1: the lanes that were there, or of an access those that made it. The lanes
// that are on at a branch are those that jump, and the others are not idle.
export function fullness(row: WeaveRow, column: number, threads: number): number {
  const steps = row.plane.steps[column]!;
  const lanes = steps === 1 && row.plane.accesses[column] ? row.plane.on_lanes : row.plane.lanes;
  return steps ? Math.min(1, lanes[column]! / (steps * threads)) : 0;
}

// Steps of a row that look alike, one after the other.
export interface Run {
  first: number;
  last: number;
  look: Look;
  fullness: number; // the least of them
  site: number;
}

// The runs of a row in view, from left to right; steps at which the warp has ended are in none.
export function runsOf(weave: Weave, row: WeaveRow, view: { first: number; span: number }, threads: number): Run[] {
  const width = 2 ** weave.shift;
  const from = Math.max(0, Math.floor((view.first - weave.first) / width));
  const until = Math.min(weave.columns, Math.ceil((view.first + view.span - weave.first) / width));
  const runs: Run[] = [];
  for (let column = from; column < until; ++column) {
    const look = lookOf(row, column);
    if (!look) continue;
    const first = weave.first + column * width;
    const last = first + Math.max(1, Math.min(width, row.plane.steps[column]!)) - 1;
    const lanes = fullness(row, column, threads);
    const before = runs.at(-1);
    if (before && before.look === look && before.last === first - 1) {
      before.last = last;
      before.fullness = Math.min(before.fullness, lanes);
    } else runs.push({ first, last, look, fullness: lanes, site: row.plane.site[column]! });
  }
  return runs;
}
