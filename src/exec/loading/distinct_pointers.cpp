#include "exec/loading/distinct_pointers.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "exec/memory/arena.h"

namespace warpwise::exec {
namespace {

struct Answer {
  bool distinct = true;
  bool lasts = true;  // until an allocation comes or goes
};

class Comparison {
 public:
  Comparison(const Arena& arena, std::span<const std::byte> parameters) : arena_(arena), parameters_(parameters) {}

  Answer of(const simt::AllDistinctPointers& pairs) {
    std::optional<Allocation> first;  // of the pair before, too: they are in order
    for (const simt::DistinctPointers& pair : pairs.all()) {
      if (!first || first->offset != pair.first) first = find(pair.first);
      if (!first->base) continue;
      if (!first->is_program) return {.distinct = false, .lasts = lasts_};
      if (pair.second == simt::DistinctPointers::kVariables) continue;
      const Allocation second = find(pair.second);
      if (second.base && (!second.is_program || second.base == first->base))
        return {.distinct = false, .lasts = lasts_};
    }
    return {.distinct = true, .lasts = lasts_};
  }

 private:
  struct Allocation {
    uint32_t offset = 0;  // of the parameter that leads to it
    std::optional<device::Address> base;
    bool is_program = false;
  };

  Allocation find(uint32_t offset) {
    Allocation found{.offset = offset};
    device::Address address;
    if (offset + sizeof address > parameters_.size()) return found;
    std::memcpy(&address, parameters_.data() + offset, sizeof address);
    if (!Arena::in_window(address)) return found;
    auto region = arena_.find_allocation(address);
    if (!region) {
      lasts_ = false;  // memory may be mapped there at any time
      region = arena_.find(address);
    }
    if (region) found.base = region->base, found.is_program = region->owner == Owner::Program;
    return found;
  }

  const Arena& arena_;
  const std::span<const std::byte> parameters_;
  bool lasts_ = true;
};

}  // namespace

bool DistinctAllocations::ask(const Arena& arena, std::span<const std::byte> parameters,
                              const simt::AllDistinctPointers& pairs) {
  if (pairs.all().empty()) return true;
  const uint64_t changes = arena.changes();
  if (changes_ == changes && std::ranges::equal(parameters_, parameters)) return answer_;
  const Answer answer = Comparison(arena, parameters).of(pairs);
  parameters_.assign(parameters.begin(), parameters.end());
  changes_ = answer.lasts ? changes : 0;
  answer_ = answer.distinct;
  return answer_;
}

}  // namespace warpwise::exec
