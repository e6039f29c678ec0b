// What a launch demands of each part of the GPU: counts divided by rates, in clocks of that part.
//
//     fp32      16,777,216 warp instructions * 32 lanes / 128 lanes a clock = 4,194,304 clocks of one SM
//     DRAM      268 MB at 3017 GB/s                                         = clocks of the whole GPU
//
// A part whose demand is as long as the launch limits it.
//
// Loads and stores share one pipe. Each takes the longest of four times: its addresses in the load/store units, its
// cache lines at the tags of L1 (one per clock), its data to the registers, and in shared memory its wavefronts. The
// longest is taken for each source line, since the instructions of a line are alike, and summed.
#pragma once

#include <string_view>
#include <vector>

#include "device/properties.h"
#include "perf/counters/launch_counts.h"

namespace warpwise::perf {

enum class Resource : uint8_t {
#define RESOURCE(id, ...) id,
#include "perf/timing/resources.inc"
#undef RESOURCE
};

inline constexpr unsigned kResources = 0
#define RESOURCE(...) +1
#include "perf/timing/resources.inc"
#undef RESOURCE
    ;

enum class Scope : uint8_t { Sm, Gpu };
enum class Group : uint8_t { Compute, Memory };

struct ResourceInfo {
  std::string_view key, name;
  Scope scope;
  Group group;
  std::string_view words;
};
const ResourceInfo& info_of(Resource resource);

struct Demands {
  double clocks[kResources] = {};  // of one SM, or of the GPU, for the whole launch

  double operator[](Resource r) const { return clocks[static_cast<unsigned>(r)]; }
  double& operator[](Resource r) { return clocks[static_cast<unsigned>(r)]; }
};

// At a core clock of `khz`. The memory clock does not depend on it.
Demands demands_of(const LaunchCounts& launch, const device::Properties& device, double khz);

// Of each demand the shares of the phases of the launch (counters/phases.h), which are 1 together. None: it has no
// phases.
std::vector<Demands> shares_of_phases(const LaunchCounts& launch, const device::Properties& device, double khz);

// How long memory takes to move so many bytes. Reads alone, or writes alone, come nearest to its peak: switching
// between the two costs time. Between "alone" and "as many of one as of the other" the rate is interpolated.
double dram_seconds(const device::Properties& device, double read, double written);

// How long a load of global memory takes, in core clocks of `khz`, with the hit rates of the launch and no contention.
// `waves`: the number of blocks divided by the number that the GPU holds at once.
double global_latency(const LaunchCounts& launch, const device::Machine& machine, double waves, double khz);
// How long a warp that runs alone waits for one, on average of the steps of its chain: less, or more, than that where
// it does something else meanwhile (counters/chains.h).
double global_wait(const LaunchCounts& launch, const device::Machine& machine, double waves, double khz);

}  // namespace warpwise::perf
