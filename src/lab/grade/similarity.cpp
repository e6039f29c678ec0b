#include "lab/grade/similarity.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <unordered_map>

namespace warpwise::lab {
namespace {

constexpr size_t kGram = 6;    // tokens of one fingerprint: shorter matches are chance
constexpr size_t kWindow = 4;  // a copy of kGram + kWindow - 1 tokens is certainly found

std::vector<std::string_view> tokens_of(std::string_view text) {
  std::vector<std::string_view> tokens;
  auto word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (size_t i = 0; i < text.size();) {
    if (std::isspace(static_cast<unsigned char>(text[i]))) {
      ++i;
    } else if (text.substr(i, 2) == "//") {
      i = std::min(text.find('\n', i), text.size());
    } else if (text.substr(i, 2) == "/*") {
      const size_t end = text.find("*/", i + 2);
      i = end == text.npos ? text.size() : end + 2;
    } else {
      size_t end = i + 1;
      if (word(text[i]))
        while (end < text.size() && word(text[end])) ++end;
      tokens.push_back(text.substr(i, end - i));
      i = end;
    }
  }
  return tokens;
}

uint64_t hash_of(const std::vector<std::string_view>& tokens, size_t at) {
  uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a, with a mark between tokens
  for (size_t k = at; k < at + kGram; ++k) {
    for (char c : tokens[k]) hash = (hash ^ uint8_t(c)) * 0x100000001b3u;
    hash = (hash ^ 0xff) * 0x100000001b3u;
  }
  return hash;
}

}  // namespace

Fingerprints fingerprints_of(std::string_view source) {
  const std::vector<std::string_view> tokens = tokens_of(source);
  std::vector<uint64_t> hashes;
  for (size_t i = 0; i + kGram <= tokens.size(); ++i) hashes.push_back(hash_of(tokens, i));
  Fingerprints chosen;
  // Of each window the smallest; a text shorter than a window has one window.
  for (size_t i = 0; i < hashes.size(); ++i) {
    const size_t end = std::min(i + kWindow, hashes.size());
    chosen.insert(*std::min_element(hashes.begin() + std::ptrdiff_t(i), hashes.begin() + std::ptrdiff_t(end)));
    if (end == hashes.size()) break;
  }
  return chosen;
}

Fingerprints all_fingerprints_of(std::string_view source) {
  const std::vector<std::string_view> tokens = tokens_of(source);
  Fingerprints all;
  for (size_t i = 0; i + kGram <= tokens.size(); ++i) all.insert(hash_of(tokens, i));
  return all;
}

std::vector<bool> shared_lines(std::string_view source, std::string_view other, const Fingerprints& given) {
  const Fingerprints theirs = all_fingerprints_of(other);
  const std::vector<std::string_view> tokens = tokens_of(source);
  std::vector<bool> lines(1 + size_t(std::count(source.begin(), source.end(), '\n')));
  std::vector<size_t> line_of(tokens.size());
  size_t line = 0;
  const char* at = source.data();
  for (size_t i = 0; i < tokens.size(); ++i) {
    line += size_t(std::count(at, tokens[i].data(), '\n'));
    at = tokens[i].data();
    line_of[i] = line;
  }
  for (size_t i = 0; i + kGram <= tokens.size(); ++i) {
    const uint64_t hash = hash_of(tokens, i);
    if (!theirs.contains(hash) || given.contains(hash)) continue;
    for (size_t k = i; k < i + kGram; ++k) lines[line_of[k]] = true;
  }
  return lines;
}

std::vector<SimilarPair> find_similar(const std::vector<Fingerprints>& sources, const Fingerprints& common) {
  // The sources of each fingerprint: only pairs that share one are compared.
  std::vector<size_t> own(sources.size());
  std::unordered_map<uint64_t, std::vector<size_t>> holders;
  for (size_t i = 0; i < sources.size(); ++i)
    for (uint64_t f : sources[i])
      if (!common.contains(f)) ++own[i], holders[f].push_back(i);
  std::unordered_map<uint64_t, size_t> shared;  // first << 32 | second
  for (const auto& [f, who] : holders)
    for (size_t a = 0; a < who.size(); ++a)
      for (size_t b = a + 1; b < who.size(); ++b)
        if (own[who[a]] >= kFewest && own[who[b]] >= kFewest) ++shared[uint64_t{who[a]} << 32 | who[b]];
  std::vector<SimilarPair> pairs;
  for (const auto& [key, count] : shared) {
    const size_t a = key >> 32, b = key & 0xffffffff;
    const double share = double(count) / double(own[a] + own[b] - count);
    if (share >= kAlike) pairs.push_back({a, b, share});
  }
  std::sort(pairs.begin(), pairs.end(), [](const SimilarPair& x, const SimilarPair& y) {
    return std::pair(x.first, x.second) < std::pair(y.first, y.second);
  });
  return pairs;
}

}  // namespace warpwise::lab
