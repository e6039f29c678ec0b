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

// Dashes are no part of the name: they would make all options of two letters alike.
std::string_view name_of(std::string_view word) {
  return word.substr(std::min(word.find_first_not_of('-'), word.size()));
}

// Almost every word of three letters is one letter away from another, which says nothing about what was meant.
bool near_enough(std::string_view word, std::string_view candidate, size_t distance) {
  constexpr size_t kShort = 3;
  if (candidate.size() > kShort || distance == 0) return true;
  if (word.starts_with(candidate) || candidate.starts_with(word)) return true;
  return distance == 1 && word.size() == candidate.size() &&
         std::is_permutation(word.begin(), word.end(), candidate.begin());
}

// The known words that begin with this one, the shortest first; none where there are too many to choose from.
std::vector<std::string_view> completions(std::string_view word, std::span<const std::string_view> known) {
  constexpr size_t kMost = 3;
  const std::string_view name = name_of(word);
  std::vector<std::string_view> found;
  for (std::string_view candidate : known)
    if (!name.empty() && name_of(candidate).starts_with(name)) found.push_back(candidate);
  std::stable_sort(found.begin(), found.end(), [](auto a, auto b) { return a.size() < b.size(); });
  found.erase(std::unique(found.begin(), found.end()), found.end());
  if (!found.empty() && name_of(found[0]) == name) found.resize(1);
  if (found.size() > kMost) found.clear();
  return found;
}

}  // namespace

std::string_view nearest_word(std::string_view typed, std::span<const std::string_view> known, size_t most) {
  const std::string_view word = name_of(typed);
  const auto shared_beginning = [&](std::string_view candidate) {
    const size_t shorter = std::min(word.size(), candidate.size());
    size_t n = 0;
    while (n < shorter && word[n] == candidate[n]) ++n;
    return n;
  };
  std::string_view best;
  size_t best_distance = std::min(most, std::max<size_t>(1, word.size() / 3)) + 1;
  for (std::string_view candidate : known) {
    const std::string_view name = name_of(candidate);
    const size_t distance = edit_distance(word, name);
    if (!near_enough(word, name, distance)) continue;
    const bool tie = !best.empty() && distance == best_distance;
    if (distance < best_distance || (tie && shared_beginning(name) > shared_beginning(name_of(best))))
      best = candidate, best_distance = distance;
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> known) {
  // What was typed is no suggestion: where it is known, something else is wrong with it.
  if (std::find(known.begin(), known.end(), word) != known.end()) return "";
  std::vector<std::string_view> meant = completions(word, known);
  if (meant.empty())
    if (const std::string_view nearest = nearest_word(word, known); !nearest.empty()) meant.push_back(nearest);
  std::string list;
  for (size_t i = 0; i < meant.size(); ++i)
    list += fmt::format("{}`{}`", i == 0 ? "" : i + 1 < meant.size() ? ", " : " or ", meant[i]);
  return list.empty() ? "" : fmt::format("; did you mean {}?", list);
}

}  // namespace warpwise
