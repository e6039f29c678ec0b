// Accesses of different threads to the same bytes that nothing orders: C02.. of base/rules.inc.
//
// Each word of memory has two cells (simt/instrument/race_cells.h): its last writer and its last reader, with the
// place in the program and the clock at which they did (race_numbers.h, race_clocks.h). An access that conflicts with
// another thread's, of which one is a write, and which is not after it, is a race, whatever the schedule of this run
// made of it. Words that are accessed in parts have cells for each byte.
//
// Where barriers and earlier launches decide, compiled code compares and writes the cells itself
// (simt/instrument/vectorise_race_checks.cpp) and never comes here: RaceEpochs says where a block's numbers stand,
// and whether it may.
//
// Of several readers that nothing orders the cell keeps one, and the mark that there are others: a writer races
// with one of them even if the reader that was kept is the writer itself.
//
// Atomics may conflict without order. One that follows another, or a plain write that its block is done with, says
// nothing of what other blocks may do. A plain write beneath them is kept beside them, in the cells of a word that is
// accessed in parts; of atomics of several blocks the first is kept, unless the later one returns what was
// there: a thread that has observed an atomic comes after it (PTX, Memory Consistency Model, Observation order). So the
// verdict does not depend on which block came first.
//
// Strong accesses (atomics, volatile ones) may conflict without order: that is how threads signal. Of volatile ones
// this holds only where a thread decides by what it reads (value_uses.h): to ISO C++ `volatile` is no atomic
// [intro.races], and two threads that exchange data through it race like others. In shared memory, where barriers are
// at hand, it must be polling it: a flag that is raised and read once needs a barrier between, volatile or not.
//
// What earlier launches left in the cells is over, unless they belong to another stream and nothing orders the two
// (race_streams.cpp; exec/queue/stream_order.h).
#pragma once

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/finding.h"
#include "check/race/access_sites.h"
#include "check/race/async_copies.h"
#include "check/race/cell_memory.h"
#include "check/race/command_history.h"
#include "check/race/lock_discipline.h"
#include "check/race/race_clocks.h"
#include "check/race/race_numbers.h"
#include "exec/engine.h"
#include "exec/launch/block_run.h"
#include "exec/observer.h"
#include "simt/instrument/events.h"
#include "simt/instrument/race_cells.h"

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
  void begin(exec::Arena& arena) override;
  void freed(const exec::Region& region) override;
  void heap_freed(device::Address base, size_t bytes) override { cells_.forget(base, bytes); }
  void command_begins(const std::shared_ptr<const exec::StreamOrder::Command>& command) override;
  void written(device::Address to, size_t bytes) override { copied(to, bytes, Touch::Write); }
  void host_reads(device::Address from, size_t bytes) override { copied(from, bytes, Touch::Read); }
  void copies(device::Address to, device::Address from, size_t bytes) override {
    copied(to, bytes, Touch::Write), copied(from, bytes, Touch::Read);
  }
  void host_side(device::Address at, size_t bytes, bool writes) override {
    copied(at, bytes, writes ? Touch::Write : Touch::Read);
  }
  void lifetime(device::Address base, size_t bytes, bool ends, const HostPlace& host) override {
    copied(base, bytes, ends ? Touch::Free : Touch::Allocation, host);
  }
  void host_touched(device::Address at, bool writes, const HostPlace& place) override;
  void launch_begins(const exec::KernelLaunch& launch) override;
  void launch_ends(const exec::KernelLaunch& launch) override;
  void bulk_copy_begins(const exec::BulkAtShared& load) override;
  void block_memory(exec::BlockRun& run) override;
  void block_begins(exec::BlockRun& run) override;
  void on_event(const exec::ObservedEvent& access) override;

 private:
  using Number = RaceNumbers::Number;
  enum Space : unsigned { kGlobal, kShared };
  static constexpr unsigned kSpaces = 2;

  // An access.
  struct Entry {
    Number number = 0;
    Serial serial = 0;
    uint32_t clock = 0, thread = 0;
    uint32_t site = 0;  // index into sites_, 0: not known
    bool strong = false, atomic = false, block_scope = false;
    bool observes = false;  // an atomic that returns what was there
    Number as_writer() const { return number | (atomic && !block_scope ? simt::kMarked : 0); }
  };
  using Cell = CellMemory::Cell;
  using ByteCell = CellMemory::ByteCell;
  using Site = AccessSite;
  // One block while it runs.
  struct BlockState final : exec::ObservedBlock {
    BlockClocks clocks;
    AsyncCopies copies;
    simt::RaceEpochs epochs;
    bool compares = false;               // its code compares by itself
    Number together[kSpaces] = {};       // the epoch that began at the last barrier of all warps
    uint32_t clock_at[kMostWarps] = {};  // at which epochs.spaces[].now was found
    // What interleaved warps have reported and not done yet: their last stores.
    struct Store {
      unsigned warp = 0;
      uint32_t site = 0, clock = 0, mask = 0;
      std::array<device::Address, simt::kLanes> addresses;
      std::array<uint64_t, simt::kLanes> values;
    };
    std::array<Store, 8> stores;            // by warp % 8, the most that are interleaved
    std::vector<Number> by_clock[kSpaces];  // where code does not compare: warps at one clock share an epoch
    uint64_t block = 0;                     // linear
    device::Address shared = 0;             // the block's shared memory; no bytes once the launch has ended
    uint64_t shared_bytes = 0;
    // The last accesses to it by each warp of other blocks of the cluster.
    struct Visit {
      uint32_t clock = 0, thread = 0, site = 0;
      bool writes = false;
      device::Address address = 0;
      uint8_t bytes = 0;
    };
    std::map<std::pair<Serial, unsigned>, Visit> visits;
  };

  void forget_freed();
  void copied(device::Address base, size_t bytes, Touch touch, const HostPlace& host = {});
  void compare_with_copies(const exec::ObservedEvent& access, const simt::MemoryAccess& what, const Site& site);
  void compare_with_stream(const exec::ObservedEvent& access, const Entry& before, bool before_writes,
                           const Entry& entry, bool writes, device::Address address);
  Party party_of(const PastCommand& past, const Entry& entry, bool writes) const;
  Party copy_party(const exec::StreamOrder::Command& order, Touch touch) const;
  void report_host(Party host, Party device, device::Address address, size_t bytes, const PastCommand& past);
  void report_streams(Party now, Party before, device::Address address, size_t bytes, const PastCommand& past);

  // race_clusters.cpp: blocks that are there as long as others use their shared memory
  void note_visit(const exec::ObservedEvent& access, const Entry& entry, bool writes, device::Address address,
                  uint8_t bytes);
  void block_ends(BlockState& state);
  void report_visit(const BlockState& state, Serial serial, const BlockState::Visit& visit);

  // race_epochs.cpp: where numbers stand
  void prepare(const exec::BlockRun& run);
  uint32_t site_index(const simt::WatchedSite& site, std::vector<simt::InlinedCall> calls) {
    return sites_.index_of(launch_->image->module, site, std::move(calls));
  }
  void begin_numbers(exec::BlockRun& run, BlockState& state);
  void all_warps_arrived(BlockState& state);
  void renumber(BlockState& state);
  void decide_how_to_compare(BlockState& state);
  Number begin_epoch(BlockState& state, Space space, uint32_t clock);
  Number epoch_of(BlockState& state, Space space, unsigned warp);
  void forget_numbers();

  bool has_block_scope(const exec::ObservedEvent& fence);
  Space space_of(const exec::ObservedEvent& access, device::Address address) const;
  Entry entry_of(Space space, Number number) const;
  static void keep(BlockState& state, const exec::ObservedEvent& access, const Site& site);
  static uint64_t written_by(const exec::ObservedEvent& access, const Entry& before, device::Address address,
                             size_t bytes);
  uint32_t joined(Space space, uint32_t kept, uint32_t reader) const;
  void check_access(const exec::ObservedEvent& access, const simt::event::Access& event);
  void follow_locks(const exec::ObservedEvent& access, const simt::MemoryAccess& what, const BlockClocks& block,
                    const Site& site);
  void fence_locks(const exec::ObservedEvent& access, const BlockClocks& block, LockDiscipline::Fence fence);
  void report_unfenced(const exec::ObservedEvent& access, const LockDiscipline::Broken& broken);
  void follow_copies(const exec::ObservedEvent& access, const simt::MemoryAccess& what, const Site& site);
  void commit_copies(const exec::ObservedEvent& access, bool bulk);
  void end_copies(const exec::ObservedEvent& access, const simt::event::AsyncWait& wait);
  // Of two strong accesses without order: one is volatile, and neither thread decides by what it reads.
  bool is_volatile_data(Space space, const Entry& before, const Entry& entry) const;
  void visit(const exec::ObservedEvent& access, Cell cell, Space space, const Entry& entry, bool reads, bool writes,
             unsigned lane, device::Address address);
  // Numbers below it are of earlier launches that are over.
  Number first_of(Space space) const { return space == kShared ? numbers_[space].first() : oldest_; }
  bool lies_beneath(const exec::ObservedEvent& access, Space space, Number before, const Entry& entry) const;
  bool stays(const exec::ObservedEvent& access, Space space, Number before, const Entry& entry) const;
  bool is_left_over(Serial serial, Space space) const;
  void compare(const exec::ObservedEvent& access, Space space, uint32_t before, bool before_writes, const Entry& entry,
               bool writes, unsigned lane, device::Address address);
  void compare_with_others(const exec::ObservedEvent& access, const Entry& kept, const Entry& entry,
                           device::Address address);
  void report(const exec::ObservedEvent& access, const char* rule, const Entry& before, bool before_writes,
              const Entry& entry, bool writes, device::Address address, const char* note = nullptr);

  FindingSink& sink_;
  CellMemory cells_;
  exec::Arena* arena_ = nullptr;
  const exec::KernelLaunch* launch_ = nullptr;
  Serial serial_ = 0, first_serial_ = 1;       // of the process's blocks; of the launch's
  std::vector<uint64_t> block_of_;             // linear index of a launch's block, by serial - first_serial_
  bool prepared_ = false, exhausted_ = false;  // of the launch: its sites are known; there are no numbers left
  bool one_by_one_ = false;                    // its blocks run from beginning to end, one after the other
  bool scoped_ = false;                        // some atomic of it has a scope that leaves threads out
  bool released_ = false;                      // a thread has released, and all its blocks know
  RaceNumbers numbers_[kSpaces];
  std::vector<uint32_t> numbered_[kSpaces];  // indices into sites_ of the launch's sites, by number
  std::vector<uint32_t> launch_sites_;       // ... by index into CompiledKernel::watched_sites
  std::vector<simt::WatchedSite> watched_sites_;
  const BlockState* last_ = nullptr;  // the block that began last, where blocks run one by one
  CommandHistory history_;
  std::mutex freed_mutex_;
  std::vector<exec::Region> freed_;  // since the last command
  Number oldest_ = 1;                // what has smaller numbers is over
  RaceClocks clocks_;
  LockDiscipline locks_;
  std::unordered_map<uint64_t, bool> fences_;  // of a launch, by pc: is it of block scope?
  AccessSites sites_;                          // of all launches
  std::map<const exec::BlockRun*, std::unique_ptr<BlockState>> states_;
  std::map<std::tuple<std::string, uint32_t, uint32_t>, FindingSink::Cause> reported_;
  std::map<uint32_t, FindingSink::Cause> reported_visits_;  // by site
};

}  // namespace warpwise::check
