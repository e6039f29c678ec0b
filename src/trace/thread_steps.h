// Steps of warps whose threads run one by one (independent-thread mode). Each thread reports its own marks; from these
// its own steps follow, and lanes that come to the same instruction form a step of the warp.
//
// Which lanes go together is decided as the interpreter decides it: of all lanes those that stand earliest in the
// program take the next step, deeper calls first, and lanes that have passed fewer barriers before others. Lanes at a
// barrier or a collective wait for those that can still come. Lanes that diverged thereby reconverge where the program
// does. A real warp may group them otherwise: the summary says that the
// threads ran one by one.
//
// The marks of a block are kept until it has ended. If they become too many, the steps that are known by then are
// made, and those of lanes that lag behind follow in pieces.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "trace/warp_steps.h"

namespace warpwise::trace {

struct ThreadMark {
  uint32_t cell = 0;
  uint8_t kind = 0;     // simt::kMarkBlock and its kin
  uint8_t element = 0;  // of kMarkValue
  Space space{};        // of kMarkAccess
  uint64_t value = 0;   // the address, the value, or whether the guard lets the thread through
};

class ThreadSteps {
 public:
  using Sink = std::function<void(uint32_t warp, const Step&)>;
  ThreadSteps(const Sites& sites, uint32_t threads, Sink sink);

  void mark(uint32_t thread, const ThreadMark& mark);
  void finish();
  bool in_pieces() const { return in_pieces_; }

 private:
  // A step of one lane.
  struct LaneStep {
    Step step;
    uint32_t phase = 0;
    uint32_t path = 0;  // the calls it is in: index into paths_
  };
  struct Lane {
    std::deque<ThreadMark> marks;
    std::deque<LaneStep> steps;
    std::unique_ptr<WarpSteps> maker;
    uint32_t phase = 0;
  };
  void take(Lane& lane, const ThreadMark& mark);
  bool advance(Lane& lane, bool last);
  void merge(uint32_t warp, bool last);
  void merge_all(bool last);
  uint32_t path_of(const std::vector<WarpSteps::Rest>& callers);
  bool waits(const LaneStep& step) const;
  bool is_before(const LaneStep& a, const LaneStep& b) const;

  // 16 bytes each.
  static constexpr size_t kMostMarks = size_t{1} << 23;

  const Sites& sites_;
  Sink sink_;
  std::vector<Lane> lanes_;
  std::vector<std::vector<uint32_t>> paths_{{}};
  std::map<std::vector<uint32_t>, uint32_t> known_paths_;
  size_t marks_ = 0;
  bool in_pieces_ = false;
};

}  // namespace warpwise::trace
