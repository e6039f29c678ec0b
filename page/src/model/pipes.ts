// The ways of data through the GPU in one launch, from the profile's counters and the model's shares: what moves, what of
// it is wanted, how busy each way is, and where it jams. All numbers are those of `warpwise profile --json`.

export interface ProfiledLaunch {
  index: number;
  kernel: string;
  launch__grid_size: number[];
  launch__block_size: number[];
  metrics: Record<string, number>;
}
// Joules, by where they go (src/perf/timing/energy.h).
export interface Energy {
  joules: number;
  dram: number;
  l2: number;
  l1: number;
  shared: number;
  arithmetic: number;
  idle: number;
}
export interface EnergyFigures {
  dram: number; // picojoules a byte, as l2 and l1
  l2: number;
  l1: number;
  fp32: number; // picojoules an operation, as fp64 and tensor
  fp64: number;
  tensor: number;
  idle: number; // watts
  measured_on: string;
  source: string;
  range: number;
}
export interface Advice {
  rule: string;
  title: string;
  evidence: string;
  remedy: string;
  gain: number;
  place?: { file: string; line: number };
  // The launch as it would be; `shares`: of the counters that change, what is left.
  then?: { seconds: number; limiter: string; utilization: Record<string, number>; shares: Record<string, number>; energy?: Energy };
}
export interface ModelledLaunch {
  index: number;
  seconds: number;
  limiter: string;
  flops?: number;
  energy?: Energy;
}
export interface ModelledKernel {
  kernel: string;
  grid: number[];
  block: number[];
  predicted: boolean;
  seconds: number;
  seconds_low: number;
  seconds_high: number;
  launches: number;
  limiter: string;
  next_limiter: string;
  utilization: Record<string, number>;
  peaks: Record<string, number>;
  advice?: Advice[];
}
export interface Profile {
  launches: ProfiledLaunch[];
  model: { kernels: ModelledKernel[]; launches: ModelledLaunch[]; energy_figures?: EnergyFigures };
}

export type Place = "dram" | "l2" | "l1" | "shared";
export interface Belt {
  id: string;
  between: Place; // which way: DRAM to L2, L2 to L1, L1 or shared memory to registers
  up: boolean; // towards the registers
  words: string;
  counter: string; // where the bytes come from
  bytes: number;
  wanted: number | null; // of the bytes, those that a thread asked for; null: all of them, or not known
}
export interface Way {
  place: Place;
  name: string;
  load: number; // share of what it can carry, by the model
  peak: number; // bytes a second
  jam: boolean;
  belts: Belt[];
}
export interface Pipe {
  key: string;
  name: string;
  load: number;
  jam: boolean;
}
export interface Pipes {
  launch: ProfiledLaunch;
  kernel: ModelledKernel;
  ways: Way[];
  pipes: Pipe[];
  limiter: string; // in words
  reuse: { words: string; times: number; share: boolean }[];
  seconds: number; // of the launch
  energy: Energy | null; // null: not known of this device
  flops: number;
  stored: number; // bytes that threads store to global memory
}

const sector = 32;
const wavefront = 128;

