// What findings about races say: C02.. of base/rules.inc. Each place is reported once, and again if a block that comes
// earlier in the launch does the same; what else happens there is added to the count of that finding.
//
//     reporter.race(event.run, "C0203", before, now, address, bytes);      // "write and read of byte 4 of x by ..."
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <tuple>

#include "base/finding.h"
#include "check/race/access_sites.h"
#include "check/race/command_history.h"
#include "check/race/launch_blocks.h"
#include "check/race/race_access.h"
#include "exec/engine.h"
#include "exec/launch/block_run.h"
#include "exec/memory/arena.h"

namespace warpwise::check {

class RaceReporter {
 public:
  RaceReporter(FindingSink& sink, const AccessSites& sites, const LaunchBlocks& blocks)
      : sink_(sink), sites_(sites), blocks_(blocks) {}

  // Before anything is reported.
  void begin(const exec::Arena& arena) { arena_ = &arena; }

  // Two accesses by threads of a launch. `rule`: a literal. `note`: what else there is to say; null: nothing. Returns
  // the cause, for again(); 0: there is none to count.
  FindingSink::Cause race(const exec::BlockRun& run, const char* rule, const RaceAccess& before, const RaceAccess& now,
                          device::Address address, uint64_t bytes, const char* note = nullptr);
  // The same where several threads have read, and the one reader that is known is the writer itself.
  void race_with_unnamed_reader(const exec::BlockRun& run, const char* rule, const RaceAccess& reader,
                                const RaceAccess& now, device::Address address, uint64_t bytes);

  // The same places have raced so many more times. Counts reach the sink with flush(): a tile without its barrier has
  // millions of conflicts, and the sink takes a lock for each call.
  void again(FindingSink::Cause cause, uint64_t times) {
    if (cause != counted_cause_) flush();
    counted_cause_ = cause;
    counted_ += times;
  }
  // Once for each event.
  void flush() {
    if (counted_ != 0) sink_.again(counted_cause_, counted_);
    counted_ = 0;
  }

  // C0204: commands of two streams. `past` is the earlier one, `running` the one that runs.
  void streams(Party now, Party before, device::Address address, size_t bytes, const PastCommand& past,
               const CommandHistory::Order& running);
  // C0205: the host, and a command that may run at the same time.
  void host(Party host, Party device, device::Address address, size_t bytes, const PastCommand& past);

  // C0211: a thread uses the shared memory of another block of its cluster. `owner`: that block's linear index;
  // `shared` and `size`: its shared memory.
  void cluster(const exec::KernelLaunch& launch, const RaceAccess& visit, device::Address address, uint8_t bytes,
               uint64_t owner, device::Address shared, uint64_t size);

 private:
  FindingSink::Cause report(const exec::BlockRun& run, const char* rule, const RaceAccess& before,
                            const RaceAccess& now, device::Address address, uint64_t bytes, const char* note,
                            bool names_before);
  Party party_of(const exec::KernelLaunch& launch, const RaceAccess& access) const;

  FindingSink& sink_;
  const AccessSites& sites_;
  const LaunchBlocks& blocks_;
  const exec::Arena* arena_ = nullptr;
  // By sites, the smaller index first, rule, and whether the earlier thread is known.
  struct Shown {
    FindingSink::Cause cause = 0;
    LaunchOrder order;
  };
  std::map<std::tuple<uint32_t, uint32_t, std::string_view, bool>, Shown> reported_;
  std::map<uint32_t, FindingSink::Cause> reported_in_clusters_;  // by site
  FindingSink::Cause counted_cause_ = 0;
  uint64_t counted_ = 0;  // of it, since the last flush()
};

}  // namespace warpwise::check
