// Which of many sources are nearly the same: winnowed fingerprints of their tokens.
//
// Two short kernels that solve one problem look alike because there is hardly another way to write them. So names and
// numbers count as they are written, code from the starter and from the problem's own solutions is taken out, and a
// source with little left is not compared.
//
// Source: Schleimer, Wilkerson, Aiken: Winnowing: Local Algorithms for Document Fingerprinting, SIGMOD 2003.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::lab {

using Fingerprints = std::set<uint64_t>;

// Of the tokens without comments; the order of spaces and lines does not matter.
Fingerprints fingerprints_of(std::string_view source);

// All of them, not only those that winnowing keeps: to mark what two sources share.
Fingerprints all_fingerprints_of(std::string_view source);

// For each line of `source`, whether it takes part in a passage that `other` has too. `given`: all fingerprints of what
// the class was given, which do not count.
std::vector<bool> shared_lines(std::string_view source, std::string_view other, const Fingerprints& given);

struct SimilarPair {
  size_t first = 0, second = 0;  // indices of sources, first < second
  double share = 0;              // of the fingerprints of both together, from kAlike to 1
};

constexpr double kAlike = 0.8;
constexpr size_t kFewest = 12;  // fingerprints that a source must have left, to be compared

// All pairs that are alike. `common`: what all were given.
std::vector<SimilarPair> find_similar(const std::vector<Fingerprints>& sources, const Fingerprints& common);

}  // namespace warpwise::lab
