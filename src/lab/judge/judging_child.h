// The child that runs trials: a fork of the judge, so that it starts in a millisecond with everything at hand (the
// trials, the compiler already loaded) and may crash or hang without harm. It returns each result over a pipe when it
// is known, and the arrays in shared memory.
//
// The judge keeps its own copies of inputs and answers: nothing that the child does to its memory reaches them. A
// kernel that is checked cannot leave device memory. One that is timed can, so a timed trial has a child of its own,
// which forgets the answers and is confined before it begins. Code that takes it over can spoil the figures of its own
// trial, and nothing else.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <span>
#include <string>
#include <string_view>
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
  ~SharedMemory() { unmap(); }
  void unmap();
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

using RunTrial = std::function<Result<TrialResult>(const Trial& trial, const TrialMemory& memory)>;
using TrialEnded = std::function<bool(size_t trial, const TrialResult& result, const TrialMemory& memory)>;

struct ChildJob {
  std::span<const Trial> trials;
  std::function<Result<void>()> prepare;  // comes first, in the child
  RunTrial run;
  std::function<bool(const TrialResult&)> go_on;  // the child calls it with the result only: false ends it
  double seconds = 0;                             // for all of it
};

// A child at work. Several may run side by side. Each forgets what the judge shares with those that were started before
// it; the least trusted is started first, when there is nothing that it would have to forget.
class JudgingChild {
 public:
  // Runs `run` for one trial after the other, until one does not finish or `go_on` says no.
  static Result<JudgingChild> start(ChildJob job, const std::vector<JudgingChild*>& earlier = {});
  JudgingChild(JudgingChild&& other) noexcept;
  JudgingChild& operator=(JudgingChild&&) = delete;
  ~JudgingChild();  // ends it
  // Waits for its end. `goes_on`, if any, is called with the number of each trial that has ended and with its result:
  // false ends the child, and the other trials stay without results. `idle`, if any, is called every now and then.
  Result<Finished> finish(const TrialEnded& goes_on = {}, const std::function<void()>& idle = {});
  // Ends it when it has taken too much time or memory. finish() does so by itself.
  void enforce_limits();

 private:
  explicit JudgingChild(Finished finished) : finished_(std::move(finished)) {}
  void take_line(std::string_view line, const TrialEnded& goes_on);
  void stop();
  void end();
  void forget();  // in another child

  Finished finished_;
  pid_t process_ = -1;
  int results_ = -1, permission_ = -1;
  std::chrono::steady_clock::time_point deadline_;
  uint64_t most_memory_ = 0;
  size_t next_ = 0;
  std::string received_;
};

// One child from its start to its end.
Result<Finished> run_in_child(ChildJob job, const TrialEnded& goes_on = {});

}  // namespace warpwise::lab
