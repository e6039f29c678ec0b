// The state of a launch while its blocks run: the sums of each host thread, the sample, the sectors of blocks that are
// compared.
//
// Where the first block does little, a launch seems cheap enough to be counted in full. If it is not, counting in full
// ends when several budgets are spent: the blocks counted until then count as themselves, and the rest of the grid is
// sampled.
//
// Sums are kept as whole numbers by class of the sample (sampling.h) and weighted at the end, so that they do not
// depend on which host thread ran which block.
#pragma once

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>

#include "exec/launch/block_run.h"
#include "perf/counters/contention.h"
#include "perf/counters/idle_blocks.h"
#include "perf/counters/pricing.h"
#include "perf/counters/reuse.h"
#include "perf/counters/sampling.h"
#include "perf/counters/warp_assembly.h"

namespace warpwise::perf {

// The caches of the device, for the cache models of one launch.
struct CacheShape {
  uint64_t l1_bytes = 0;  // of one block ...
  uint64_t of_sm = 1;     // ... of so many that share one L1
  uint64_t l2_bytes = 0;
  unsigned l2_parts = 1;
  uint64_t together = 1;     // blocks that run at the same time
  bool reads_pairs = false;  // L2 reads two sectors of 64 aligned bytes from memory, whichever is asked for
  const exec::Arena* arena = nullptr;
};

// The classes of the sample, and the blocks that were counted before it began, each for itself.
constexpr unsigned kInFull = SamplePlan::kClasses, kStrata = kInFull + 1;

// Places of memory, as powers of two of sectors: what L2 reads at once, a line of L2, and what a row of DRAM holds of
// neighbouring addresses.
enum class Grain : uint8_t { Pair, Line, Row };
constexpr unsigned kPlaces = 3;
constexpr unsigned shift_of(Grain place) {
  constexpr unsigned kShifts[kPlaces] = {1, 2, 5};
  return kShifts[size_t(place)];
}

// Sums over blocks of a class.
struct ClassSums {
  CellSums<uint64_t> cells;  // nothing: none of its blocks has been counted
  uint64_t blocks = 0;
  ExactCounts sum{}, squares{};  // of the blocks' counters, for their spread
  uint64_t l1_reads = 0, l1_hits = 0, l1_late = 0, l2_reads = 0, l2_writes = 0, l2_atomics = 0, l2_reductions = 0;
  uint64_t atomic_turns = 0;
  uint64_t bulk_copies = 0, bulk_loaded = 0, bulk_stored = 0;
  uint64_t read = 0, written = 0, kept = 0, local = 0;  // different sectors of each block
  uint64_t l2_read_lines = 0, constant_lines = 0, constant_visits = 0;
  std::array<uint64_t, kPlaces> read_at{}, written_at{};  // ... and different places
  uint64_t local_misses = 0;
  uint64_t host_reads = 0, host_writes = 0;
  uint64_t instructions = 0;
  double instructions_squared = 0;          // of each block
  simt::WarpWork longest_warps, all_warps;  // of each block the longest; all
  RereadDistances rereads{};
  std::vector<SiteReads> sites;
};

// What the blocks of one host thread have counted.
struct HostThread {
  HostThread(const KernelFacts& facts, const exec::Arena* arena) : cells(facts), trace(arena) {}

  // Where code finds the cells of a block. Those of blocks that do not count are read by nothing.
  uint64_t cells_of(bool counts) {
    if (!counts && unused.empty()) unused.resize(cells.words.size());
    return reinterpret_cast<uint64_t>(counts ? cells.words.data() : unused.data());
  }

  CellSums<uint64_t> cells;  // of the block that runs; where all blocks count, of all
  std::vector<uint64_t> unused;
  BlockTrace trace;
  uint64_t reported = 0;  // accesses that compiled code has reported
  bool in_full = true;    // the cells are of all blocks that it has run
  // Instructions of warps: those in the cells when the last block ended, and of the block that had most.
  uint64_t before = 0, most = 0;
  // What the longest warp of the block that has just ended has run, all its warps, and the longest warp of all blocks.
  simt::WarpWork longest_of_block, all_of_block, longest_warp;
  std::array<ClassSums, kStrata> strata;
  std::array<Contention, kStrata> contention;
  BlockLog log;
  std::vector<uint64_t> read, written;  // where all blocks count: different sectors
  // Counts that belong to no instruction (multiplied): of code in independent-thread mode, where all blocks count.
  ExactCounts reported_counts{};
};

// A block under way (exec::BlockRun::observed): host threads may have several, which take turns.
struct CountedBlock final : exec::ObservedBlock {
  CountedBlock(HostThread& thread, WarpAssembly assembly) : thread(thread), assembly(std::move(assembly)) {}

