// The GPU's own counters, read by Nsight Compute (`ncu`), an optional program of NVIDIA's. It runs a program, runs each
// kernel as often as it takes to count everything, and writes a table.
//
//     ncu --csv --page raw --metrics smsp__inst_executed.sum,… program
//
// Its names are ours (counters.inc), so both can be laid side by side. Those that begin with warpwise__ it does not
// have.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "perf/counters/launch_counts.h"

namespace warpwise::perf {

// The options with which `ncu` counts what can be compared, of the first `launches` launches, and writes it to `file`.
// The caches are empty before each launch, as they are here; the clock is left as it is.
std::vector<std::string> ncu_options(const std::string& file, unsigned launches);

// What it has written: lines of its own, then a table of the launches.
struct NcuTable {
  std::vector<HardwareCounts> launches;
  std::string why_not;  // there is no table: the last thing that it said; "": there is one
};
NcuTable read_ncu(std::string_view text);

}  // namespace warpwise::perf
