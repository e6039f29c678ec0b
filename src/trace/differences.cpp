#include "trace/differences.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "base/json.h"
#include "trace/json.h"

namespace warpwise::trace {

namespace {

constexpr std::string_view kDifferenceNames[] = {"path", "lanes", "addresses", "values"};
constexpr uint32_t kOtherSite = ~0u;
// Where the two part, this many steps are looked at for a place from which on they run together again.
constexpr size_t kMostSkipped = 1024;
constexpr uint64_t kStepsOfPiece = 16'384;

unsigned bit_of(Difference difference) { return 1u << unsigned(difference); }

// For each site of the other recording its number in the first.
std::vector<uint32_t> sites_as_in(const Recording& one, const Recording& other) {
  std::map<std::tuple<uint32_t, uint32_t, std::string>, uint32_t> known;
  for (uint32_t n = 0; n < one.sites.size(); ++n)
    known.emplace(std::tuple(one.sites[n].function, one.sites[n].instruction, one.sites[n].ptx), n);
  std::vector<uint32_t> numbers;
  for (const Site& site : other.sites) {
    const auto at = known.find({site.function, site.instruction, site.ptx});
    numbers.push_back(at == known.end() ? kOtherSite : at->second);
  }
  return numbers;
}

// The sites of a warp's first recorded steps, in order.
Result<std::vector<uint32_t>> site_numbers(TraceFile& file, uint32_t warp, uint64_t most) {
  const WarpInfo& info = file.recording().warps[warp];
  std::vector<uint32_t> sites;
  for (uint64_t at = info.first, end = at + std::min(info.count, most); at < end; at += kStepsOfPiece)
    for (const PlacedStep& placed : TRY(file.steps(warp, at, std::min(kStepsOfPiece, end - at))))
      sites.push_back(placed.step.site);
  return sites;
}

using SiteNumbers = std::span<const uint32_t>;

// Whether both run the same sites from here on for a while, or until they end.
bool run_together(SiteNumbers one, SiteNumbers other) {
  constexpr size_t kAWhile = 6;
  const size_t n = std::min({kAWhile, one.size(), other.size()});
  if (n < kAWhile && one.size() != other.size()) return false;
  return std::equal(one.begin(), one.begin() + ptrdiff_t(n), other.begin());
}

// How many steps of each are to be skipped until they run together again: the fewest.
std::pair<size_t, size_t> skipped(SiteNumbers one, SiteNumbers other) {
  for (size_t both = 1; both <= std::min(kMostSkipped, one.size() + other.size()); ++both)
    for (size_t n = both > other.size() ? both - other.size() : 0; n <= std::min(both, one.size()); ++n)
      if (run_together(one.subspan(n), other.subspan(both - n))) return {n, both - n};
  return {one.size(), other.size()};
}

bool same(const Access& a, const Access& b) {
  if (a.space != b.space || a.mask != b.mask) return false;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    if ((a.mask >> lane & 1) && a.addresses[lane] != b.addresses[lane]) return false;
  return true;
}
bool same(const LaneValues& a, const LaneValues& b) {
  const uint32_t both = a.mask & b.mask;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    if ((both >> lane & 1) && a.bits[lane] != b.bits[lane]) return false;
  return true;
}
template <class T>
bool same_lists(const std::vector<T>& a, const std::vector<T>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const T& x, const T& y) { return same(x, y); });
}

unsigned differences_of(const Step& one, const Step& other) {
  unsigned found = 0;
  if (one.active != other.active || one.on != other.on) found |= bit_of(Difference::Lanes);
  if (!same_lists(one.accesses, other.accesses)) found |= bit_of(Difference::Addresses);
  const bool have_values = !one.values.empty() && !other.values.empty();
  if (have_values && !same_lists(one.values, other.values)) found |= bit_of(Difference::Values);
  return found;
}

}  // namespace

std::string_view name_of(Difference difference) { return kDifferenceNames[size_t(difference)]; }

