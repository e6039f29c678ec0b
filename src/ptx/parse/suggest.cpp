#include "ptx/parse/suggest.h"

#include <algorithm>
#include <vector>

namespace warpwise::ptx {
namespace {

// Levenshtein distance, one row at a time.
size_t distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row.back();
}

}  // namespace

std::string_view closest(std::string_view word, std::span<const std::string_view> candidates) {
  constexpr size_t kLongest = 64;  // longer words are not typing mistakes
  if (word.size() > kLongest) return "";
  std::string_view best;
  if (word.size() < 2) return "";
  size_t best_distance = word.size() / 4 + 2;  // exclusive: one slip in a short word, more in a long one
  for (std::string_view candidate : candidates) {
    if (candidate.size() > kLongest) continue;
    size_t d = distance(word, candidate);
    if (d < best_distance) best = candidate, best_distance = d;
  }
  return best;
}

}  // namespace warpwise::ptx