// [id, way, up, words, counter, bytes of one, counter of what is wanted, bytes of one]
type Row = [string, Place, boolean, string, string, number, string?, number?];
const rows: Row[] = [
  ["dram-read", "dram", true, "read from DRAM", "dram__bytes_read.sum", 1],
  ["dram-write", "dram", false, "written to DRAM", "dram__bytes_write.sum", 1],
  ["l2-read", "l2", true, "read from L2", "lts__t_sectors_srcunit_tex_op_read.sum", sector],
  ["l2-write", "l2", false, "written to L2", "lts__t_sectors_srcunit_tex_op_write.sum", sector],
  ["l1-read", "l1", true, "loaded from global memory", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", sector, "smsp__sass_data_bytes_mem_global_op_ld.sum", 1],
  ["l1-write", "l1", false, "stored to global memory", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", sector, "smsp__sass_data_bytes_mem_global_op_st.sum", 1],
  ["shared-read", "shared", true, "loaded from shared memory", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", wavefront, "warpwise__ideal_wavefronts_mem_shared_op_ld.sum", wavefront],
  ["shared-write", "shared", false, "stored to shared memory", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", wavefront, "warpwise__ideal_wavefronts_mem_shared_op_st.sum", wavefront],
];

const places: [Place, string, string[]][] = [
  ["dram", "DRAM to L2", ["dram"]],
  ["l2", "L2 to L1", ["l2", "l2_port", "atomics"]],
  ["l1", "L1 to registers", ["l1"]],
  ["shared", "shared memory to registers", ["shared"]],
];
const pipeNames: [string, string][] = [
  ["fp32", "fp32"],
  ["integer", "integer"],
  ["fp64", "fp64"],
  ["fp16", "fp16"],
  ["special", "special functions"],
  ["tensor", "tensor cores"],
  ["issue", "instruction issue"],
  ["barriers", "barriers"],
];

// What limits a kernel where no way is full.
const limiterWords: Record<string, string> = {
  launch: "No way is full: the launch itself takes longest. There is too little work in it.",
  latency: "No way is full: the warps wait for answers, and there are too few of them to hide that.",
  start: "No way is full: blocks are launched one after the other, and each does too little.",
  tail: "No way is full: the last blocks run alone.",
  host: "The jam is at PCIe, which is not in the picture: the kernel reads or writes host memory in place.",
};

const same = (a: number[], b: number[]): boolean => a.join() === b.join();

function reuseOf(belts: Map<string, Belt>): Pipes["reuse"] {
  const of = (id: string): number => belts.get(id)!.bytes;
  const wanted = belts.get("l1-read")!.wanted ?? 0;
  const pairs: [string, number, number, boolean][] = [
    ["each byte from DRAM is read from L2", of("l2-read"), of("dram-read"), false],
    ["each byte from L2 is loaded through L1", of("l1-read"), of("l2-read"), false],
    ["of the bytes that global loads move, threads want", wanted, of("l1-read"), true],
  ];
  return pairs.filter(([, above, below]) => above > 0 && below > 0).map(([words, above, below, share]) => ({ words, times: above / below, share }));
}

// The launch and its kernel. Nothing where the profile has no such launch, or the model could not predict it.
function found(profile: Profile, index: number): { launch: ProfiledLaunch; kernel: ModelledKernel } | null {
  const launch = profile.launches.find((one) => one.index === index);
  const kernel = profile.model.kernels.find(
    (one) => one.predicted && one.kernel === launch?.kernel && same(one.grid, launch.launch__grid_size) && same(one.block, launch.launch__block_size),
  );
  return launch && kernel ? { launch, kernel } : null;
}

// What advice would change: those of the rules whose change the model can reckon with.
export const whatIfsOf = (profile: Profile, index: number): Advice[] => found(profile, index)?.kernel.advice?.filter((one) => one.then) ?? [];

// `advice`: the launch as it would be if that were followed.
export function pipesOf(profile: Profile, index: number, advice: Advice | null = null): Pipes | null {
  const of = found(profile, index);
  const then = advice?.then ?? null;
  if (!of || (advice && !then)) return null;
  const { launch, kernel } = of;
  const modelled = profile.model.launches.find((one) => one.index === index);
  const share = (counter: string): number => then?.shares[counter] ?? 1;
  const count = (counter: string): number => Math.round((launch.metrics[counter] ?? 0) * share(counter));
  const belts = new Map<string, Belt>();
  for (const [id, between, up, words, counter, each, ideal, idealEach] of rows)
    belts.set(id, { id, between, up, words, counter, bytes: count(counter) * each, wanted: ideal ? Math.min(count(counter) * each, count(ideal) * idealEach!) : null });
  const utilization = then?.utilization ?? kernel.utilization;
  const limiting = then?.limiter ?? kernel.limiter;
  const load = (keys: string[]): number => Math.max(0, ...keys.map((key) => utilization[key] ?? 0));
  const ways = places.map(([place, name, keys]): Way => ({
    place,
    name,
    load: load(keys),
    peak: kernel.peaks[place] ?? 0,
    jam: keys.includes(limiting),
    belts: [...belts.values()].filter((belt) => belt.between === place),
  }));
  const pipes = pipeNames.map(([key, name]): Pipe => ({ key, name, load: load([key]), jam: limiting === key }));
  const jam = ways.find((way) => way.jam)?.name ?? pipes.find((pipe) => pipe.jam)?.name;
  const limiter = jam ? `The jam is at: ${jam}.` : (limiterWords[limiting] ?? `No way is full: ${limiting} limits it.`);
  return {
    launch,
    kernel,
    ways,
    pipes,
    limiter,
    reuse: reuseOf(belts),
    seconds: then?.seconds ?? modelled?.seconds ?? kernel.seconds / kernel.launches,
    energy: (then ? then.energy : modelled?.energy) ?? null,
    flops: modelled?.flops ?? 0,
    stored: count("smsp__sass_data_bytes_mem_global_op_st.sum"),
  };
}

export function bytesText(bytes: number): string {
  const units: [number, string][] = [
    [1e12, "TB"],
    [1e9, "GB"],
    [1e6, "MB"],
    [1e3, "KB"],
  ];
  const [unit, name] = units.find(([one]) => bytes >= one) ?? [1, "bytes"];
  return `${Number((bytes / unit).toPrecision(3))} ${name}`;
}

export const percent = (share: number): string => (share > 0 && share < 0.01 ? "under 1 %" : `${Math.round(share * 100)} %`);

// How thick a belt is drawn: by powers of ten, from 100 GB/s to 100 TB/s.
export const thickness = (peak: number): number => Math.round(8 + 8 * Math.min(3, Math.max(0, Math.log10(Math.max(peak, 1) / 1e11))));
