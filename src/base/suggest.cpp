#include "base/suggest.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace warpwise {
namespace {

// Optimal string alignment: Levenshtein's distance with swaps of neighbours, three rows of its table.
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace

std::string_view nearest_word(std::string_view word, std::span<const std::string_view> known, size_t most) {
  const auto shared_beginning = [&](std::string_view candidate) {
    const size_t shorter = std::min(word.size(), candidate.size());
    size_t n = 0;
    while (n < shorter && word[n] == candidate[n]) ++n;
    return n;
  };
  std::string_view best;
  size_t best_distance = std::min(most, std::max<size_t>(1, word.size() / 3)) + 1;
  for (std::string_view candidate : known) {
    const size_t distance = edit_distance(word, candidate);
    const bool tie = !best.empty() && distance == best_distance;
    if (distance < best_distance || (tie && shared_beginning(candidate) > shared_beginning(best)))
      best = candidate, best_distance = distance;
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> known) {
  std::string_view nearest = nearest_word(word, known);
  // What was typed is no suggestion: where it is known, something else is wrong with it.
  return nearest.empty() || nearest == word ? "" : fmt::format("; did you mean `{}`?", nearest);
}

}  // namespace warpwise
