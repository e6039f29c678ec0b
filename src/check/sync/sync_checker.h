// Threads that do not synchronise as they must: C04.. of base/rules.inc.
//
// Compiled code reports when threads arrive at a barrier, call a warp collective, and pass a reconvergence point
// (simt/instrument/insert_sync_events.h). Two classes judge that, with a record of each block that runs:
//
//     BarrierChecks       barriers that threads of a block do not share
//     CollectiveChecks    masks and sources of warp collectives
//
// The engine reports what ends a kernel: a deadlock, a mask without its caller, a misused mbarrier.
#pragma once

#include <map>
#include <mutex>

#include "base/finding.h"
#include "check/sync/barrier_checks.h"
#include "check/sync/collective_checks.h"
#include "check/sync/sync_places.h"
#include "exec/launch/block_run.h"
#include "exec/observer.h"

namespace warpwise::check {

class SyncChecker : public exec::ObserverClient,
                    public exec::LaunchObserver,
                    public exec::EventObserver,
                    public exec::FaultObserver {
 public:
  explicit SyncChecker(FindingSink& sink) : sink_(sink) {}

  uint32_t watch() const override;
  void begin(exec::Arena& arena) override { arena_ = &arena; }
  void launch_begins(const exec::KernelLaunch& launch) override;
  void launch_ends(const exec::KernelLaunch& launch) override;
  void block_begins(exec::BlockRun& run) override;
  void on_event(const exec::ObservedEvent& event) override;
  void faulted(const exec::KernelLaunch& launch, const exec::KernelFault& fault) override;

 private:
  struct Block {
    SyncBlock about;
    BlockBarriers barriers;
    BlockCollectives collectives;
  };

  FindingSink& sink_;
  exec::Arena* arena_ = nullptr;
  std::mutex mutex_;
  SyncReporter reporter_{sink_};
  BarrierChecks barriers_{reporter_};
  CollectiveChecks collectives_{reporter_};
  std::map<const exec::BlockRun*, Block> blocks_;  // under way
};

}  // namespace warpwise::check
