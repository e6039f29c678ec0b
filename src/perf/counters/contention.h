// Contention of atomics: for each 512 bytes, which one slice of L2 serves, how many turns their atomics took, and in
// how many blocks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>

namespace warpwise::perf {

struct PieceContention {
  double turns = 0;
  uint64_t blocks = 0;
};

using Contention = std::unordered_map<uint64_t, PieceContention>;  // by address / 512, or one sector

inline void add(Contention& to, const Contention& some) {
  for (const auto& [piece, contention] : some) {
    PieceContention& sum = to[piece];
    sum.turns += contention.turns, sum.blocks += contention.blocks;
  }
}

// Turns at the 512 bytes, or the sector, with the most contention.
class HottestPiece {
 public:
  // All counted blocks of a stratum, each of which stands for `weight` blocks. Where blocks are sampled, what only one
  // of them has come to is taken to be its own: the blocks for which it stands have theirs elsewhere. So they are added
  // at once, not by host thread.
  void add(const Contention& stratum, double weight) {
    for (const auto& [piece, contention] : stratum)
      turns_[piece] += contention.turns * (contention.blocks > 1 ? weight : 1);
  }
  double turns() const {
    double most = 0;
    for (const auto& [piece, turns] : turns_) most = std::max(most, turns);
    return most;
  }

 private:
  std::unordered_map<uint64_t, double> turns_;
};

}  // namespace warpwise::perf
