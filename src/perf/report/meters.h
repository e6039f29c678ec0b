// How busy the parts of the GPU are, as rows of a chart: compute and memory, and below each its parts.
//
//     memory                      65 %
//       L1 + shared memory        65 %     one pipe serves both, so their shares add up
//         L1 cache                20 %
//         shared memory           45 %
//       L2 cache                  12 %
//
// A group is as busy as its busiest part; Nsight Compute's "Speed of Light" takes the same maximum.
#pragma once

#include <string_view>
#include <vector>

#include "perf/timing/predict.h"

namespace warpwise::perf {

struct Meter {
  std::string_view name;
  double share = 0;  // of the peak, 0 to 1
  Group group = Group::Compute;
  unsigned depth = 0;  // 0: a group, 1: a part, 2: a part of a part
};

// Parts below 2 % are left out.
std::vector<Meter> meters_of(const Prediction& prediction);

}  // namespace warpwise::perf
