// The observer that counts: one record per launch.
//
//     launch_begins   facts of the kernel (kernel_facts.h)
//     pilot           the cost of a block decides how many are counted (sampling.h)
//     blocks          code adds to cells; accesses of unknown pattern are reported, and priced (access_cost.h)
//     launch_ends     cells become counters (sums.h), counters a record (records.h)
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "exec/observer.h"

namespace warpwise::perf {

struct ProfilerOptions {
  std::string records;  // the file that records are appended to
  bool exact = false;   // count all blocks of every launch
  bool brief = false;   // count as few as give a time: for a verdict, which a person waits for
};

// Beside it a device may have clients that keep nothing with a block (exec::BlockRun::observed): the checkers of memory
// and of initialisation, but not that of races. Error U0002: the file cannot be written.
Result<std::unique_ptr<exec::ObserverClient>> make_profiler(const ProfilerOptions& options,
                                                            const device::Properties& device);

}  // namespace warpwise::perf
