// What a host thread has found out, while it runs a launch, about the copies behind addresses of multicast objects.
// Each lane of each access by multimem asks for each copy, nearly always for bytes that were asked for before. Asking
// the arena takes a lock and searches maps.
//
//     one entry for each number of a copy, for reads and for writes:
//         [first, end) -> so far away, or that there are fewer copies
//
// What the host maps otherwise while a kernel uses it is not seen before the next launch; CUDA leaves open what such a
// kernel does.
#pragma once

#include <array>

#include "exec/memory/arena.h"

namespace warpwise::exec {

class KnownCopies {
 public:
  // As Arena::copy_at.
  Arena::Copy at(const Arena& arena, device::Address address, size_t bytes, bool writes, unsigned index) {
    if (index >= kKnown) return arena.copy_at(address, bytes, writes, index);
    Range& known = ranges_[writes][index];
    if (address < known.first || address >= known.end || bytes > known.end - address) {
      Arena::Copy copy = arena.copy_at(address, bytes, writes, index);
      if (!copy.why_not.empty()) return copy;
      known = {copy.first, copy.end, copy.address - address, copy.address != 0};
    }
    return {.address = known.exists ? address + known.distance : 0};
  }

 private:
  struct Range {
    device::Address first = 0, end = 0;
    uint64_t distance = 0;
    bool exists = false;
  };
  static constexpr unsigned kKnown = 9;  // of eight devices, and that there is no ninth
  std::array<std::array<Range, kKnown>, 2> ranges_;
};

}  // namespace warpwise::exec
