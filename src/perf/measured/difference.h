// Why a launch took another time than the model says: which part of the model differs from the GPU.
//
//     measured 14.0 us, modelled 10.1
//       with the GPU's own counts of global memory's sectors   13.6       so the counts differ there, not the rates
//       to fit, memory would have to be 1.4 times as slow                 where no count explains it
//
// The model is a function of counts and of the device's figures. Each part of the counts is replaced by the GPU's own,
// where its counters were read, and the time is predicted again. What the counts leave unexplained is put to the
// figures: for each rate and latency, the factor is looked for with which the model would agree. The nearest to one are
// named; those that no factor would reconcile are not the reason.
#pragma once

#include <string>
#include <vector>

#include "device/properties.h"
#include "perf/counters/launch_counts.h"

namespace warpwise::perf {

// Sentences; none where the model is within 5 % of `seconds`, which do not include the pause before the launch.
// `hardware` may be null.
std::vector<std::string> explain_difference(const LaunchCounts& launch, const device::Properties& device,
                                            double seconds, const HardwareCounts* hardware);

}  // namespace warpwise::perf
