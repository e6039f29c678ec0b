// Where atomics meet: of each cache line how many turns they took there, and in how many blocks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>

namespace warpwise::perf {

struct Meeting {
  double turns = 0;
  uint64_t blocks = 0;
};

using Meetings = std::unordered_map<uint64_t, Meeting>;  // by line

inline void add(Meetings& to, const Meetings& some) {
  for (const auto& [line, meeting] : some) {
    Meeting& sum = to[line];
    sum.turns += meeting.turns, sum.blocks += meeting.blocks;
  }
}

// Turns at the line where most meet.
class HottestLine {
 public:
  // All counted blocks of a stratum, each of which stands for `weight` blocks. Where blocks are sampled, what only one of them has
  // come to is taken to be its own: the blocks for which it stands have theirs elsewhere. So they are added at once, not by host thread.
  void add(const Meetings& stratum, double weight) {
    for (const auto& [line, meeting] : stratum) turns_[line] += meeting.turns * (meeting.blocks > 1 ? weight : 1);
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
