// Threads that do not synchronise as they must: C04.. of base/rules.inc.
//
// The engine reports what ends a kernel (a deadlock, a mask without its caller). Compiled code reports the rest: when
// threads arrive at a barrier, call a warp collective, and pass a reconvergence point
// (simt/instrument/insert_sync_events.h):
//
//   Barriers that differ   Each thread's n-th __syncthreads() must be at the line where the others' n-th is.
//   Barriers left out      When two threads pass a reconvergence point for the p-th time, they have been at as many
//                          barriers. At the end of a kernel a thread may have returned: there the text of the program
//                          decides, where the barrier stands and where it is called (source_text.h).
//   Masks                  A lane that a mask names and that does not arrive must not pass a reconvergence point of
//                          that collective. A lane that has returned never does.
//   Lanes not there        A shuffle's source must be one of the lanes that take part. Whether a missing lane had
//                          returned or goes past is known when the block has ended.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/finding.h"
#include "exec/launch/block_run.h"
#include "exec/observer.h"
#include "simt/compiler.h"
#include "simt/instrument/events.h"

namespace warpwise::check {

class SyncChecker : public exec::ObserverClient,
                    public exec::LaunchObserver,
                    public exec::EventObserver,
                    public exec::FaultObserver {
 public:
  explicit SyncChecker(FindingSink& sink) : sink_(sink) {}

  uint32_t watch() const override;
  void launch_begins(const exec::KernelLaunch& launch) override;
  void launch_ends(const exec::KernelLaunch& launch) override;
  void block_begins(exec::BlockRun& run) override;
  void on_event(const exec::ObservedEvent& access) override;
  void faulted(const exec::KernelLaunch& launch, const exec::KernelFault& fault) override;

 private:
  // A place in the program, and a thread that was there.
  struct Arrival {
    const simt::Site* site = nullptr;
    uint32_t thread = 0;
  };
  struct Passing {
    uint32_t barriers = 0, thread = 0;  // how many the thread had been at
  };
  // How often each lane has passed each reconvergence point of a collective.
  struct Passes {
    std::vector<std::array<uint32_t, 32>> points;
    std::vector<uint32_t> of(unsigned lane) const {
      std::vector<uint32_t> counts;
      for (const auto& point : points) counts.push_back(point[lane]);
      return counts;
    }
    // Whether the lane has passed some reconvergence point more often than the lane that had these counts.
    bool is_past(unsigned lane, const std::vector<uint32_t>& counts) const {
      for (size_t n = 0; n < points.size(); ++n)
        if (points[n][lane] > (n < counts.size() ? counts[n] : 0)) return true;
      return false;
    }
  };
  struct Missed {
    Arrival by;                    // whose mask names the lane
    std::vector<uint32_t> passes;  // of the reconvergence points by then
  };
  struct Warp {
    uint32_t waiting = 0;                                    // lanes that wait at a collective
    std::array<uint32_t, 32> masks{};                        // theirs
    std::array<const simt::Site*, 32> sites{};               // and where
    std::map<uint32_t, Passes> passes;                       // by group of reconvergence points
    std::map<std::pair<uint32_t, unsigned>, Missed> missed;  // by group and lane that did not come
  };
  struct NoSource {
    Arrival by;
    unsigned source = 0;
  };
  struct Block {
    const exec::KernelLaunch* launch = nullptr;
    const exec::LoadedKernel* kernel = nullptr;
    uint64_t index = 0;
    std::vector<uint32_t> barriers;                    // by thread: how many it has reached
    std::vector<Arrival> first;                        // by number of the barrier: which thread came first
    std::map<uint64_t, std::vector<uint32_t>> passes;  // of each reconvergence point of barriers, by thread
    std::map<uint64_t, std::vector<Passing>> passed;   // of each, by number of the pass: which thread came first
    std::vector<Warp> warps;
    std::map<const simt::Site*, NoSource> no_source;
    std::set<const simt::Site*> masks_reported;
  };
  // Passes of a reconvergence point that are kept: a loop with more rounds is judged by its first ones.
  static constexpr uint32_t kMostPasses = 1 << 14;

  void arrive(Block& block, const exec::ObservedEvent& access, const simt::Site* site);
  void arrive_at_collective(Block& block, const exec::ObservedEvent& access, const simt::event::Collective& what,
                            const simt::Site* site);
  // `at_end`: nothing is left to do behind the reconvergence point.
  void pass_barriers(Block& block, const exec::ObservedEvent& access, bool at_end);
  void pass_collectives(Block& block, const exec::ObservedEvent& access);
  // Whether lanes at the two collectives wait for each other: "with the same qualifiers and the same membermask" (PTX
  // ISA, shfl.sync).
  static bool wait_for_each_other(const Block& block, const simt::Site* one, const simt::Site* other);
  void finish(Block& block);
  bool is_left_out(const Block& block, const Arrival& barrier);
  bool has_returned(const Block& block, const Arrival& barrier, const simt::Site* join);
  static CodePlace place_of(const Block& block, const Arrival& at);
  void report_at(const char* rule, std::string message, const Block& block, const char* role, const Arrival& by,
                 std::string note);

  FindingSink& sink_;
  std::mutex mutex_;
  std::map<const exec::BlockRun*, Block> blocks_;
  std::map<std::pair<std::string, std::string>, FindingSink::Cause> reported_;  // pairs of places
  std::map<std::tuple<std::string, const ptx::Module*, uint32_t, uint32_t, uint32_t>, FindingSink::Cause>
      reported_at_;                             // by rule and place
  std::map<const simt::Site*, bool> left_out_;  // barriers whose text has been searched
  std::map<std::pair<const simt::Site*, const simt::Site*>, bool>
      returned_;  // ... and reconvergence points behind loops around them
};

}  // namespace warpwise::check
