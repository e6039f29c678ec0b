#include "exec/loading/launch_ranges.h"

#include <algorithm>
#include <cstring>
#include <optional>

namespace warpwise::exec {
namespace {

std::optional<uint64_t> number_of(const simt::LaunchRange& range, const KernelLaunch& launch) {
  using Of = simt::LaunchRange::Of;
  switch (range.of) {
    case Of::GridX:
      return launch.grid.x;
    case Of::GridY:
      return launch.grid.y;
    case Of::GridZ:
      return launch.grid.z;
    case Of::Parameter:
      break;
  }
  uint64_t number = 0;
  if (range.bytes > sizeof number || range.offset + uint64_t{range.bytes} > launch.parameters.size()) return {};
  std::memcpy(&number, launch.parameters.data() + range.offset, range.bytes);
  return number;
}

}  // namespace

bool in_ranges(const simt::LaunchRanges& ranges, const KernelLaunch& launch) {
  return std::ranges::all_of(ranges.all(), [&](const simt::LaunchRange& range) {
    const std::optional<uint64_t> number = number_of(range, launch);
    return number && *number >= range.least && *number <= range.most;
  });
}

bool are_aligned(const simt::LaunchAlignments& alignments, const KernelLaunch& launch) {
  return std::ranges::all_of(alignments.all(), [&](const simt::LaunchAlignment& alignment) {
    if (alignment.offset >= launch.parameters.size()) return false;
    // Numbers are little-endian: the first byte has the bits that matter.
    const auto low = static_cast<uint8_t>(launch.parameters[alignment.offset]);
    return (low & ((1u << alignment.log2) - 1)) == 0;
  });
}

}  // namespace warpwise::exec
