#include "trace/overview.h"

#include "trace/bytes.h"
#include "trace/step.h"

namespace warpwise::trace {

namespace {

constexpr uint64_t kMostShift = 48;

}  // namespace

void WarpOverview::add(const Bucket& step) {
  const size_t at = steps_ >> shift_;
  if (at >= kMostBuckets) {
    for (size_t n = 0; n < kMostBuckets / 2; ++n) {
      buckets_[n] = buckets_[2 * n];
      buckets_[n] += buckets_[2 * n + 1];
    }
    buckets_.resize(kMostBuckets / 2);
    ++shift_;
  }
  const size_t bucket = steps_++ >> shift_;
  if (bucket == buckets_.size()) buckets_.emplace_back();
  buckets_[bucket] += step;
}

std::string encode_overview(const std::vector<WarpOverview>& warps) {
  ByteWriter out;
  out.number(warps.size());
  for (const WarpOverview& warp : warps) {
    out.number(warp.shift());
    out.number(warp.buckets().size());
    for (unsigned f = 0; f < kOverviewFields; ++f)
      for (const Bucket& bucket : warp.buckets()) out.number(bucket.value[f]);
  }
  return out.bytes();
}

Result<std::vector<WarpOverview>> decode_overview(std::string_view payload) {
  ByteReader in(payload);
  std::vector<WarpOverview> warps(in.number_up_to(kMostWarps));
  for (WarpOverview& warp : warps) {
    warp.shift_ = unsigned(in.number_up_to(kMostShift));
    warp.buckets_.resize(in.number_up_to(WarpOverview::kMostBuckets));
    for (unsigned f = 0; f < kOverviewFields; ++f)
      for (Bucket& bucket : warp.buckets_) bucket.value[f] = in.number();
    for (const Bucket& bucket : warp.buckets_) warp.steps_ += bucket[OverviewField::Steps];
  }
  if (in.bad() || !in.at_end()) return Error{"V0005", "the overview of the block is none"};
  return warps;
}

std::string encode_arrivals(const std::vector<std::vector<Arrival>>& warps) {
  ByteWriter out;
  out.number(warps.size());
  for (const auto& warp : warps) {
    out.number(warp.size());
    Arrival last;
    for (const Arrival& arrival : warp) {
      out.number(arrival.step - last.step);
      out.number(arrival.clock - last.clock);
      last = arrival;
    }
  }
  return out.bytes();
}

Result<std::vector<std::vector<Arrival>>> decode_arrivals(std::string_view payload) {
  ByteReader in(payload);
  std::vector<std::vector<Arrival>> warps(in.number_up_to(kMostWarps));
  for (auto& warp : warps) {
    warp.resize(in.number_up_to(kMostArrivals));
    Arrival last;
    for (Arrival& arrival : warp) {
      arrival.step = last.step + in.number(), arrival.clock = last.clock + in.number();
      last = arrival;
    }
  }
  if (in.bad() || !in.at_end()) return Error{"V0005", "the list of arrivals at barriers is none"};
  return warps;
}

}  // namespace warpwise::trace
