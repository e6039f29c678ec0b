#include "simt/vectorise/lane_windows.h"

#include <algorithm>

namespace warpwise::simt {

using namespace llvm;

namespace {

// A group's window may be this many times as wide as its lanes.
constexpr int64_t kWidestWindow = 4;
// Lanes farther apart than this are in no window.
constexpr int64_t kFarthest = int64_t{1} << 32;

// Bytes from one place to another, modulo 2^64: lanes may be anywhere.
int64_t distance(int64_t from, int64_t to) { return int64_t(uint64_t(to) - uint64_t(from)); }

}  // namespace

SmallVector<LaneGroup, 8> groups_of(const Shape& shape) {
  SmallVector<LaneGroup, 8> groups;
  for (unsigned l = 0; l < kLanes; ++l) {
    bool same = l > 0;
    if (l > 0)
      for (const Term& t : shape.terms)
        if (t.coefficient.value && t.lanes[l] != t.lanes[l - 1]) same = false;
    if (same)
      ++groups.back().count;
    else
      groups.push_back({l, 1});
  }
  return groups;
}

int64_t plain_offset(const Shape& shape, unsigned lane) {
  for (const Term& t : shape.terms)
    if (!t.coefficient.value) return t.lanes[lane];
  return 0;
}

std::optional<LoadWindow> window_of(const Shape& shape, LaneGroup g, int64_t bytes) {
  LoadWindow w;
  int64_t first = plain_offset(shape, g.first), highest = 0;
  for (unsigned l = 0; l < g.count; ++l) {
    const int64_t offset = distance(first, plain_offset(shape, g.first + l));
    if (offset % bytes != 0 || offset < -kFarthest || offset > kFarthest) return std::nullopt;
    w.lowest = std::min(w.lowest, offset);
    highest = std::max(highest, offset);
  }
  int64_t elements = (highest - w.lowest) / bytes + 1;
  if (elements > std::max<int64_t>(4, kWidestWindow * g.count)) return std::nullopt;
  w.elements = unsigned(elements);
  SmallVector<bool> used(w.elements, false);
  w.contiguous = w.elements == g.count;
  for (unsigned l = 0; l < g.count; ++l) {
    int index = int((distance(first, plain_offset(shape, g.first + l)) - w.lowest) / bytes);
    w.index.push_back(index);
    if (used[index]) w.one_lane_each = false;
    used[index] = true;
    if (index != int(l)) w.contiguous = false;
  }
  return w;
}

SmallVector<int, kLanes> slice(LaneGroup g) {
  SmallVector<int, kLanes> lanes;
  for (unsigned l = 0; l < g.count; ++l) lanes.push_back(int(g.first + l));
  return lanes;
}

SmallVector<int, 128> lanes_of_elements(const LoadWindow& w) {
  SmallVector<int, 128> lanes(w.elements, -1);
  for (unsigned l = 0; l < w.index.size(); ++l) lanes[w.index[l]] = int(l);
  return lanes;
}

}  // namespace warpwise::simt
