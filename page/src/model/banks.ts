// An access to shared memory, drawn as its wavefronts: which lanes each bank serves in each pass. The rules are those that
// price the access (src/perf/counters/access_cost.h):
//
//   up to 4 bytes a lane   all lanes together; a bank serves one word in a pass, to every lane that wants it
//   8 bytes                half a warp after the other, in 16 pairs of banks
//   16 bytes               a quarter after the other, in 8 groups of four banks
//   atomics                a bank serves one lane in a pass, also where several name the same word; where 1 is added and
//                          the old value is not used ("words"), all that name the word
//
// Where all lanes agree with their neighbour (or with the one after it), twice as many lanes go together.
import { has, laneCount } from "./lanes.ts";

export interface BankCell {
  unit: number; // which word (of 4, 8 or 16 bytes) of shared memory
  lanes: number[];
}
export interface Wavefronts {
  bytes: number; // of a column
  columns: number;
  rows: (BankCell | null)[][];
}

const bankBytes = 4;
const banks = 32;

function pairsAgree(address: Map<number, number>, apart: number): boolean {
  for (const [lane, at] of address) {
    const partner = address.get(lane ^ apart);
    if (partner !== undefined && partner !== at) return false;
  }
  return true;
}

function rowsOf(lanes: number[], address: Map<number, number>, bytes: number, columns: number, share: boolean) {
  const rows: (BankCell | null)[][] = [];
  const filled: BankCell[][] = Array.from({ length: columns }, () => []);
  for (const lane of lanes) {
    const unit = Math.floor(address.get(lane)! / bytes);
    const cells = filled[unit % columns]!;
    const same = share ? cells.find((cell) => cell.unit === unit) : undefined;
    if (same) same.lanes.push(lane);
    else cells.push({ unit, lanes: [lane] });
  }
  const count = Math.max(0, ...filled.map((cells) => cells.length));
  for (let row = 0; row < count; ++row) rows.push(filled.map((cells) => cells[row] ?? null));
  return rows;
}

export function wavefrontsOf(mask: number, addresses: number[], bytes: number, kind: string, ptx: string, sharedAtomic = ""): Wavefronts {
  const address = new Map<number, number>();
  let at = 0;
  for (let lane = 0; lane < laneCount; ++lane) if (has(mask, lane)) address.set(lane, addresses[at++]!);
  const matrix = ptx.includes("matrix");
  const atomic = kind === "atomic" || kind === "reduction";
  const unit = matrix ? 16 : bytes <= bankBytes ? bankBytes : bytes <= 8 || atomic ? 8 : 16;
  const columns = (banks * bankBytes) / unit;
  let group = unit === bankBytes || atomic ? laneCount : unit === 8 ? 16 : 8;
  if (!matrix && !atomic && unit > bankBytes && (pairsAgree(address, 1) || pairsAgree(address, 2))) group *= 2;
  const rows: (BankCell | null)[][] = [];
  for (let first = 0; first < laneCount; first += group) {
    const lanes = [...address.keys()].filter((lane) => lane >= first && lane < first + group);
    rows.push(...rowsOf(lanes, address, unit, columns, !atomic || sharedAtomic === "words"));
  }
  return { bytes: unit, columns, rows };
}
