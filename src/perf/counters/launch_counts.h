// The counts as plain data: the contract between the code that counts (this folder) and the code that interprets
// (timing, report, advice).
//
//     Profile
//       └─ LaunchCounts   one per kernel launch: its shape, totals, source lines, chains
//       ├─ HostEvent      copies, fills and launches in the order in which they ran; calls and named ranges in that of
//       │                 their ends
//       └─ MeasuredLaunch and HardwareCounts, where the program has run on a real GPU, too
//
// A launch of many blocks is counted in a sample of them (sampling.h): every figure is then an estimate of the whole
// launch, and `error` says how good an estimate.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.h"

namespace warpwise::perf {

enum class Counter : uint8_t {
#define COUNTER(id, ...) id,
#include "perf/counters/counters.inc"
#undef COUNTER
};

inline constexpr unsigned kCounters = 0
#define COUNTER(...) +1
#include "perf/counters/counters.inc"
#undef COUNTER
    ;

struct CounterInfo {
  std::string_view id;    // "GlobalLoadSectors"
  std::string_view name;  // Nsight Compute's
  std::string_view unit;
  std::string_view meaning;
};
const CounterInfo& info_of(Counter counter);

struct Counts {
  std::array<uint64_t, kCounters> value{};

  uint64_t operator[](Counter c) const { return value[size_t(c)]; }
  uint64_t& operator[](Counter c) { return value[size_t(c)]; }
  Counts& operator+=(const Counts& other) {
    for (unsigned c = 0; c < kCounters; ++c) value[c] += other.value[c];
    return *this;
  }
  bool operator==(const Counts&) const = default;
};

// A quotient of two counters; 0 when there is nothing to divide by.
inline double ratio(const Counts& counts, Counter above, Counter below) {
  return counts[below] == 0 ? 0 : double(counts[above]) / double(counts[below]);
}

// What the counts are where ptxas keeps in registers what PTX has in local memory: an array whose loops it unrolls. The
// instructions stay: it moves and selects values instead.
void drop_local_memory(Counts& counts);

struct SourceFrame {
  std::string file;
  uint32_t line = 0;
  uint32_t column = 0;
  std::string function;  // demangled
  bool operator==(const SourceFrame&) const = default;
};

// A line of source, and the calls through which it was inlined: frames[0] is the line itself, the last is in the
// kernel. Empty frames: instructions without a place.
struct LineCounts {
  std::vector<SourceFrame> frames;
  Counts counts;
};

// The steps of a chain of dependent instructions, by what a warp waits for.
struct ChainSteps {
  double fma = 0;  // fp32 and integer arithmetic: fixed latency
  double fp64 = 0;
  double xu = 0;
  double shared = 0;  // loads of shared memory, shuffles
  double global = 0;  // loads of global and local memory, textures
  double atomic = 0;  // global atomics whose value is waited for
  double tensor = 0;
  double barrier = 0;  // waits at barriers
  double branch = 0;   // clocks until branches are resolved
  double gap = 0;      // clocks that ptxas leaves between instructions
};

// What limits a warp that runs alone, from the dependences of the kernel and how often its parts ran (chains.h). An
// estimate.
// What the loads that a warp waits for find, each by how long it is waited for. Where several were under way, the
// slowest counts. Shares.
struct WaitedLoads {
  double in_l1 = 0;   // hit L1
  double missed = 0;  // of the others: come from memory
  double first = 0;   // of the others: the first time that their block wants the data
};

struct LatencyProfile {
  ChainSteps chain;                   // of one warp, from its first instruction to its last
  double in_l1 = 1, from_memory = 1;  // of the steps that chain.global has where all loads hit L2: so many would be
                                      // left if all hit L1, or came from memory (chains.h)
  double loads_in_flight = 0;  // global loads that a warp has in flight, on average, when it begins to wait for one
  std::optional<WaitedLoads> waited;  // nothing: not known, and the hit rates of the launch stand for them
  double late_hits = 0;          // of the sectors that L1 was asked for: it has them on their way, for another warp
  double first_reads = 0;        // of the sectors that L2 was asked for: the first time that their block wants them
  double code_blocks = 0;        // basic blocks that some warp has come to
  double code_instructions = 0;  // instructions of SASS in these
  double code_again = 0;         // those that a warp runs again after more others than the caches of code hold
  double block_waits = 0;        // of a block, for others (block_waits.h)
  double late_atomics =
      0;  // of the global atomics, those that a block comes to when it has loaded all and its warps have met
};

// What a warp has run, by what the average warp has.
struct WarpShare {
  double instructions = 1, loads = 1;
  bool operator==(const WarpShare&) const = default;
};

enum class RegisterSource : uint8_t { Estimate, Ptxas };

struct LaunchCounts {
  uint64_t index = 0;                 // of the launch in the program, from 0
  std::optional<uint64_t> counts_of;  // the launch before it whose counts these are; none: they are its own
  std::string kernel;                 // demangled
  std::string symbol;                 // its name in PTX
  device::Dim3 grid, block, cluster;
  uint32_t registers = 0;  // per thread
  RegisterSource register_source = RegisterSource::Estimate;
  uint32_t static_shared_bytes = 0, dynamic_shared_bytes = 0;
  uint32_t local_bytes = 0;    // per thread
  uint32_t barriers_used = 0;  // of the 16 that a block has
  uint64_t stream = 0;         // 0: the default stream
  bool cooperative = false;
  bool failed = false;  // ended by a fault: counts are those until then

