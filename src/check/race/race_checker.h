// Finds accesses by different threads to the same bytes that nothing orders (rules C0201 to C0211, base/rules.inc). It
// asks what orders them, not which came first, so the schedule of this run does not matter.
//
// Each word of memory has two cells, which name its last writer and its last reader (simt/instrument/race_cells.h).
// Where barriers and earlier launches decide, compiled code compares and writes the cells itself
// (simt/instrument/vectorise_race_checks.cpp). Where that does not decide, the code reports an event, and on_event()
// begins here. Each class below does one thing; the checker passes events on:
//
//     RaceClocks      what happened before what, between warps and blocks: barriers, fences, releases
//     AccessNumbers   which number an access has in the cells, and which access a number names
//     BlockEpochs     the epochs of a running block, and what its compiled code may decide
//     LaunchSites     which instruction of the launch a site is; AccessSites: of all launches
//     LaunchBlocks    serial numbers of the launch's blocks
//     CommandHistory  commands that may still be unordered with this one
//     CellMemory      the memory of the cells
//     WordHistory     the accesses that the cells name: compares a new one with them, and keeps it
//     broken_rule()   the decision about two accesses (race_rules.h)
//     RaceReporter    what a finding says
//     LockRaces       locks that are taken without a fence
//     CopyRaces       asynchronous copies that no thread has waited for
//     StreamRaces     commands of different streams, and the host
//     ClusterRaces    shared memory of blocks that may have ended
//
// Accesses of earlier launches can no longer race, except those of launches in other streams that nothing orders before
// this one (exec/queue/stream_order.h).
//
// One host thread runs all blocks, unless it is proved that blocks of this launch cannot race with each other
// (launch_pointers.h). Then all host threads do: compiled code compares the cells of its own block's shared memory, and
// all else that it does not know to be free of races is an event. Events are taken one at a time, but for barriers.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "base/finding.h"
#include "base/spin_mutex.h"
#include "check/race/access_numbers.h"
#include "check/race/access_sites.h"
#include "check/race/cell_memory.h"
#include "check/race/cluster_races.h"
#include "check/race/command_history.h"
#include "check/race/copy_races.h"
#include "check/race/launch_blocks.h"
#include "check/race/launch_pointers.h"
#include "check/race/launch_sites.h"
#include "check/race/lock_races.h"
#include "check/race/race_block.h"
#include "check/race/race_clocks.h"
#include "check/race/race_reporter.h"
#include "check/race/stream_races.h"
#include "check/race/word_history.h"
#include "exec/engine.h"
#include "exec/launch/block_run.h"
#include "exec/observer.h"
#include "simt/instrument/events.h"

