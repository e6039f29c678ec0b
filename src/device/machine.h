// A GPU's throughput per clock and its latencies: the inputs of the timing model (perf/timing).
//
// Figures of the architecture are in architectures.inc, figures that differ between boards in boards.inc, each with its
// source. Rates are per multiprocessor (SM) and clock unless a name says otherwise; latencies are in core clocks,
// except those of memory.
#pragma once

#include <string_view>

namespace warpwise::device {

struct Machine {
  // Lanes that a pipe accepts in a clock; a warp has 32.
  double issue = 4;  // warp instructions: one for each of four schedulers
  double fp32_lanes = 0;
  double integer_lanes = 0;
  bool integer_shares_fp32 = false;  // half of the fp32 lanes are the integer lanes (compute capability 8.6, 8.9)
  double fp64_lanes = 0;
  double fp16_lanes = 0;     // of packed pairs
  double special_lanes = 0;  // MUFU: sines, exponentials, reciprocals
  double lsu_lanes = 0;      // addresses of loads and stores
  // The share of the rates below that `mma` reaches: Hopper's tensor cores are made for `wgmma`.
  double mma_share = 1;
  // Dense matrix products: additions and multiplications in a clock.
  double tensor_f16 = 0, tensor_tf32 = 0, tensor_f64 = 0, tensor_f8 = 0, tensor_int8 = 0;

  // Memory near the SM.
  double l1_bytes = 0;               // from L1 or shared memory to registers
  double shared_register_bytes = 0;  // from shared memory to registers, also where lanes read the same words
  double l1_tags = 1;                // cache lines that L1 looks up
  double l1_kib = 0;                 // shared by L1 and shared memory
  double l2_to_sm_bytes = 64;        // the most that one SM can receive from L2

  // Memory far from the SM, of the whole GPU.
  double l2_bytes_per_clock = 0;
  double l2_atomics_per_clock = 0;  // 32-bit atomics on different addresses
  // The share of memory's peak bandwidth that kernels reach which only read, and which read as much as they write:
  // memory takes time to turn around.
  double dram_read_fraction = 0, dram_fraction = 0;

  double fma_latency = 0, fp64_latency = 0, special_latency = 0, shared_latency = 0, tensor_latency = 0,
         barrier_latency = 0;
  double l1_latency = 0, l2_latency = 0;
  double dram_latency_ns = 0;  // added to that of L2: memory has a clock of its own

  // The clock that the board sustains when all of its arithmetic is busy and its power limit applies: the base clock.
  double sustained_khz = 0;

  double launch_ns = 0;        // from the end of one kernel to the beginning of the next, and a kernel's own start
  double host_gb_per_s = 0;    // PCIe, one direction, from page-locked memory
  double host_latency_ns = 0;  // of a small copy
  double peer_gb_per_s = 0;    // NVLink, both directions; 0: none

  std::string_view source;
};

}  // namespace warpwise::device
