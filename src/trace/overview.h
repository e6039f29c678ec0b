// The overview of a block: each warp's steps in buckets of one size, with sums for each bucket.
//
// How many steps a warp will make is not known when it starts. So buckets begin at one step each, and when there are
// kMostBuckets, neighbours are merged two by two: memory stays below 200 KB a warp whatever the kernel does, and all of
// the block is in it, recorded step by step or not.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace warpwise::trace {

enum class OverviewField : uint8_t {
#define OVERVIEW_FIELD(id, name, meaning) id,
#include "trace/overview_fields.inc"
#undef OVERVIEW_FIELD
};
constexpr unsigned kOverviewFields = 0
#define OVERVIEW_FIELD(...) +1
#include "trace/overview_fields.inc"
#undef OVERVIEW_FIELD
    ;
std::string_view name_of(OverviewField field);

struct Bucket {
  std::array<uint64_t, kOverviewFields> value{};
  uint64_t operator[](OverviewField f) const { return value[size_t(f)]; }
  uint64_t& operator[](OverviewField f) { return value[size_t(f)]; }
  Bucket& operator+=(const Bucket& other) {
    for (unsigned f = 0; f < kOverviewFields; ++f) value[f] += other.value[f];
    return *this;
  }
  bool operator==(const Bucket&) const = default;
};

class WarpOverview {
 public:
  static constexpr size_t kMostBuckets = 2048;

  // The next step of the warp.
  void add(const Bucket& step);
  // Steps of a bucket: two to this power.
  unsigned shift() const { return shift_; }
  const std::vector<Bucket>& buckets() const { return buckets_; }

 private:
  friend Result<std::vector<WarpOverview>> decode_overview(std::string_view payload);
  unsigned shift_ = 0;
  uint64_t steps_ = 0;
  std::vector<Bucket> buckets_;
};

// As the payload of a chunk, and back. V0005 where it is none.
std::string encode_overview(const std::vector<WarpOverview>& warps);
Result<std::vector<WarpOverview>> decode_overview(std::string_view payload);

// When a warp arrived at barriers of its block: the number of the step, and the modelled clocks of the warp's own
// instructions until then.
struct Arrival {
  uint64_t step = 0, clock = 0;
  bool operator==(const Arrival&) const = default;
};
// More arrivals than this are not recorded.
constexpr size_t kMostArrivals = 4096;
std::string encode_arrivals(const std::vector<std::vector<Arrival>>& warps);
Result<std::vector<std::vector<Arrival>>> decode_arrivals(std::string_view payload);

}  // namespace warpwise::trace
