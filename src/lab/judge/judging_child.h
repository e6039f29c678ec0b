// The child that runs trials: a fork of the judge, so that it starts in a millisecond with everything at hand (the
// trials, the compiler already loaded) and may crash or hang without harm. It returns each result over a pipe when it
// is known, and the arrays in shared memory.
//
// The judge keeps its own copies of inputs and answers: nothing that the child does to its memory reaches them. A
// kernel that is checked cannot leave device memory. One that is timed can, so a timed trial has a child of its own,
// which forgets the answers and is confined before it begins. Code that takes it over can spoil the figures of its own
// trial, and nothing else.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "lab/trial/test_device.h"
#include "lab/trial/trial.h"

namespace warpwise::lab {

// Memory that a child shares with its parent, unmapped at the end.
class SharedMemory {
 public:
  // L0009 when there is none.
  static Result<SharedMemory> create(size_t bytes);
  SharedMemory(SharedMemory&& other) noexcept : base_(std::exchange(other.base_, nullptr)), bytes_(other.bytes_) {}
  SharedMemory& operator=(SharedMemory&& other) noexcept {
    std::swap(base_, other.base_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~SharedMemory();
  std::byte* base() const { return base_; }

 private:
  SharedMemory(std::byte* base, size_t bytes) : base_(base), bytes_(bytes) {}
  std::byte* base_ = nullptr;
  size_t bytes_ = 0;
};

// The outcome of the trials: results and the arrays afterwards, by number of the trial.
struct Finished {
  SharedMemory memory;
  std::vector<TrialMemory> arrays;
  std::vector<TrialResult> results;
  bool timed_out = false;      // the child was ended because its time was over
  bool out_of_memory = false;  // or because it took more than any trial needs
  int signal = 0;              // that ended it for another reason
  std::string broken;          // the test device failed: the judge's fault, not the submission's
};

// Runs `run` for one trial after the other in a child, until one does not finish or is refused (`go_on`, which the
// child calls with the result only, returns false). `prepare` comes first, in the child; `seconds`: for all of it.
// `goes_on`, if any, is called here with the number of each trial that has ended and with its result: false ends the
// child, and the other trials stay without results.
using RunTrial = std::function<Result<TrialResult>(const Trial& trial, const TrialMemory& memory)>;
using TrialEnded = std::function<bool(size_t trial, const TrialResult& result, const TrialMemory& memory)>;
Result<Finished> run_in_child(std::span<const Trial> trials, const std::function<Result<void>()>& prepare,
                              const RunTrial& run, const std::function<bool(const TrialResult&)>& go_on, double seconds,
                              const TrialEnded& goes_on = {});

}  // namespace warpwise::lab
