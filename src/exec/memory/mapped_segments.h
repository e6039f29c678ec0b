// Pieces of the process's memory, as /proc/self/maps describes them (proc(5)).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpwise::exec {

struct MappedSegment {
  uint64_t first = 0, last = 0;  // addresses, [first, last)
  bool writable = false, shared = false;
  std::string name;  // of the file, or as "[stack]"; empty: anonymous memory
};

// What lies in [first, last), cut to it; what is not there is missing.
std::vector<MappedSegment> mapped_segments(uint64_t first, uint64_t last);

}  // namespace warpwise::exec
