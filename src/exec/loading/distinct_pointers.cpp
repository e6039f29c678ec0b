#include "exec/loading/distinct_pointers.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "exec/memory/arena.h"

namespace warpwise::exec {
namespace {

struct Answer {
  bool distinct = true;
  bool lasts = true;  // until an allocation comes or goes
};

Answer compare_allocations(const Arena& arena, std::span<const std::byte> parameters) {
  constexpr size_t kMost = 64;
  std::array<device::Address, kMost> bases;
  size_t count = 0;
  Answer answer;
  for (size_t at = 0; at + sizeof(device::Address) <= parameters.size(); at += sizeof(device::Address)) {
    device::Address address;
    std::memcpy(&address, parameters.data() + at, sizeof address);
    if (!Arena::in_window(address)) continue;
    auto region = arena.find_allocation(address);
    if (!region) {
      answer.lasts = false;  // memory may be mapped there at any time
      region = arena.find(address);
      if (!region) continue;
    }
    const auto end = bases.begin() + count;
    if (region->owner != Owner::Program || count == kMost || std::find(bases.begin(), end, region->base) != end) {
      answer.distinct = false;
      return answer;
    }
    bases[count++] = region->base;
  }
  return answer;
}

}  // namespace

bool DistinctPointers::ask(const Arena& arena, std::span<const std::byte> parameters) {
  const uint64_t changes = arena.changes();
  if (changes_ == changes && std::ranges::equal(parameters_, parameters)) return answer_;
  const Answer answer = compare_allocations(arena, parameters);
  parameters_.assign(parameters.begin(), parameters.end());
  changes_ = answer.lasts ? changes : 0;
  answer_ = answer.distinct;
  return answer_;
}

}  // namespace warpwise::exec
