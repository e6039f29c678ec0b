// Masks of lanes: bit 0 is lane 0.

export const laneCount = 32;

export const has = (mask: number, lane: number): boolean => ((mask >>> lane) & 1) === 1;

export function lanesOf(mask: number): number[] {
  const lanes: number[] = [];
  for (let lane = 0; lane < laneCount; ++lane) if (has(mask, lane)) lanes.push(lane);
  return lanes;
}

export const count = (mask: number): number => lanesOf(mask).length;

// "0-3, 8": for sentences.
export function ranges(numbers: number[]): string {
  const parts: string[] = [];
  for (let n = 0; n < numbers.length; ) {
    let end = n + 1;
    while (end < numbers.length && numbers[end] === numbers[end - 1]! + 1) ++end;
    parts.push(end - n === 1 ? `${numbers[n]}` : `${numbers[n]}–${numbers[end - 1]}`);
    n = end;
  }
  return parts.join(", ");
}

// The thread of a lane, as the kernel sees it.
export function threadOf(warp: number, lane: number, shape: [number, number, number]): [number, number, number] {
  const number = warp * laneCount + lane;
  return [number % shape[0], Math.floor(number / shape[0]) % shape[1], Math.floor(number / (shape[0] * shape[1]))];
}
