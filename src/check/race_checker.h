// Accesses of different threads to the same bytes that nothing orders: C02.. of base/rules.inc.
//
// Each word of memory has a cell: who wrote it last and who read it last, with the place in the program and the clock at
// which they did (race_clocks.h). An access that meets another thread's, of which one is a write, and which is not after it,
// is a race, whatever the schedule of this run made of it. Words that are accessed in parts have a cell for each byte.
//
// Of several readers that nothing orders the cell keeps one, and the mark that there are others: whoever writes races with
// one of them even if the reader that was kept is the writer itself.
//
// Strong accesses (atomics, volatile ones) may meet without order: that is how threads signal. Of volatile ones this holds only
// where somebody decides by what he reads (value_uses.h): to ISO C++ `volatile` is no atomic [intro.races], and two threads that
// exchange data through it race like others.
//
// What earlier launches left in the cells is over, unless they belong to another stream and nothing orders the two
// (race_streams.cpp; exec/stream_order.h).
#pragma once

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/finding.h"
#include "check/async_copies.h"
#include "check/lock_discipline.h"
#include "check/race_clocks.h"
#include "check/value_uses.h"
#include "exec/block_run.h"
#include "exec/engine.h"
#include "exec/observer.h"
#include "simt/shadow.h"

namespace warpwise::check {

class RaceChecker : public exec::Observer {
 public:
  explicit RaceChecker(FindingSink& sink) : sink_(sink) {}
  ~RaceChecker() override;

  uint32_t watch() const override { return mapped_ ? uint32_t{simt::kWatchOrder} : 0; }
  bool wants_order() const override { return mapped_; }
  void begin(exec::Arena& arena) override;
  void freed(const exec::Region& region) override;
  void command_begins(const std::shared_ptr<const exec::StreamOrder::Command>& command) override;
  void written(device::Address to, size_t bytes) override { copied(to, bytes, true); }
  void host_reads(device::Address from, size_t bytes) override { copied(from, bytes, false); }
  void copies(device::Address to, device::Address from, size_t bytes) override { copied(to, bytes, true), copied(from, bytes, false); }
  void host_side(device::Address at, size_t bytes, bool writes) override { copied(at, bytes, writes); }
  void host_touched(device::Address at, bool writes, const HostPlace& place) override;
  void launch_begins(const exec::KernelLaunch& launch) override;
  void launch_ends(const exec::KernelLaunch& launch) override;
  void block_memory(exec::BlockRun& run) override;
  void block_begins(exec::BlockRun& run) override;
  void noticed(const exec::NoticedAccess& access) override;

 private:
  // An access in 64 bits. The serial is on top, so that what happened in earlier launches is smaller than anything now.
  struct Entry {
    Serial serial;      // 24 bits
    uint32_t clock;     // 14
    uint32_t thread;    // 10
    uint32_t site;      // 13: index into sites_, 0: not known
    bool strong;
    bool atomic;  // of a reader: others read the word, too (atomics write)
    bool block_scope;
    uint64_t pack() const;
    static Entry unpack(uint64_t bits);
  };
  // Memory of a fresh page is zero: nobody was there. A word whose bytes have cells of their own holds kSplit.
  struct Cell {
    uint64_t write, read;
  };
  static constexpr uint64_t kSplit = ~uint64_t{0};
  // Parts of an entry: all but place and kind; the mark of a reader that is not alone; the thread.
  static constexpr uint64_t kSame = ~uint64_t{0xffff}, kOthers = 2, kThread = uint64_t{1023} << 16;
  // Which reader of a word is kept, when neither is over: the first, but of one instruction that of the highest number. It is
  // mostly thread 0 that writes what all have read, and a thread that writes its own word that reads its neighbour's first.
  static uint64_t joined(uint64_t kept, uint64_t reader) {
    const bool one_instruction = ((kept ^ reader) & ~(kThread | kOthers)) == 0;
    return (one_instruction && kept < reader ? reader : kept) | kOthers;
  }

  // What an instruction of a kernel does, found out once.
  struct Site {
    const ptx::Module* module = nullptr;
    int64_t function = -1, instruction = -1;
    bool block_scope = false, acquires = false, releases = false, compares = false, exchanges = false;
    bool is_volatile = false, copies_later = false;
    ValueUse use = ValueUse::None;  // of what a volatile or an atomic access reads
    uint32_t index = 0;
  };
  struct Watched {
    BlockClocks clocks;
    AsyncCopies copies;
  };

