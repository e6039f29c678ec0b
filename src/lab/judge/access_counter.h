// Counts what the threads of a kernel do to memory, for budgets, and remembers which thread wrote each element of the
// arrays of a trial.
//
// It sees the same accesses as the race checker: those of the source, in the code that is compiled for checkers
// (simt/instrument/insert_checks.h). Blocks run on one host thread then, so nothing here is locked.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "base/finding.h"
#include "exec/launch/block_run.h"
#include "exec/observer.h"
#include "lab/judge/budget.h"

namespace warpwise::lab {

// The last writer of an element.
struct Writer {
  uint32_t block = 0;   // linear index + 1; 0: not written yet; kHost, kHostPassedOn: a copy from the host
  uint16_t thread = 0;  // linear
  uint16_t site = 0;    // index + 1 into AccessCounter::sites(); 0: not known
};
constexpr uint32_t kHost = ~uint32_t{0};
constexpr uint32_t kHostPassedOn = kHost - 1;  // data that the host had read from kernels

// An instruction that writes, in launches of one shape.
struct WriteSite {
  CodePlace code;
  std::array<uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
};

// Two threads of one launch that stored the same element.
struct DoubleStore {
  size_t array = 0;  // in the order of count_array()
  uint64_t index = 0;
  Writer first, second;
};

// An array in device memory.
struct CountedArray {
  device::Address base = 0;
  size_t bytes = 0, element_bytes = 4;
  std::span<Writer> writers;  // one for each element; empty: not recorded

  bool has(device::Address address) const { return address - base < bytes; }
};

class AccessCounter : public exec::ObserverClient, public exec::LaunchObserver, public exec::EventObserver {
 public:
  uint32_t watch() const override;
  bool wants_order() const override { return true; }
  void launch_begins(const exec::KernelLaunch& launch) override;
  void launch_ends(const exec::KernelLaunch& launch) override;
  void block_begins(exec::BlockRun& run) override;
  void on_event(const exec::ObservedEvent& access) override;

  void count_array(const CountedArray& array) { arrays_.push_back(array); }
  void forget_arrays() { arrays_.clear(); }
  // All launches so far.
  const Measured& measured() const { return measured_; }
  const std::vector<WriteSite>& sites() const { return sites_; }
  // The host has copied to device memory; `as`: kHost or kHostPassedOn.
  void host_wrote(device::Address to, size_t bytes, uint32_t as);
  uint64_t launches() const { return launches_; }
  // The first of the first launch; atomic operations do not count.
  const std::optional<DoubleStore>& double_store() const { return double_store_; }

 private:
  static constexpr size_t kPerThread = size_t(Counter::UnorderedReads) + 1;  // the first rows of counters.inc
  using ThreadCounts = std::array<uint32_t, kPerThread>;
  struct Block {
    uint64_t index = 0;
    std::vector<ThreadCounts> threads;
    // Of each word of shared memory: the barriers that its last writer had passed, + 1; 0: nothing has stored there.
    std::vector<uint32_t> stored_after;
  };

  void add_up(Block& block);
  const CountedArray* array_at(device::Address address) const;
  uint16_t site_of(const exec::ObservedEvent& access);
  bool count_global_loads(const exec::ObservedEvent& access, const simt::MemoryAccess& event, Block& block) const;

  std::vector<CountedArray> arrays_;
  std::map<const exec::BlockRun*, Block> blocks_;  // of the launch
  using SiteKey =
      std::tuple<const ptx::Module*, uint32_t, uint32_t, std::array<uint32_t, 6>>;  // function, instruction, shape
  std::unordered_map<uint64_t, uint16_t> site_by_pc_;                               // of the launch
  std::map<SiteKey, uint16_t> site_by_key_;
  std::vector<WriteSite> sites_;
  Measured measured_;
  std::optional<DoubleStore> double_store_;
  uint64_t launches_ = 0;
};

}  // namespace warpwise::lab
