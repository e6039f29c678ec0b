// How the lanes of an affine address lie: groups of lanes that have its uniform terms in common, and of each group the
// window of memory that its elements are in.
//
//     x[n * tid.y + tid.x / 2], rows of 16    two groups, each a window of 8 elements that lanes share in pairs
//     x[3 * tid.x]                            one group, a window of 94 elements of which every third is used
#pragma once

#include <llvm/ADT/SmallVector.h>

#include <cstdint>
#include <optional>

#include "simt/abi.h"
#include "simt/analysis/lane_shapes.h"

namespace warpwise::simt {

// Lanes in order whose addresses have the uniform terms in common.
struct LaneGroup {
  unsigned first, count;
};

// How a group's elements lie, in units of the element: `index[l]` counted from `lowest`.
struct LoadWindow {
  int64_t lowest = 0;  // bytes, relative to the group's first lane
  unsigned elements = 0;
  llvm::SmallVector<int, kLanes> index;
  bool contiguous = false;  // index[l] == l
  bool one_lane_each = true;
};

// Lanes in order, cut where a term with a uniform factor changes.
llvm::SmallVector<LaneGroup, 8> groups_of(const Shape& shape);
// Nullopt where the elements of a group lie too far apart, or not at distances of whole elements of `bytes`.
std::optional<LoadWindow> window_of(const Shape& shape, LaneGroup g, int64_t bytes);

// The bytes of a lane that have no uniform factor.
int64_t plain_offset(const Shape& shape, unsigned lane);

// The group's lanes as indices of a shuffle.
llvm::SmallVector<int, kLanes> slice(LaneGroup g);
// For each element of a window, one lane that reads it, or -1.
llvm::SmallVector<int, 128> lanes_of_elements(const LoadWindow& w);

}  // namespace warpwise::simt
