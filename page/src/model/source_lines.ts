// The source text with what its lines cost. A line of a file is found by the innermost frame, as `warpwise view` does.
import type { Cost, Frame, LineSum, SourceFile } from "../api.ts";

export interface SourceLine {
  number: number;
  text: string;
  indices: number[]; // of the recording's table of lines: code that was inlined at several places has several
  steps: number;
  lanes: number; // sum of the lanes that were there
  diverging: number;
  cost: Cost;
}

const costFields = ["sectors", "ideal_sectors", "wavefronts", "ideal_wavefronts", "words", "bytes"] as const;

export function linesOf(file: SourceFile, sums: LineSum[], table: Frame[][]): SourceLine[] {
  const lines: SourceLine[] = file.text
    .replace(/\n$/, "")
    .split("\n")
    .map((text, n) => ({ number: n + 1, text, indices: [], steps: 0, lanes: 0, diverging: 0, cost: {} }));
  table.forEach((frames, index) => {
    const frame = frames[0];
    if (frame && frame.file === file.name) lines[frame.line - 1]?.indices.push(index);
  });
  for (const sum of sums) {
    const frame = sum.frames[0];
    const line = frame && frame.file === file.name ? lines[frame.line - 1] : undefined;
    if (!line) continue;
    line.steps += sum.steps;
    line.lanes += sum.lanes;
    line.diverging += sum.diverging;
    for (const field of costFields) {
      const value = (line.cost[field] ?? 0) + (sum.cost[field] ?? 0);
      if (value) line.cost[field] = value;
    }
  }
  return lines;
}

// How many times what it could be: of sectors, or of wavefronts, whichever is worse. 1 is no waste.
export function wasteOf(cost: Cost | undefined): number {
  if (!cost) return 1;
  const times = (is?: number, ideal?: number) => (is && ideal ? is / ideal : 1);
  return Math.max(times(cost.sectors, cost.ideal_sectors), times(cost.wavefronts, cost.ideal_wavefronts));
}

export const times = (factor: number): string => (factor < 9.95 ? factor.toFixed(1) : Math.round(factor)) + "×";

export const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
