// The questions that a picture asks of a trace file; each is one call, and its answer is all that is drawn.
//
//     summary     what was recorded, warps folded where they do the same, findings, notes
//     overview    each warp in buckets of so many steps
//     window      some buckets of a warp, as fine as asked for
//     lines       sums of the recorded steps by source line
//     steps       some steps of a warp, each with its cost
//     step        one step, lane by lane
//     next        where something happens next
//
// json.h makes JSON of the answers, text.h text.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "trace/cost.h"
#include "trace/trace_file.h"

namespace warpwise::trace {

// Warps that do the same: the same sites with the same lanes, step by step.
struct Fold {
  std::vector<uint32_t> warps;  // in order; the first stands for all
};

struct Summary {
  const Recording* recording = nullptr;
  uint64_t steps = 0, recorded = 0;  // of the block
  std::vector<Fold> folds;
  Findings findings;
};

// Of a warp's steps in a bucket: when they begin on the two clocks, and their sums.
struct PlacedBucket {
  uint64_t first = 0;  // step
  uint64_t waits = 0;  // modelled clocks that the warp waits at barriers there
  Bucket sums;
};
struct Overview {
  unsigned shift = 0;  // buckets of two to this power steps
  std::vector<std::vector<PlacedBucket>> warps;
};

// Buckets of a warp behind each other, for a picture of so many columns.
struct WindowBucket {
  Bucket sums;
  uint64_t waits = 0;       // modelled clocks at barriers
  uint32_t site = kNoSite;  // of the bucket's first step, where the steps were read
  uint32_t marks = 0;       // parties of findings
  static constexpr uint32_t kNoSite = ~0u;
};
struct Window {
  uint64_t first = 0;  // step
  unsigned shift = 0;  // a bucket has two to this power steps
  std::vector<std::vector<WindowBucket>> rows;
};

struct LineSums {
  uint32_t line = 0;  // index into Recording::lines
  uint64_t steps = 0, lanes = 0, on_lanes = 0, diverging = 0;
  Cost cost;
};

struct StepView {
  PlacedStep placed;
  uint64_t modelled_clock = 0;  // with the waits at barriers before it
  uint64_t waits = 0;           // of a barrier: modelled clocks until the last warp is there
  Cost cost;
};

// A sector of 32 bytes, a bank of shared memory, or a word of constant memory: the lanes that name it.
struct Touched {
  uint64_t at = 0;  // the address of the sector or word; the number of the bank
  uint32_t lanes = 0;
  unsigned words = 0;  // of a bank: different ones
};
struct AccessView {
  Access access;
  Cost cost;
  const Memory* memory = nullptr;            // that the first lane names; null: not known
  const SharedVariable* variable = nullptr;  // the same in shared memory
  std::optional<int64_t> stride;             // bytes from lane to lane, where there is one
  std::vector<Touched> touched;
};
struct StepDetail {
  StepView view;
  std::vector<AccessView> accesses;
  std::vector<Mark> marks;  // parties of findings that this step is
};

enum class Event : uint8_t {
#define TRACE_EVENT(id, name, meaning) id,
#include "trace/events.inc"
#undef TRACE_EVENT
};
std::optional<Event> event_named(std::string_view name);
std::vector<std::string_view> event_names();

struct Place {
  uint32_t warp = 0;
  uint64_t step = 0;
};

class Queries {
 public:
  explicit Queries(TraceFile& file) : file_(file) {}

  // At most this many steps are in one answer.
  static constexpr uint64_t kMostSteps = 65'536;
  // A window has at most so many columns, and is made of so many steps before the overview's buckets take their place.
  static constexpr size_t kMostColumns = 2048;
  static constexpr uint64_t kMostWindowSteps = 262'144;

  Result<Summary> summary();
  // Buckets of at least two to the power of `shift` steps.
  Result<Overview> overview(unsigned shift);
  // Of each of these warps `columns` buckets from step `first` on; the last ones are empty where the warp has ended.
  // They are of recorded steps where those are all recorded and few enough to read, else those of the overview.
  Result<Window> window(std::span<const uint32_t> warps, uint64_t first, unsigned shift, size_t columns);
  Result<std::vector<LineSums>> lines();
  Result<std::vector<StepView>> steps(uint32_t warp, uint64_t first, uint64_t count);
  // V0008 when the step is not recorded.
  Result<StepDetail> step(uint32_t warp, uint64_t number);
  // The first place behind `from`: in the warp, then in the warps after it. Backwards: the last before it.
  Result<std::optional<Place>> next(Event event, Place from, bool backwards = false);
  // The same for a step of any of these lines (indices into Recording::lines).
  Result<std::optional<Place>> next_of_lines(std::span<const uint32_t> lines, Place from);

 private:
  Result<void> read_barriers();
  StepView view_of(PlacedStep placed, uint32_t warp) const;
  bool has_steps(std::span<const uint32_t> warps, uint64_t first, uint64_t count) const;
  Result<std::optional<Place>> next_that(const std::function<bool(const PlacedStep&)>& wanted, Place from,
                                         bool backwards);
  Result<std::optional<Place>> next_mark(Event event, Place from, bool backwards);
  bool is(Event event, const PlacedStep& placed) const;

  TraceFile& file_;
  bool barriers_read_ = false;
  std::vector<std::vector<Arrival>> arrivals_;
  std::vector<uint64_t> releases_;            // by phase
  std::vector<std::vector<uint64_t>> waits_;  // by warp and arrival
};

}  // namespace warpwise::trace
