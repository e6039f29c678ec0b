#include "perf/counters/traffic.h"

#include <algorithm>
#include <bit>

namespace warpwise::perf {

namespace {

constexpr uint64_t kLineBytes = 128;
constexpr uint64_t kSectorsOfLine = 4;

}  // namespace

SectorCache::SectorCache(uint64_t bytes) : sets_(std::max<uint64_t>(1, bytes / kLineBytes / kWays)) { ways_.resize(sets_ * kWays); }

void SectorCache::clear() {
  std::fill(ways_.begin(), ways_.end(), Way{});
  clock_ = 0;
}

unsigned SectorCache::access(uint64_t line, unsigned sectors) {
  const uint64_t hash = (line ^ line >> 17) * 0x9e3779b97f4a7c15u >> 20;  // Fibonacci hashing (Knuth, TAOCP 3, 6.4)
  Way* set = &ways_[hash % sets_ * kWays];
  Way* oldest = set;
  ++clock_;
  for (Way* way = set; way != set + kWays; ++way) {
    if (way->line == line) {
      const unsigned there = way->valid & sectors;
      way->valid |= uint8_t(sectors);
      way->used = clock_;
      return there;
    }
    if (way->used < oldest->used) oldest = way;
  }
  *oldest = {line, clock_, uint8_t(sectors)};
  return 0;
}

void keep_different(std::vector<uint64_t>& sectors) {
  std::sort(sectors.begin(), sectors.end());
  sectors.erase(std::unique(sectors.begin(), sectors.end()), sectors.end());
}

void BlockTrace::add(uint32_t warp, Traffic kind, const uint64_t* sectors, unsigned count) {
  if (warp >= warps_.size()) warps_.resize(warp + 1);
  for (unsigned n = 0; n < count; ++n)
    warps_[warp].push_back(sectors[n] | uint64_t(kind) << kKindShift | uint64_t(n == 0) << kFirstBit);
  entries_ += count;
  if (entries_ > kMostEntries && !l1_.empty()) replay(l1_[0]);
}

void BlockTrace::replay(SectorCache& l1) {
  next_.assign(warps_.size(), 0);
  constexpr uint64_t kSectorMask = (uint64_t{1} << kKindShift) - 1;
  for (bool more = true; more;) {
    more = false;
    for (size_t w = 0; w < warps_.size(); ++w) {
      const std::vector<uint64_t>& entries = warps_[w];
      size_t& at = next_[w];
      if (at == entries.size()) continue;
      more = true;
      const Traffic kind = Traffic(entries[at] >> kKindShift & 7);
      do {
        // The sectors of one line together.
        const uint64_t line = (entries[at] & kSectorMask) / kSectorsOfLine;
        unsigned sectors = 0;
        const size_t first = at;
        do {
          sectors |= 1u << (entries[at] & kSectorMask) % kSectorsOfLine;
          ++at;
        } while (at != entries.size() && !(entries[at] >> kFirstBit) && (entries[at] & kSectorMask) / kSectorsOfLine == line);
        const uint64_t count = at - first;
        unsigned missed = sectors;
        switch (kind) {
          case Traffic::Load: case Traffic::LocalLoad:
            missed = sectors & ~l1.access(line, sectors);
            traffic_.l1_hits += count - unsigned(std::popcount(missed));
            [[fallthrough]];
          case Traffic::LoadPastL1:
            traffic_.l1_reads += count;
            traffic_.l2_reads += unsigned(std::popcount(missed));
            if (kind == Traffic::LocalLoad) break;
            for (unsigned s = 0; s < kSectorsOfLine; ++s)
              if (missed >> s & 1) traffic_.read.push_back(line * kSectorsOfLine + s);
            break;
          case Traffic::LocalStore: l1.access(line, sectors); break;
          case Traffic::Store: case Traffic::Atomic:
            (kind == Traffic::Store ? traffic_.l2_writes : traffic_.l2_atomics) += count;
            for (unsigned s = 0; s < kSectorsOfLine; ++s)
              if (sectors >> s & 1) {
                traffic_.written.push_back(line * kSectorsOfLine + s);
                if (kind == Traffic::Atomic) traffic_.read.push_back(line * kSectorsOfLine + s);
              }
            break;
        }
      } while (at != entries.size() && !(entries[at] >> kFirstBit));
    }
  }
  for (auto& entries : warps_) entries.clear();
  entries_ = 0;
  keep_different(traffic_.read);
  keep_different(traffic_.written);
}

BlockTraffic BlockTrace::finish(uint64_t l1_bytes) {
  if (l1_.empty() || bytes_ != l1_bytes) {
    l1_.clear();
    l1_.emplace_back(l1_bytes);
    bytes_ = l1_bytes;
  }
  replay(l1_[0]);
  l1_[0].clear();
  BlockTraffic result = std::move(traffic_);
  traffic_ = {};
  return result;
}

}  // namespace warpwise::perf
