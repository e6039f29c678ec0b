// Whether pointers of a launch lead to different allocations, as compiled code assumes (simt/launch_assumptions.h).
// The same launch comes again and again, so the last answer is kept with what it was an answer to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "simt/launch_assumptions.h"

namespace warpwise::exec {

class Arena;

class DistinctAllocations {
 public:
  // `parameters`: the launch's. `pairs`: always the same. Parameters that are no addresses of allocations do not count;
  // what leads to a variable of the module does not lead to a different allocation: the kernel may reach the variable
  // by its name.
  bool ask(const Arena& arena, std::span<const std::byte> parameters, const simt::AllDistinctPointers& pairs);

 private:
  std::vector<std::byte> parameters_;  // of the last answer
  uint64_t changes_ = 0;               // of the arena then; 0: there is no last answer
  bool answer_ = false;
};

}  // namespace warpwise::exec