  HostThread& thread;
  WarpAssembly assembly;                     // independent-thread mode
  std::array<uint64_t, kMostWarps> warps{};  // what each warp of the block has run (simt::WarpWork)
};

class LaunchState {
 public:
  // How much of it is counted.
  struct Depth {
    uint64_t budget;  // accesses that the instrumentation reports
    uint64_t fewest;  // blocks of a sample
    bool exact;       // all blocks, whatever they cost
    bool lines;       // by source line, too
    bool brief;       // where one block takes more than the budget, fewer are compared with their neighbours
  };
  LaunchState(const KernelFacts& facts, const exec::KernelLaunch& launch, const CacheShape& caches, const Depth& depth);

  const KernelFacts& facts() const { return facts_; }
  CountedBlock& count_block();  // a new one, of the calling host thread
  bool counts(uint64_t block);
  void block_ended(CountedBlock& watch, exec::BlockRun& run);
  void pilot_ended();
  void note_failure() { failed_ = true; }
  void mark_thread(CountedBlock& watch, const exec::CountedThread& mark);
  // Everything that depends on what was counted.
  void fill_in(LaunchCounts& counts);

 private:
  struct Sectors {
    std::vector<uint64_t> read, written, kept;
    std::vector<std::pair<uint64_t, uint32_t>> first_at;  // in order
  };
  bool is_compared(uint64_t block) const;
  void finish_block(HostThread& thread, uint64_t block);
  HostThread& this_thread();
  uint64_t note_length(HostThread& thread, ClassSums& sums) const;
  void note_warps(CountedBlock& watch) const;
  IdleBlocks idle() const;
  void fill_in_lengths(LaunchCounts& counts, const IdleBlocks& idle) const;
  bool counts_of_rest(uint64_t block);
  uint64_t counted_in(unsigned stratum) const;
  double population(unsigned stratum) const;
  double weight_of(unsigned stratum) const;
  void estimate_errors(const ExactCounts& totals, LaunchCounts& counts) const;
  void add_caches(ExactCounts& totals) const;
  void add_waits(LaunchCounts& counts) const;
  std::vector<double> common_by_site() const;
  std::vector<std::optional<WaitedLoads>> found_at_sites(double missed) const;
  double most_that_meet() const;
  double common_far_apart(std::vector<uint64_t> Sectors::* which, std::optional<Grain> place = {}) const;
  std::vector<Return> returns(std::vector<uint64_t> Sectors::* which, std::optional<Grain> place) const;
  L1Sharing shared_in_l1() const;
  // In sectors, or in larger places.
  Footprint footprint(bool written, std::optional<Grain> place = {}) const;
  void add_scattered(ExactCounts& totals) const;

  const KernelFacts& facts_;
  const device::Dim3 grid_;
  const uint64_t warps_of_block_;
  const CacheShape caches_;
  const Depth depth_;
  std::vector<Neighbours> neighbours_;  // whose sectors are compared
  std::mutex mutex_;
  std::unordered_map<std::thread::id, std::unique_ptr<HostThread>> threads_;
  std::vector<std::unique_ptr<CountedBlock>> blocks_;
  std::map<uint64_t, Sectors> compared_;
  std::optional<uint64_t> pilot_;
  std::optional<SamplePlan> plan_;  // nothing: all blocks are counted
  bool sampled_ = false;            // from the first block on
  std::atomic<uint64_t> spent_ = 0;
  std::atomic<bool> cut_ = false;                                   // the plan is for the rest of the grid ...
  std::array<std::atomic<uint64_t>, SamplePlan::kClasses> rest_{};  // ... which has so many blocks
  std::atomic<bool> failed_ = false, split_ = false, in_pieces_ = false;
};

}  // namespace warpwise::perf
