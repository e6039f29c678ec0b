// Contention of atomics: for each cache line how many turns its atomics took, and in how many blocks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>

namespace warpwise::perf {

struct LineContention {
  double turns = 0;
  uint64_t blocks = 0;
};

using Contention = std::unordered_map<uint64_t, LineContention>;  // by line

inline void add(Contention& to, const Contention& some) {
  for (const auto& [line, contention] : some) {
    LineContention& sum = to[line];
    sum.turns += contention.turns, sum.blocks += contention.blocks;
  }
}

// Turns at the line with the most contention.
class HottestLine {
 public:
  // All counted blocks of a stratum, each of which stands for `weight` blocks. Where blocks are sampled, what only one
  // of them has come to is taken to be its own: the blocks for which it stands have theirs elsewhere. So they are added
  // at once, not by host thread.
  void add(const Contention& stratum, double weight) {
    for (const auto& [line, contention] : stratum)
      turns_[line] += contention.turns * (contention.blocks > 1 ? weight : 1);
  }
  double turns() const {
    double most = 0;
    for (const auto& [line, turns] : turns_) most = std::max(most, turns);
    return most;
  }

 private:
  std::unordered_map<uint64_t, double> turns_;
};

}  // namespace warpwise::perf
