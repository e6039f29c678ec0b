// What the recorded steps of a block move of each array: allocations and variables in global memory, and variables in
// shared memory. The sums over all arrays are those of the lines (Queries::lines) for loads and stores.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trace/cost.h"
#include "trace/trace_file.h"

namespace warpwise::trace {

struct ArraySums {
  Space space = Space::Global;  // or Shared
  std::string name;             // of a variable; "" for an allocation, and for what is in no known array
  int argument = -1;            // of the kernel: which one points into it; -1: none
  uint64_t bytes = 0;           // of the array; 0: not known
  Cost loads, stores;
};

Result<std::vector<ArraySums>> sums_of_arrays(TraceFile& file);

// {"arrays": [{"space": …, "name": …, "argument": …, "bytes": …, "loads": COST, "stores": COST}, …]}
std::string to_json(const std::vector<ArraySums>& arrays);

}  // namespace warpwise::trace
