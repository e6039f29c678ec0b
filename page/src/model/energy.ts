// Energy and score of a launch, in rows for a table and in words. Estimates: two versions on one device may be compared.
import type { Energy, EnergyFigures, Pipes } from "./pipes.ts";

type Part = Exclude<keyof Energy, "joules">;
export const parts: [Part, string][] = [
  ["dram", "DRAM"],
  ["l2", "L2"],
  ["l1", "L1"],
  ["shared", "shared memory"],
  ["arithmetic", "arithmetic"],
  ["idle", "in any case"],
];

const scaled = (value: number, units: [number, string][]): string => {
  const [unit, name] = units.find(([one]) => value >= one) ?? units.at(-1)!;
  return `${Number((value / unit).toPrecision(3)).toLocaleString("en")} ${name}`;
};

export const joulesText = (joules: number): string =>
  scaled(joules, [
    [1, "J"],
    [1e-3, "mJ"],
    [1e-6, "µJ"],
    [1e-9, "nJ"],
  ]);

const rateText = (value: number, unit: string): string =>
  scaled(value, [
    [1e12, `T${unit}`],
    [1e9, `G${unit}`],
    [1e6, `M${unit}`],
    [1e3, `k${unit}`],
    [1, unit],
  ]);

// Of each part its share of all, the largest first.
export const energyShares = (energy: Energy): { part: Part; name: string; joules: number; share: number }[] =>
  parts
    .map(([part, name]) => ({ part, name, joules: energy[part], share: energy.joules > 0 ? energy[part] / energy.joules : 0 }))
    .filter((one) => one.joules > 0)
    .sort((a, b) => b.joules - a.joules);

export interface Score {
  words: string; // of what
  amount: number; // of the launch
  unit: string;
  perSecond: string;
  perJoule: string; // "": the energy is not known
}

// Results per second and per joule: what a launch computes and what it stores.
export function scoresOf(pipes: Pipes): Score[] {
  const rows: [string, number, string][] = [
    ["floating-point operations", pipes.flops, "FLOP"],
    ["stored to global memory", pipes.stored, "B"],
  ];
  return rows
    .filter(([, amount]) => amount > 0)
    .map(([words, amount, unit]) => ({
      words,
      amount,
      unit,
      perSecond: `${rateText(amount / pipes.seconds, unit)}/s`,
      perJoule: pipes.energy ? `${rateText(amount / pipes.energy.joules, unit)}/J` : "",
    }));
}

// [what, figure]
export const figureRows = (f: EnergyFigures): [string, string][] => [
  ["a byte from or to DRAM", `${f.dram} pJ`],
  ["a byte between L2 and L1", `${f.l2} pJ`],
  ["a byte between L1 or shared memory and registers", `${f.l1} pJ`],
  ["an fp32 operation; integers and special functions are charged as one", `${f.fp32} pJ`],
  ["an fp64 operation", `${f.fp64} pJ`],
  ["an operation of the tensor cores", `${f.tensor} pJ`],
  ["in any case", `${f.idle} W`],
];

// "0.52× the time and 0.61× the energy"
export function comparedText(now: Pipes, other: Pipes): string {
  const ratio = (a: number, b: number): string => `${Number((b / a).toPrecision(3))}×`;
  const time = `${ratio(now.seconds, other.seconds)} the time`;
  return now.energy && other.energy ? `${time} and ${ratio(now.energy.joules, other.energy.joules)} the energy` : time;
}
