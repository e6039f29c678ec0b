#include "perf/counters/traffic.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <utility>

#include "base/clones.h"
#include "exec/memory/arena.h"

namespace warpwise::perf {

namespace {

constexpr uint64_t kLineBytes = 128;
constexpr uint64_t kSectorsOfLine = 4;
constexpr uint64_t kBytesOfSector = kLineBytes / kSectorsOfLine;

// Sectors of one line, a bit each. (std::popcount is a call on processors that may not have the instruction.)
constexpr std::array<uint8_t, 16> kCountOf{0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};

}  // namespace

SectorCache::SectorCache(uint64_t bytes) : sets_(std::max<uint64_t>(1, bytes / kLineBytes / kWays)) {}

// What has not been used since is not there any more: a block may be over sooner than all ways are written.
void SectorCache::clear() {
  constexpr uint32_t kLate = 1u << 31;
  if (clock_ >= kLate) {
    std::fill(sets_.begin(), sets_.end(), Set());
    clock_ = 0;
  }
  cleared_ = clock_;
}

// In the way that is accessed.
SectorCache::Found SectorCache::look_up(unsigned sectors, uint32_t turn) {
  Set& set = sets_[last_set_];
  const unsigned way = last_way_;
  if (set.turns[way] != turn) set.fresh[way] = 0, set.turns[way] = turn;
  const Found found{set.valid[way] & sectors, set.fresh[way] & sectors};
  set.fresh[way] |= uint8_t(sectors & ~set.valid[way]);
  set.valid[way] |= uint8_t(sectors);
  set.used[way] = clock_;
  return found;
}

// The way that holds the line since the last clear(), or kWays.
WARPWISE_CLONES unsigned SectorCache::way_of(const Set& set, uint64_t line, uint32_t cleared) {
  uint32_t ways = 0;
  for (unsigned way = 0; way < kWays; ++way) ways |= uint32_t(set.lines[way] == line && set.used[way] > cleared) << way;
  return ways == 0 ? kWays : unsigned(std::countr_zero(ways));
}

// The first of those that have been used least recently.
WARPWISE_CLONES unsigned SectorCache::oldest_way(const Set& set) {
  uint32_t least = set.used[0], ways = 0;
  for (unsigned way = 1; way < kWays; ++way) least = std::min(least, set.used[way]);
  for (unsigned way = 0; way < kWays; ++way) ways |= uint32_t(set.used[way] == least) << way;
  return unsigned(std::countr_zero(ways));
}

SectorCache::Found SectorCache::access(uint64_t line, unsigned sectors, uint32_t turn) {
  ++clock_;
  if (const Set& set = sets_[last_set_]; set.lines[last_way_] == line && set.used[last_way_] > cleared_)
    return look_up(sectors, turn);
  // Neighbouring lines lie in different sets; which one a run of them begins with is hashed (Fibonacci hashing: Knuth,
  // TAOCP 3, 6.4), so that strides do not fall into one.
  const uint64_t run = line / sets_.size(), hash = (run ^ run >> 17) * 0x9e3779b97f4a7c15u >> 20;
  last_set_ = (line + hash) % sets_.size();
  Set& set = sets_[last_set_];
  last_way_ = way_of(set, line, cleared_);
  if (last_way_ < kWays) return look_up(sectors, turn);
  const unsigned way = last_way_ = oldest_way(set);
  set.lines[way] = line, set.used[way] = clock_, set.turns[way] = turn;
  set.valid[way] = set.fresh[way] = uint8_t(sectors);
  return {0, 0};
}

namespace {

// Sorts elements that come in order where their numbers are the same. A block's sectors lie in a few megabytes: their
// numbers differ in some 20 bits, which are two digits of a radix sort (Knuth, TAOCP 3, 5.2.5). Most blocks have few,
// or have them in order.
template <class Element, class Number>
void sort_by(std::vector<Element>& all, Number number) {
  constexpr size_t kFew = 256;
  constexpr unsigned kDigitBits = 11;
  if (std::is_sorted(all.begin(), all.end())) return;
  if (all.size() < kFew) return std::sort(all.begin(), all.end());
  const auto is_before = [&](const Element& a, const Element& b) { return number(a) < number(b); };
  const auto [least, most] = std::minmax_element(all.begin(), all.end(), is_before);
  const uint64_t first = number(*least), range = number(*most) - first;
  std::vector<Element> sorted(all.size());
  for (unsigned shift = 0; shift < 64 && range >> shift != 0; shift += kDigitBits) {
    std::array<size_t, size_t{1} << kDigitBits> place{};
    const auto digit = [&](const Element& e) { return (number(e) - first) >> shift & (place.size() - 1); };
    for (const Element& e : all) ++place[digit(e)];
    size_t before = 0;
    for (size_t& p : place) before += std::exchange(p, before);
    for (const Element& e : all) sorted[place[digit(e)]++] = e;
    all.swap(sorted);
  }
}

}  // namespace

void keep_different(std::vector<uint64_t>& sectors) {
  sort_by(sectors, [](uint64_t sector) { return sector; });
  sectors.erase(std::unique(sectors.begin(), sectors.end()), sectors.end());
}

void BlockTrace::add(uint32_t warp, Traffic kind, const uint64_t* sectors, unsigned count) {
  if (count == 0) return;
  if (warp >= warps_.size()) warps_.resize(warp + 1), sites_.resize(warp + 1);
  sites_[warp].push_back(site_);
  for (unsigned n = 0; n < count; ++n)
    warps_[warp].push_back(sectors[n] | uint64_t(kind) << kKindShift | uint64_t(n == 0) << kFirstBit);
  entries_ += count;
  if (entries_ <= kMostEntries || l1_.empty()) return;
  replay(l1_[0]);
  index_written();
  tidy();
}

void BlockTrace::replay(SectorCache& l1) {
  const size_t warps = warps_.size();
  next_.assign(warps, 0);
  next_site_.assign(warps, 0);
  for (bool more = true; more;) {
    more = false;
    ++turn_;
    for (size_t w = 0; w < warps; ++w) {
      if (next_[w] == warps_[w].size()) continue;
      more = true;
      replay_access(l1, w);
    }
  }
  for (auto& entries : warps_) entries.clear();
  for (auto& sites : sites_) sites.clear();
  for (auto& last : stored_) last = {0, 0};
  entries_ = 0;
}

// The next one of the warp.
void BlockTrace::replay_access(SectorCache& l1, size_t warp) {
  const uint64_t* const entries = warps_[warp].data();
  const size_t first = next_[warp], count = warps_[warp].size();
  size_t end = first + 1;
  while (end != count && !(entries[end] >> kFirstBit)) ++end;
  next_[warp] = end;
  const uint32_t site = sites_[warp][next_site_[warp]++];
  const Traffic kind = Traffic(entries[first] >> kKindShift & 7);
  if (kind == Traffic::Store) return store(warp, first, end);
  const bool waits = kind == Traffic::Load || kind == Traffic::LoadPastL1 || kind == Traffic::Atomic;
  if (waits && warp < stored_.size()) stored_[warp] = {0, 0};
  for (size_t at = first; at != end;) {
    // The sectors of one line together.
    const uint64_t line = (entries[at] & kSectorMask) / kSectorsOfLine;
    const size_t begin = at;
    unsigned sectors = 0;
    do sectors |= 1u << (entries[at] & kSectorMask) % kSectorsOfLine;
    while (++at != end && (entries[at] & kSectorMask) / kSectorsOfLine == line);
    replay_line(l1, kind, site, {line, sectors, at - begin});
  }
}

void BlockTrace::replay_line(SectorCache& l1, Traffic kind, uint32_t site, const LineAccess& access) {
  const auto [line, sectors, count] = access;
  unsigned missed = sectors;
  switch (kind) {
    case Traffic::Load:
    case Traffic::LocalLoad: {
      const SectorCache::Found found = l1.access(line, sectors, turn_);
      missed = sectors & ~found.there;
      const uint64_t hits = count - kCountOf[missed];
      traffic_.l1_hits += hits;
      traffic_.l1_late += kCountOf[found.late];
      reads_of(site).hits += hits - kCountOf[found.late];
    }
      [[fallthrough]];
    case Traffic::LoadPastL1:
    case Traffic::BulkLoad:
      if (kind != Traffic::BulkLoad) traffic_.l1_reads += count, reads_of(site).asked += count;
      if (missed == 0) return;
      traffic_.l2_reads += kCountOf[missed], ++traffic_.l2_read_lines;
      if (kind == Traffic::LocalLoad) {
        traffic_.local_misses += kCountOf[missed];
        return;
      }
      for (unsigned s = 0; s < kSectorsOfLine; ++s)
        if (missed >> s & 1 && host_.contains(line * kSectorsOfLine + s)) {
          ++traffic_.host_reads;
        } else if (missed >> s & 1 && !wrote(line * kSectorsOfLine + s)) {
          read_at_l2(line * kSectorsOfLine + s, site);
          if (kind == Traffic::Load) traffic_.kept.push_back(line * kSectorsOfLine + s);
        }
      return;
    case Traffic::LocalStore:
      missed = sectors & ~l1.access(line, sectors, turn_).there;
      traffic_.l2_writes += count;
      for (unsigned s = 0; s < kSectorsOfLine; ++s)
        if (missed >> s & 1) traffic_.local.push_back(line * kSectorsOfLine + s);
      return;
    case Traffic::Store:
      return;  // store()
    case Traffic::Atomic:
    case Traffic::Reduction:
      (kind == Traffic::Atomic ? traffic_.l2_atomics : traffic_.l2_reductions) += count;
      for (unsigned s = 0; s < kSectorsOfLine; ++s)
        if (sectors >> s & 1) {
          traffic_.written.push_back(line * kSectorsOfLine + s);
          read_at_l2(line * kSectorsOfLine + s, site);
        }
      return;
  }
}

void BlockTrace::index_written() {
  while (indexed_ < traffic_.written.size()) written_.insert(traffic_.written[indexed_++]);
}

bool HostMemory::contains(uint64_t sector) {
  if (!arena_) return false;
  for (const Known& known : known_)
    if (sector >= known.first && sector <= known.last) return known.host;
  const uint64_t address = sector * kBytesOfSector;
  const std::optional<exec::Region> region = arena_->find(address);
  Known& known = known_[oldest_++ % known_.size()];
  // A sector of which only the end is allocated begins outside.
  known.first = region ? region->base / kBytesOfSector : sector;
  known.last = region && region->size > 0 ? (region->base + region->size - 1) / kBytesOfSector : known.first;
  known.host = region && region->kind == device::MemoryKind::Pinned;
  return known.host;
}

void BlockTrace::read_at_l2(uint64_t sector, uint32_t site) {
  moments_.push_back({traffic_.read.size() + traffic_.written.size(), site});
  traffic_.read.push_back(sector);
}

SiteReads& BlockTrace::reads_of(uint32_t site) {
  if (site == kNoSite) return nowhere_;
  if (site >= traffic_.sites.size()) traffic_.sites.resize(site + 1);
  return traffic_.sites[site];
}

size_t class_of_distance(size_t distance) {
  const size_t octave = size_t(std::bit_width(distance)) - 1;
  const size_t quarter = (octave < 2 ? distance << (2 - octave) : distance >> (octave - 2)) & 3;
  return std::min(kDistanceClasses - 1, 4 * octave + quarter);
}

double least_distance(size_t of_class) { return std::ldexp(1 + double(of_class % 4) / 4, int(of_class / 4)); }

// How far apart the block reads a sector at L2. What it has read before the last tidy() is as far away as all that came
// since.
void BlockTrace::note_rereads() {
  const std::vector<uint64_t>& read = traffic_.read;
  const auto old_end = read.begin() + ptrdiff_t(tidied_);
  struct Place {
    uint64_t sector;
    Moment moment;
    bool operator<(const Place& other) const {
      return sector != other.sector ? sector < other.sector : moment.at < other.moment.at;
    }
  };
  std::vector<Place> places;  // in order of time
  places.reserve(read.size() - tidied_);
  for (size_t at = tidied_; at < read.size(); ++at) places.push_back({read[at], moments_[at - tidied_]});
  sort_by(places, [](const Place& place) { return place.sector; });
  for (size_t n = 0; n < places.size(); ++n) {
    const auto [sector, moment] = places[n];
    if (n > 0 && places[n - 1].sector == sector) {
      ++traffic_.rereads[class_of_distance(moment.at - places[n - 1].moment.at)];
    } else if (std::binary_search(read.begin(), old_end, sector)) {
      ++traffic_.rereads[class_of_distance(moment.at)];
    } else {
      ++reads_of(moment.site).first;
      traffic_.first_at.emplace_back(sector, moment.site);
    }
  }
}

void BlockTrace::tidy() {
  note_rereads();
  moments_.clear();
  keep_different(traffic_.read);
  tidied_ = traffic_.read.size();
  keep_different(traffic_.written);
  keep_different(traffic_.kept);
  keep_different(traffic_.local);
  indexed_ = traffic_.written.size();
}

// What a store puts where the warp's last store was goes to L2 with it: a thread that writes its eight floats one by
// one fills a sector before it leaves. (Seen on an H200: of such stores L2 is written each sector once; what different
// warps put in a sector, once each.) Not so what it stores after a load of memory in between, which takes too long
// (also there: eight kernels of HeCBench that read and write words in turn write each on its own), and not where the
// warp's stores touch many lines: of kernels of HeCBench whose stores fill a sector one after the other, ncu has L2
// written 0.2 to 0.6 of the sectors that are stored where a store touches 1 to 5 lines (15 of 17 kernels; the others
// calculate for long between two stores), and 0.86 to 1.02 where it touches 10 to 32 (six). Those eight floats are 8
// lines a warp.
constexpr unsigned kLinesThatMeet = 8;

void BlockTrace::store(size_t warp, size_t first, size_t end) {
  if (warp >= stored_.size()) stored_.resize(warps_.size());
  const std::vector<uint64_t>& entries = warps_[warp];
  auto [last, last_end] = stored_[warp];
  unsigned lines = 1;
  for (size_t at = first + 1; at < end; ++at)
    lines += (entries[at] & kSectorMask) / kSectorsOfLine != (entries[at - 1] & kSectorMask) / kSectorsOfLine;
  if (lines > kLinesThatMeet) last = last_end = 0;
  bool merged = true;
  for (size_t at = first; at != end; ++at) {
    const uint64_t sector = entries[at] & kSectorMask;
    while (last != last_end && (entries[last] & kSectorMask) < sector) ++last;
    if (last != last_end && (entries[last] & kSectorMask) == sector) continue;
    ++traffic_.l2_writes;
    if (host_.contains(sector))
      ++traffic_.host_writes;
    else
      traffic_.written.push_back(sector);
    merged = false;
  }
  if (!merged) stored_[warp] = {first, end};
}

// Whether the block has written the sector before: L2 has it then. Blocks that read nothing after their stores pay
// nothing for this.
bool BlockTrace::wrote(uint64_t sector) {
  index_written();
  return !written_.empty() && written_.contains(sector);
}

void BlockTrace::copied(bool store, uint64_t bytes) {
  ++traffic_.bulk_copies;
  (store ? traffic_.bulk_stored : traffic_.bulk_loaded) += bytes;
}

void BlockTrace::constant(uint32_t warp, uint64_t line) {
  if (warp >= last_constant_.size()) last_constant_.resize(warp + 1);
  if (std::exchange(last_constant_[warp], line + 1) == line + 1) return;
  ++traffic_.constant_visits;
  if (constant_lines_.test(line % kConstantLines)) return;
  constant_lines_.set(line % kConstantLines);
  ++traffic_.constant_lines;
}

void BlockTrace::contend(uint64_t piece, unsigned turns) {
  traffic_.atomic_turns += turns;
  note_contention(piece, turns);
}

void BlockTrace::follow(uint64_t sector, unsigned turns) { note_contention(kOneSector | sector, turns); }

void BlockTrace::note_contention(uint64_t place, unsigned turns) {
  auto found = traffic_.contention.find(place);
  if (found != traffic_.contention.end())
    found->second += turns;
  else if (traffic_.contention.size() < kMostLines)
    traffic_.contention.emplace(place, turns);
}

BlockTraffic BlockTrace::finish(uint64_t l1_bytes) {
  if (l1_.empty() || bytes_ != l1_bytes) {
    l1_.clear();
    l1_.emplace_back(l1_bytes);
    bytes_ = l1_bytes;
  }
  replay(l1_[0]);
  tidy();
  l1_[0].clear();
  BlockTraffic result = std::move(traffic_);
  traffic_ = {};
  written_.clear();
  indexed_ = tidied_ = 0;
  constant_lines_.reset();
  last_constant_.clear();
  return result;
}

}  // namespace warpwise::perf
