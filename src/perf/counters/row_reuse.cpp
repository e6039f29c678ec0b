#include "perf/counters/row_reuse.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace warpwise::perf {

namespace {

using Sectors = std::vector<uint64_t>;

// The part of a block's sectors that must be found where the pattern has them: blocks at the edge of an image differ.
constexpr double kRegular = 0.75;
// Arrays of elements of different sizes move by different numbers of sectors.
constexpr size_t kMostMoves = 4;
// Runs of sectors of a block whose ends are compared, and distances that are tried on all its sectors.
constexpr size_t kMostRuns = 32, kTried = 8;

bool contains(const Sectors& sectors, uint64_t sector) {
  return std::binary_search(sectors.begin(), sectors.end(), sector);
}

// The first and the last sectors of the runs of neighbouring sectors, of the first few.
std::array<Sectors, 2> ends_of_runs(const Sectors& sectors) {
  std::array<Sectors, 2> ends;
  for (size_t n = 0; n < sectors.size() && ends[1].size() < kMostRuns; ++n) {
    if (n == 0 || sectors[n - 1] + 1 != sectors[n]) ends[0].push_back(sectors[n]);
    if (n + 1 == sectors.size() || sectors[n] + 1 != sectors[n + 1]) ends[1].push_back(sectors[n]);
  }
  return ends;
}

// How far runs lie behind others, the most frequent distances first.
std::vector<uint64_t> distances(const Sectors& block, const Sectors& next) {
  std::map<uint64_t, uint64_t> times;
  const std::array<Sectors, 2> here = ends_of_runs(block), there = ends_of_runs(next);
  for (size_t end = 0; end < here.size(); ++end)
    for (uint64_t a : here[end])
      for (uint64_t b : there[end])
        if (b >= a) ++times[b - a];
  std::vector<std::pair<uint64_t, uint64_t>> sorted;
  for (const auto& [distance, count] : times) sorted.emplace_back(count, distance);
  std::sort(sorted.rbegin(), sorted.rend());
  std::vector<uint64_t> result;
  for (const auto& [count, distance] : sorted)
    if (result.size() < kTried) result.push_back(distance);
  return result;
}

using Pattern = std::map<uint64_t, Sectors>;  // by how far they move from a block to the next

// Move by move, that of the most sectors first. Nothing: blocks have no pattern.
Pattern pattern_of(const Sectors& block, const Sectors& next, const Sectors& behind, uint64_t distance) {
  Pattern pattern;
  Sectors left = block;
  while (!left.empty() && pattern.size() < kMostMoves) {
    const auto moves_by = [&](uint64_t move) {
      return [&, move](uint64_t s) { return contains(next, s + move) && contains(behind, s + move * distance); };
    };
    uint64_t best = 0;
    ptrdiff_t most = 0;
    for (uint64_t move : distances(left, next))
      if (const auto count = std::count_if(left.begin(), left.end(), moves_by(move)); count > most)
        most = count, best = move;
    if (most == 0) break;
    std::copy_if(left.begin(), left.end(), std::back_inserter(pattern[best]), moves_by(best));
    std::erase_if(left, moves_by(best));
  }
  return double(left.size()) > (1 - kRegular) * double(block.size()) ? Pattern() : pattern;
}

}  // namespace

void RowReuse::add(const Sectors& block, const Sectors& next, const Sectors& behind, uint64_t distance) {
  Pattern pattern = pattern_of(block, next, behind, distance);
  if (pattern.empty()) return;
  sectors_ += block.size();
  for (auto& [move, sectors] : pattern) {
    if (move == 0) {
      returns_[1] += sectors.size();
      continue;
    }
    // Those that are whole moves apart, one behind the other.
    std::sort(sectors.begin(), sectors.end(),
              [move = move](uint64_t a, uint64_t b) { return a % move != b % move ? a % move < b % move : a < b; });
    for (auto here = sectors.begin(); here != sectors.end(); ++here)
      if (const auto later = std::next(here); later != sectors.end() && *later % move == *here % move)
        ++returns_[(*later - *here) / move];
  }
}

std::vector<Return> RowReuse::returns() const {
  std::vector<Return> result;
  for (const auto& [blocks, sectors] : returns_) result.push_back({double(blocks), double(sectors) / double(sectors_)});
  return result;
}

}  // namespace warpwise::perf