  uint64_t blocks = 0, counted_blocks = 0;
  // At the end of the grid: blocks without work (idle_blocks.h), and the part of all instructions that they have. What
  // is said of an average block or warp below is said of the others.
  uint64_t idle_blocks = 0;
  double idle_instructions = 0;
  // Relative half-width of the 95 % interval of each total; 0 where all blocks were counted.
  std::array<float, kCounters> error{};
  // Blocks whose accesses went through the cache models; 0: hit rates and DRAM bytes are not known.
  uint64_t cached_blocks = 0;

  double longest_block = 1;  // instructions of the block that has most, of those counted, by the average
  double block_spread = 0;   // standard deviation of the blocks' instructions, by the average
  WarpShare longest_warp, longest_warp_of_all;  // of the warps of a block, on average, and of those of all blocks

  Counts totals;
  std::vector<LineCounts> lines;  // most instructions first; none when the kernel has been launched in this shape often
  std::vector<Counts> phases;     // what warps go through one after the other, where they do (phases.h)
  LatencyProfile latency;
  std::vector<std::string> notes;  // sentences: what was estimated or could not be counted

  uint64_t threads() const { return grid.count() * block.count(); }
  uint64_t warps() const { return grid.count() * ((block.count() + 31) / 32); }
  double error_of(Counter c) const { return error[size_t(c)]; }
};

// An event beside the counts, with its place in modelled time (exec/queue/virtual_clock.h): a command of the program
// for the device, one of its CUDA calls, or a range that it has named.
struct HostEvent {
  enum class Kind : uint8_t { Launch, CopyToDevice, CopyToHost, CopyOnDevice, Fill, Call, Range };
  Kind kind = Kind::Launch;
  // Of commands: in the order of submission, from 1; those of one graph share one. Calls and ranges: of the first and
  // the last command that were submitted in that time; first > last: none.
  uint64_t number = 0, last_number = 0;
  uint64_t stream = 0;                // commands
  uint64_t thread = 0;                // of the program, in the order of their first calls
  uint64_t bytes = 0;                 // copies, fills
  bool pinned = false;                // the host memory of a copy is page-locked
  bool synchronous = false;           // the call that submitted it waited for it
  uint64_t launch = 0;                // Launch: LaunchCounts::index
  std::string name;                   // Call: the function; Range: what NVTX calls it
  uint64_t times = 1;                 // Call: so many, one after the other, that did nothing but ask
  uint64_t begin_ns = 0, end_ns = 0;  // of the host: calls and ranges; a command is submitted at begin_ns. A mark is a
                                      // range that ends as it begins
  uint64_t waited_ns = 0;             // of that time
  uint64_t device_begin_ns = 0, device_end_ns = 0;  // commands

  bool is_command() const { return kind < Kind::Call; }
  bool moves_to_or_from_host() const { return kind == Kind::CopyToDevice || kind == Kind::CopyToHost; }
};

// What launch of which kernel: by this a launch on a real GPU is found among those that were counted.
struct LaunchKey {
  std::string symbol;  // as PTX calls the kernel
  device::Dim3 grid, block;
};
// How long a real GPU worked on a launch (device/gpu/launch_times.h).
struct MeasuredLaunch {
  LaunchKey key;
  uint32_t dynamic_shared_bytes = 0;
  double seconds = 0;
};
// What its own counters say of one (perf/measured/ncu.h). NaN: they do not say.
struct HardwareCounts {
  LaunchKey key;
  std::array<double, kCounters> value{};

  double operator[](Counter c) const { return value[size_t(c)]; }
};

struct Profile {
  std::string program;
  std::string device;    // a name of device/devices.inc
  unsigned version = 0;  // of its records, where it was read from some (records.h)
  std::vector<LaunchCounts> launches;
  std::vector<HostEvent> events;
  std::vector<std::string> not_counted;  // work of the device that was not counted
  bool complete = true;                  // the program ended by itself, and its records with it
  std::string measured_on;               // the name of a real GPU; "": nothing was measured
  std::vector<MeasuredLaunch> measured;  // in the order of the launches
  std::vector<HardwareCounts> hardware;
  std::string why_no_hardware;  // a sentence, where there are times alone
};

}  // namespace warpwise::perf
