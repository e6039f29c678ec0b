// What compiled code assumes of a launch, beyond the block's shape: proofs that need it are frequent, launches for
// which it is wrong are rare. The launch asks before it runs such code (exec/loading/distinct_pointers.h,
// launch_ranges.h). Where the answer is no, the kernel is compiled once more without that kind of
// assumption (CompileOptions::may_assume).
//
//     c[row * n + column] += x;     // warps have words of their own if n is at least the width of the block
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace warpwise::simt {

// Kinds of assumptions that the compiler may make.
struct MayAssume {
  bool distinct_pointers = true;
  bool ranges = true;
  bool alignments = true;
  auto operator<=>(const MayAssume&) const = default;
};

// A number of the launch lies in [least, most]. It counts as unsigned: a negative parameter is a large number.
struct LaunchRange {
  enum class Of : uint8_t { GridX, GridY, GridZ, Parameter };
  Of of = Of::GridX;    // blocks of the grid, or a parameter of the kernel:
  uint8_t bytes = 0;    // its size, 4 or 8
  uint32_t offset = 0;  // where it lies among the parameters, in bytes
  uint64_t least = 0, most = ~uint64_t{0};

  bool is_of_same(const LaunchRange& other) const {
    return of == other.of && bytes == other.bytes && offset == other.offset;
  }
  bool operator==(const LaunchRange&) const = default;
};

// Ranges that all hold, one for each number.
class LaunchRanges {
 public:
  void add(const LaunchRange& range) {
    for (LaunchRange& known : ranges_)
      if (known.is_of_same(range)) {
        known.least = std::max(known.least, range.least), known.most = std::min(known.most, range.most);
        return;
      }
    ranges_.push_back(range);
  }
  void add(const LaunchRanges& others) {
    for (const LaunchRange& range : others.ranges_) add(range);
  }
  // Whether any launch can satisfy them.
  bool possible() const {
    return std::none_of(ranges_.begin(), ranges_.end(), [](const LaunchRange& r) { return r.least > r.most; });
  }
  const std::vector<LaunchRange>& all() const { return ranges_; }
  bool operator==(const LaunchRanges&) const = default;

 private:
  std::vector<LaunchRange> ranges_;
};

// A parameter of the kernel is a multiple of two to a power: a pointer to numbers, or a distance between them.
struct LaunchAlignment {
  uint32_t offset = 0;  // where it lies among the parameters, in bytes
  uint8_t log2 = 0;     // at most 5
  bool operator==(const LaunchAlignment&) const = default;
};

// Alignments that all hold, one for each parameter.
class LaunchAlignments {
 public:
  void add(const LaunchAlignment& alignment) {
    for (LaunchAlignment& known : alignments_)
      if (known.offset == alignment.offset) {
        known.log2 = std::max(known.log2, alignment.log2);
        return;
      }
    alignments_.push_back(alignment);
  }
  void add(const LaunchAlignments& others) {
    for (const LaunchAlignment& alignment : others.alignments_) add(alignment);
  }
  const std::vector<LaunchAlignment>& all() const { return alignments_; }
  bool operator==(const LaunchAlignments&) const = default;

 private:
  std::vector<LaunchAlignment> alignments_;
};

// Two pointers of the launch lead to different allocations. Not all that a kernel has need to: the arrays of a
// structure often lie in one allocation, and are apart from those that the kernel reads.
struct DistinctPointers {
  static constexpr uint32_t kVariables = ~uint32_t{0};  // the second one: to the module's variables
  uint32_t first = 0, second = 0;                       // where they lie among the parameters, in bytes
  auto operator<=>(const DistinctPointers&) const = default;
};

// Pairs that all lead to different allocations, in their order.
class AllDistinctPointers {
 public:
  void add(DistinctPointers pair) {
    if (pair.first > pair.second) std::swap(pair.first, pair.second);
    const auto at = std::lower_bound(pairs_.begin(), pairs_.end(), pair);
    if (at == pairs_.end() || *at != pair) pairs_.insert(at, pair);
  }
  void add(const AllDistinctPointers& others) {
    for (const DistinctPointers& pair : others.pairs_) add(pair);
  }
  const std::vector<DistinctPointers>& all() const { return pairs_; }
  bool operator==(const AllDistinctPointers&) const = default;

 private:
  std::vector<DistinctPointers> pairs_;
};

struct LaunchAssumptions {
  AllDistinctPointers distinct_pointers;
  LaunchRanges ranges;
  LaunchAlignments alignments;

  void add(const LaunchAssumptions& other) {
    distinct_pointers.add(other.distinct_pointers);
    ranges.add(other.ranges);
    alignments.add(other.alignments);
  }
};

}  // namespace warpwise::simt
