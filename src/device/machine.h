// What a GPU can do in a clock, and how long it takes to answer: the inputs of the timing model (perf/timing).
//
// What follows from the architecture is in architectures.inc, what differs between boards in boards.inc, each figure
// with its source. Rates are per multiprocessor (SM) and clock unless a name says otherwise; latencies are in core
// clocks, but for memory's.
#pragma once

#include <string_view>

namespace warpwise::device {

struct Machine {
  // Lanes that a pipe takes in a clock; a warp has 32.
  double issue = 4;  // instructions of warps: one for each of four schedulers
  double fp32_lanes = 0;
  double integer_lanes = 0;
  bool integer_shares_fp32 = false;  // half of the fp32 lanes are the integer lanes (compute capability 8.6, 8.9)
  double fp64_lanes = 0;
  double fp16_lanes = 0;     // of packed pairs
  double special_lanes = 0;  // MUFU: sines, exponentials, reciprocals
  double lsu_lanes = 0;      // addresses of loads and stores
  // Of the rates below, what `mma` reaches: Hopper's tensor cores are made for `wgmma`.
  double mma_share = 1;
  // Dense matrix products: additions and products in a clock.
  double tensor_f16 = 0, tensor_tf32 = 0, tensor_f64 = 0, tensor_f8 = 0, tensor_int8 = 0;

  // Memory nearby.
  double l1_bytes = 0;               // from L1 or shared memory to registers
  double shared_register_bytes = 0;  // from shared memory to registers, where lanes want the same words, too
  double l1_tags = 1;                // cache lines that L1 looks up
  double l1_kib = 0;                 // what L1 and shared memory divide
  double l2_to_sm_bytes = 64;        // what one SM can take from L2

  // Memory far away, of the whole GPU.
  double l2_bytes_per_clock = 0;
  double l2_atomics_per_clock = 0;  // 32-bit atomics on different addresses
  // Of memory's peak bandwidth, what kernels reach that only read, and what they reach that read as much as they write:
  // memory takes time to turn.
  double dram_read_fraction = 0, dram_fraction = 0;

  double fma_latency = 0, fp64_latency = 0, special_latency = 0, shared_latency = 0, tensor_latency = 0,
         barrier_latency = 0;
  double l1_latency = 0, l2_latency = 0;
  double dram_latency_ns = 0;  // beyond L2's: memory has a clock of its own

  // The clock that the board keeps when all of its arithmetic is busy and its power limit binds: the base clock.
  double sustained_khz = 0;

  double launch_ns = 0;        // from one kernel's end to the next one's begin, and a kernel's own start
  double host_gb_per_s = 0;    // PCIe, one direction, from page-locked memory
  double host_latency_ns = 0;  // of a small copy
  double peer_gb_per_s = 0;    // NVLink, both directions; 0: none

  std::string_view source;
};

}  // namespace warpwise::device