  // A command that has run: a launch with its blocks, or a copy or fill with the memory it touched.
  struct Range {
    device::Address base;
    size_t bytes;
    bool writes;
  };
  struct Past {
    std::shared_ptr<const exec::StreamOrder::Command> order;
    std::vector<Range> ranges;
    exec::KernelLaunch launch;  // image is null: a copy
    Serial first = 1, last = 0;
    std::vector<uint64_t> blocks;
  };
  void copied(device::Address base, size_t bytes, bool writes);
  const Past* beside(Serial serial) const;  // the launch of a block, where nothing orders it and the command that runs
  void meet_copies(const exec::NoticedAccess& access, const simt::Notice& what, const Site& site);
  void compare_with_stream(const exec::NoticedAccess& access, const Entry& before, bool before_writes, const Entry& entry, bool writes, device::Address address);
  Party party_of(const Past& past, const Entry& entry, bool writes) const;
  Party copy_party(const exec::StreamOrder::Command& order, bool writes) const;
  void report_host(Party host, Party device, device::Address address, size_t bytes, const Past& past);
  void report_streams(Party now, Party before, device::Address address, size_t bytes, const Past& past);

  const Site& site_of(const exec::NoticedAccess& access);
  void look_at(const exec::NoticedAccess& access, const simt::Notice& what);
  void follow_locks(const exec::NoticedAccess& access, const simt::Notice& what, const BlockClocks& block, const Site& site);
  void fence_locks(const exec::NoticedAccess& access, const BlockClocks& block, LockDiscipline::Fence fence);
  void report_unfenced(const exec::NoticedAccess& access, const LockDiscipline::Broken& broken);
  void follow_copies(const exec::NoticedAccess& access, const simt::Notice& what, const Site& site);
  void end_copies(const exec::NoticedAccess& access, const simt::Notice& what);
  // Of two strong accesses without order: one is volatile, and neither decides by what it reads.
  bool is_volatile_data(const Entry& before, const Entry& entry) const;
  bool pass_quickly(const exec::NoticedAccess& access, const BlockClocks& block, const Site& site, bool writes);
  void visit(const exec::NoticedAccess& access, Cell& cell, const Entry& entry, bool reads, bool writes, unsigned lane, device::Address address);
  Cell& cell_of(device::Address address);
  bool is_left_over(Serial serial, device::Address address) const;
  void compare(const exec::NoticedAccess& access, uint64_t before, bool before_writes, const Entry& entry, bool writes, unsigned lane,
               device::Address address);
  void compare_with_others(const exec::NoticedAccess& access, uint64_t kept, const Entry& entry, device::Address address);
  void report(const exec::NoticedAccess& access, const char* rule, const Entry& before, bool before_writes, const Entry& entry, bool writes,
              device::Address address, const char* note = nullptr);

  FindingSink& sink_;
  bool mapped_ = false;
  exec::Arena* arena_ = nullptr;
  const exec::KernelLaunch* launch_ = nullptr;
  Serial serial_ = 0, first_serial_ = 1;  // of the process's blocks; of the launch's
  std::vector<uint64_t> block_of_;        // linear index of a launch's block, by serial - first_serial_
  std::shared_ptr<const exec::StreamOrder::Command> command_;  // that runs
  std::deque<Past> past_;
  std::vector<const Past*> beside_;                   // of past_: what nothing orders with it
  Serial oldest_ = 1;                                 // what blocks before this one did is over
  std::set<std::pair<uint64_t, uint64_t>> told_;      // pairs of commands
  RaceClocks clocks_;
  LockDiscipline locks_;
  std::unordered_map<uint64_t, Site> by_pc_;  // of a launch's kernel
  std::vector<Site> sites_;                   // by index
  std::unordered_map<device::Address, std::array<Cell, 4>> bytes_;  // of words that are accessed in parts
  std::map<const exec::BlockRun*, std::unique_ptr<Watched>> watched_;
  std::map<std::tuple<std::string, uint32_t, uint32_t>, FindingSink::Cause> reported_;
};

}  // namespace warpwise::check