namespace warpwise::check {

class RaceChecker : public exec::ObserverClient,
                    public exec::MemoryObserver,
                    public exec::TransferObserver,
                    public exec::StreamObserver,
                    public exec::LaunchObserver,
                    public exec::EventObserver {
 public:
  explicit RaceChecker(FindingSink& sink) : sink_(sink) {}

  uint32_t watch() const override { return cells_.is_mapped() ? uint32_t{simt::kWatchOrder} : 0; }
  bool wants_order() const override { return cells_.is_mapped(); }
  bool wants_blocks_in_order(const exec::KernelLaunch& launch, const exec::LoadedKernel& kernel) const override;
  void begin(exec::Arena& arena) override;

  // --- memory, and the commands of streams
  void freed(const exec::Region& region) override;
  void heap_freed(device::Address base, size_t bytes) override;
  void command_begins(const std::shared_ptr<const exec::StreamOrder::Command>& command) override;
  void written(device::Address to, size_t bytes) override { touched(to, bytes, Touch::Write); }
  void host_reads(device::Address from, size_t bytes) override { touched(from, bytes, Touch::Read); }
  void copies(device::Address to, device::Address from, size_t bytes) override {
    touched(to, bytes, Touch::Write);
    touched(from, bytes, Touch::Read);
  }
  void host_side(device::Address at, size_t bytes, bool writes) override {
    touched(at, bytes, writes ? Touch::Write : Touch::Read);
  }
  void lifetime(device::Address base, size_t bytes, bool ends, const HostPlace& host) override {
    touched(base, bytes, ends ? Touch::Free : Touch::Allocation, host);
  }
  void host_touched(device::Address at, bool writes, const HostPlace& place) override;

  // --- launches, blocks and what they do
  void launch_begins(const exec::KernelLaunch& launch) override;
  void launch_ends(const exec::KernelLaunch& launch) override;
  void block_memory(exec::BlockRun& run) override;
  void block_begins(exec::BlockRun& run) override;
  void on_event(const exec::ObservedEvent& event) override;
  void bulk_copy_begins(const exec::BulkAtShared& copy) override;

 private:
  class Conflicts;

  void forget_freed();
  void find_known_memory(const LaunchPointers& pointers, KnownMemory& known) const;
  RaceNumbers* shared_numbers_of(const exec::BlockRun& run);
  void touched(device::Address base, size_t bytes, Touch touch, const HostPlace& host = {});
  void first_block_begins(const exec::BlockRun& run);
  void begin_epochs(const exec::BlockRun& run, RaceBlock& block, Serial serial);
  void let_code_decide(RaceBlock& block);
  void order(const exec::ObservedEvent& event, RaceBlock& block);
  void all_warps_arrived(RaceBlock& block);
  bool all_warps_arrived_beside_others(RaceBlock& block);
  void count_races(uint32_t site, uint64_t races);
  bool has_raced_enough(uint32_t site) const { return site < races_of_.size() && races_of_[site] >= kEnoughRaces; }
  void check_access(const exec::ObservedEvent& event, const simt::event::Access& access, RaceBlock& block);
  bool add_broadcast(const exec::ObservedEvent& event, const simt::MemoryAccess& what, RaceBlock& block,
                     WordHistory::Found* found);
  void end_copy(const exec::ObservedEvent& event, RaceBlock& block, uint32_t thread, device::Address word);
  MemorySpace space_of(const exec::BlockRun& run, device::Address address) const;

  FindingSink& sink_;
  exec::Arena* arena_ = nullptr;
  CellMemory cells_;
  AccessSites sites_;  // of all launches
  CommandHistory history_;
  RaceClocks clocks_;

  const exec::KernelLaunch* launch_ = nullptr;  // the one that runs; null between launches
  LaunchBlocks launch_blocks_;
  LaunchSites launch_sites_{sites_};
  AccessNumbers numbers_{sink_, sites_, launch_sites_, launch_blocks_, history_};
  bool has_begun_block_ = false;
  bool one_by_one_ = false;  // a host thread runs the launch's blocks from beginning to end, one after the other
  std::atomic<bool> has_released_ = false;  // a thread of the launch has, and all blocks under way have been told
  RaceBlocks blocks_;                       // under way
  // By address, of shared memory in the launch that runs: where blocks run one by one, each host thread has its own.
  std::map<device::Address, RaceNumbers> shared_numbers_;

  RaceReporter reporter_{sink_, sites_, launch_blocks_};
  // How often the accesses of a site came later in a race. One that has raced as often as that is not looked at again:
  // it is known to be wrong, and a tile without its barrier would have hundreds of millions of conflicts.
  static constexpr uint64_t kEnoughRaces = 1'000'000;
  std::vector<uint64_t> races_of_;  // by index in sites_
  WordHistory words_{cells_, numbers_, clocks_, blocks_, history_};
  LockRaces locks_{reporter_};
  CopyRaces copies_{reporter_};
  StreamRaces streams_{history_, cells_, numbers_, sites_, reporter_};
  ClusterRaces clusters_{blocks_, clocks_, reporter_};

  SpinMutex mutex_;  // of all above, while a launch runs
  std::mutex freed_mutex_;
  std::vector<exec::Region> freed_;  // since the last command
};

}  // namespace warpwise::check
