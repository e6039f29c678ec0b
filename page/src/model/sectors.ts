// An access to global memory, drawn as the sectors of 32 bytes that it fetches, each cut into the elements that lanes want.
import { has, laneCount } from "./lanes.ts";

export const sectorBytes = 32;

export interface Sector {
  at: number; // its address
  lanes: number; // mask of those that want bytes of it
  cells: number[][]; // for each element of the sector: the lanes that want it
  wanted: number; // bytes
  gap: number; // bytes between the sector before and this one that are not touched
}

export function sectorsOf(mask: number, addresses: number[], bytes: number): Sector[] {
  const size = Math.max(1, Math.min(bytes, sectorBytes));
  const found = new Map<number, Sector>();
  let next = 0;
  for (let lane = 0; lane < laneCount; ++lane) {
    if (!has(mask, lane)) continue;
    const address = addresses[next++]!;
    for (let at = address; at < address + bytes; at += size) {
      const start = Math.floor(at / sectorBytes) * sectorBytes;
      let sector = found.get(start);
      if (!sector) {
        const cells = Array.from({ length: sectorBytes / size }, () => [] as number[]);
        found.set(start, (sector = { at: start, lanes: 0, cells, wanted: 0, gap: 0 }));
      }
      sector.lanes = (sector.lanes | (1 << lane)) >>> 0;
      sector.cells[Math.floor((at - start) / size)]!.push(lane);
    }
  }
  const sectors = [...found.values()].sort((a, b) => a.at - b.at);
  sectors.forEach((sector, n) => {
    sector.wanted = sector.cells.filter((lanes) => lanes.length > 0).length * size;
    sector.gap = n === 0 ? 0 : sector.at - sectors[n - 1]!.at - sectorBytes;
  });
  return sectors;
}
