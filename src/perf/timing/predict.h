// How long a launch takes on a device, what limits it, and what would limit it then.
//
//     counts ──demands.h──► clocks of each part ──┐
//     chain of dependences ──► waiting of a warp ─┼─queue.h─► time of b blocks on an SM ──waves, tail──► seconds
//     registers, shared memory ──► resident blocks┘
//
// An analytical model: nothing is simulated, a prediction takes microseconds. docs/model.md has the assumptions, how
// far it is from published measurements, and where it fails.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "device/occupancy.h"
#include "perf/timing/demands.h"

namespace warpwise::perf {

// What limits a launch: a busy part of the GPU; or no part is busy, because
//   Latency   warps wait for results, and there are too few of them to hide the latency
//   Tail      SMs are idle: too few blocks, or the last wave fills only some of them
//   Launch    starting the kernel takes longer than running it
struct Limit {
  enum class Kind : uint8_t { Resource, Latency, Tail, Launch } kind = Kind::Resource;
  Resource resource = Resource::Issue;  // of Kind::Resource

  bool operator==(const Limit& other) const {
    return kind == other.kind && (kind != Kind::Resource || resource == other.resource);
  }
};
std::string_view name_of(Limit limit);  // "memory (DRAM)", "latency"
std::string_view key_of(Limit limit);   // "dram", "latency"

struct Prediction {
  double seconds = 0;        // with the launch
  double low = 0, high = 0;  // two of three measurements should lie between
  double launch_seconds = 0;
  double gap_seconds = 0;  // the part of the launch before the GPU begins: `seconds` without it is the duration of ncu
  double clock_khz = 0;    // what the power limit leaves of the boost clock

  device::Occupancy occupancy;
  double resident_warps = 0;  // of an SM, on average while blocks last: achieved occupancy times its warps
  double waves = 0;           // blocks / blocks that the GPU holds at once
  double wave_seconds = 0,
         last_wave_seconds =
             0;              // of a whole wave, and of the last one, which fills only part of the GPU; 0: there is none
  double tail_share = 0;     // of the time, lost because the last wave does not fill the GPU
  double latency_share = 0;  // of the time, in which no part of an SM is the bottleneck

  double utilization[kResources] = {};             // of each part while the kernel runs
  double compute_of_peak = 0, memory_of_peak = 0;  // the busiest of each group: Nsight Compute's speed of light

  Limit limiter;
  double seconds_without_limiter = 0;
  Limit next;  // the limiter once the first is gone

  std::string_view
      waits_for;           // what a warp that runs alone waits for most, "its loads from global memory"; empty: nothing
  double warps_of_sm = 0;  // that an SM could hold

  double of(Resource r) const { return utilization[static_cast<unsigned>(r)]; }
};

// Completes "The kernel is limited by …", in the words of a first chapter on CUDA.
std::string limiter_words(const Prediction& prediction);

// Of a launch that can run on the device; nothing otherwise.
std::optional<Prediction> predict(const LaunchCounts& launch, const device::Properties& device);

// The resources of a block of the launch, for occupancy.
device::BlockResources resources_of(const LaunchCounts& launch, const device::Properties& device);

}  // namespace warpwise::perf
