// The modelled run as a timeline that browsers show (chrome://tracing, ui.perfetto.dev):
//
//     program   a row for each thread: CUDA calls, and the ranges that they are in
//     device    a row for each stream: kernels, copies, fills; arrows from the calls that submitted them
//     ranges    NVTX ranges in device time: from the first of their commands to the last
//     SMs       a row for each multiprocessor: which blocks of a kernel it runs, wave by wave, as the model places them
//
// All times are modelled (exec/queue/virtual_clock.h): nothing here was measured. Format: "Trace Event Format" (the
// Chromium project), complete events ("X"), flows ("s", "f") and names ("M"), in microseconds.
#pragma once

#include <string>

#include "perf/report/analysis.h"

namespace warpwise::perf {

struct Timeline {
  std::string json;
  uint64_t launches_without_blocks = 0;  // the rows of SMs hold a limited number of events
};
Timeline timeline_of(const Analysis& analysis);

}  // namespace warpwise::perf
