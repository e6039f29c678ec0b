#include "check/race/apart_memory.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "exec/loading/launch_ranges.h"
#include "simt/abi.h"

namespace warpwise::check {

namespace {

using Wide = __int128;  // products of numbers of 64 bits do not overflow, nor do a few of them together

// Where the addresses wrap, parameters of 32 bits count up to multiples of 2^32 alone; elsewhere the ranges that the
// form assumes make them small.
std::optional<Wide> value_of(const simt::LaunchSum& sum, const exec::KernelLaunch& launch) {
  Wide value = 0;
  for (const simt::LaunchSum::Part& part : sum.parts) {
    int64_t number = 1;
    if (part.bytes != 0) {
      if (part.offset + uint64_t{part.bytes} > launch.parameters.size()) return {};
      const auto* at = launch.parameters.data() + part.offset;
      if (part.bytes == 4) {
        int32_t narrow = 0;
        std::memcpy(&narrow, at, sizeof narrow);
        number = narrow;
      } else {
        std::memcpy(&number, at, sizeof number);
      }
    }
    value += Wide{part.factor} * number;
  }
  return value;
}

// Numbers that are added: at least so far apart, and so far from the least to the greatest.
struct Steps {
  Wide gap, span;
};

Wide magnitude(Wide value) { return value < 0 ? -value : value; }

// How far all sums of such numbers reach, with `extent` bytes at each; nothing where two of them may overlap.
std::optional<Wide> nested(std::vector<Steps> all, Wide extent) {
  std::sort(all.begin(), all.end(), [](const Steps& a, const Steps& b) { return a.gap < b.gap; });
  for (const Steps& steps : all) {
    if (steps.gap < extent) return {};
    extent += steps.span;
  }
  return extent;
}

}  // namespace

bool are_apart(const simt::ApartAccesses& accesses, const exec::KernelLaunch& launch) {
  if (!exec::in_ranges(accesses.assumed, launch)) return false;
  constexpr Wide kLimit = Wide{1} << 62;
  std::vector<Steps> of_block, of_grid;
  auto add = [&](std::vector<Steps>& to, const simt::LaunchSum& sum, uint64_t count) {
    if (count <= 1) return true;
    const std::optional<Wide> step = value_of(sum, launch);
    if (!step || magnitude(*step) > kLimit / count) return false;
    to.push_back({magnitude(*step), magnitude(*step) * (count - 1)});
    return true;
  };
  const uint64_t blocks[3] = {launch.grid.x, launch.grid.y, launch.grid.z};
  for (unsigned d = 0; d < 3; ++d)
    if (!add(of_block, accesses.by_thread[d], accesses.threads[d]) || !add(of_grid, accesses.by_block[d], blocks[d]))
      return false;
  std::vector<Wide> offsets;
  for (const simt::LaunchSum& sum : accesses.offsets) {
    const std::optional<Wide> offset = value_of(sum, launch);
    if (!offset || magnitude(*offset) > kLimit) return false;
    offsets.push_back(*offset);
  }
  std::sort(offsets.begin(), offsets.end());
  offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
  const Wide between = offsets.empty() ? 0 : offsets.back() - offsets.front();
  if (offsets.size() > 1) {
    Steps steps{between, between};
    for (size_t o = 1; o < offsets.size(); ++o) steps.gap = std::min(steps.gap, offsets[o] - offsets[o - 1]);
    of_block.push_back(steps);
  }
  const Wide modulus = accesses.modulus;
  if (!accesses.reach.parts.empty()) {
    const std::optional<Wide> reach = value_of(accesses.reach, launch);
    const std::optional<Wide> within = nested(of_block, accesses.bytes);
    if (reach && *reach >= 0 && within && (modulus == 0 || *within <= modulus)) {
      const std::optional<Wide> all = nested(of_grid, *reach + between + accesses.bytes);
      if (all && (accesses.wrap == 0 || *all <= Wide{accesses.wrap})) return true;
    }
  }
  of_block.insert(of_block.end(), of_grid.begin(), of_grid.end());
  const std::optional<Wide> all = nested(std::move(of_block), accesses.bytes);
  return all && (modulus == 0 || *all <= modulus);
}

void find_apart_memory(const LaunchPointers& pointers, KnownMemory& known) {
  const simt::CompiledKernel& about = pointers.kernel();
  if (about.accessed_pointers == ~uint64_t{0}) return;
  for (const simt::ApartAccesses& apart : about.apart_accesses) {
    const unsigned n = apart.pointer;
    const exec::Region* region = n < pointers.count() ? pointers.allocation(n) : nullptr;
    if (!region || pointers.is_reached(*region, about.accessed_pointers & ~(uint64_t{1} << n))) continue;
    if (!are_apart(apart, pointers.launch())) continue;
    known[n].first = region->base + simt::kAliasOffset;
    known[n].apart = region->size;
  }
}

}  // namespace warpwise::check