void Differences::note(uint32_t warp, uint64_t step, unsigned differences) {
  if (differences == 0) return;
  ++differing_;
  for (unsigned d = 0; d < kDifferences; ++d) counts_[d] += differences >> d & 1;
  std::vector<DifferingSteps>& ranges = ranges_[warp];
  if (!ranges.empty() && ranges.back().first + ranges.back().count == step)
    ++ranges.back().count;
  else if (ranges.size() < kMostRanges)
    ranges.push_back({step, 1});
}

Result<void> Differences::compare_warp(TraceFile& one, TraceFile& other, uint32_t warp,
                                       std::span<const uint32_t> as_in_one) {
  const uint64_t first = one.recording().warps[warp].first, first_other = other.recording().warps[warp].first;
  const std::vector<uint32_t> sites = TRY(site_numbers(one, warp, of_each_warp_));
  std::vector<uint32_t> sites_other = TRY(site_numbers(other, warp, of_each_warp_ + kMostSkipped));
  for (uint32_t& site : sites_other) site = as_in_one[site];
  compared_ += sites.size();
  for (size_t n = 0, m = 0; n < sites.size();) {
    size_t count = 0;
    while (n + count < sites.size() && m + count < sites_other.size() && sites[n + count] == sites_other[m + count])
      ++count;
    if (count > 0) pairs_[warp].push_back({first + n, first_other + m, count});
    for (size_t at = 0; at < count; at += kStepsOfPiece) {
      const uint64_t piece = std::min(kStepsOfPiece, count - at);
      const auto mine = TRY(one.steps(warp, first + n + at, piece));
      const auto theirs = TRY(other.steps(warp, first_other + m + at, piece));
      for (size_t k = 0; k < std::min(mine.size(), theirs.size()); ++k)
        note(warp, mine[k].number, differences_of(mine[k].step, theirs[k].step));
    }
    n += count, m += count;
    const auto [mine, theirs] = skipped(SiteNumbers(sites).subspan(n), SiteNumbers(sites_other).subspan(m));
    for (size_t k = 0; k < mine; ++k) note(warp, first + n + k, bit_of(Difference::Path));
    n += mine, m += theirs;
  }
  return {};
}

Result<Differences> Differences::between(TraceFile& one, TraceFile& other) {
  const Recording &a = one.recording(), &b = other.recording();
  if (a.symbol != b.symbol) return Error{"V0009", "the two recordings are not of one kernel"};
  Differences differences;
  differences.pairs_.resize(a.warps.size()), differences.ranges_.resize(a.warps.size());
  differences.of_each_warp_ = kMostCompared / std::max<size_t>(1, a.warps.size());
  const std::vector<uint32_t> as_in_one = sites_as_in(a, b);
  for (uint32_t warp = 0; warp < std::min(a.warps.size(), b.warps.size()); ++warp)
    TRY(differences.compare_warp(one, other, warp, as_in_one));
  return differences;
}

std::optional<uint64_t> Differences::partner(uint32_t warp, uint64_t step) const {
  if (warp >= pairs_.size()) return std::nullopt;
  const auto& pairs = pairs_[warp];
  auto at = std::upper_bound(pairs.begin(), pairs.end(), step, [](uint64_t s, const Pairs& p) { return s < p.one; });
  if (at == pairs.begin()) return std::nullopt;
  --at;
  if (step - at->one >= at->count) return std::nullopt;
  return at->other + (step - at->one);
}

std::string to_json(const Differences& differences) {
  nlohmann::ordered_json json{{"format", kAnswerFormat},
                              {"query", "differences"},
                              {"of_each_warp", differences.of_each_warp()},
                              {"compared", differences.compared()},
                              {"differing", differences.differing()}};
  for (unsigned d = 0; d < kDifferences; ++d)
    json[std::string(name_of(Difference(d)))] = differences.count(Difference(d));
  json["warps"] = nlohmann::ordered_json::array();
  for (const auto& ranges : differences.warps()) {
    auto warp = nlohmann::ordered_json::array();
    for (const DifferingSteps& range : ranges) warp.push_back({range.first, range.count});
    json["warps"].push_back(std::move(warp));
  }
  return dump_json(json) + "\n";
}

}  // namespace warpwise::trace
