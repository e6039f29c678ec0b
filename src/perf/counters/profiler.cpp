#include "perf/counters/profiler.h"

#include <atomic>
#include <bit>
#include <cmath>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <tuple>
#include <unordered_map>

#include "base/demangled.h"
#include "exec/block_run.h"
#include "exec/memory/arena.h"
#include "exec/register_estimate.h"
#include "perf/counters/access_cost.h"
#include "perf/counters/records.h"
#include "perf/counters/sampling.h"
#include "perf/counters/sums.h"

namespace warpwise::perf {

using simt::CountedKind;
using simt::CountedSpace;

namespace {

// Accesses of a launch that are looked at before it is sampled. One takes about 50 ns.
constexpr uint64_t kBudget = 400'000;
// A kernel that is launched again and again is looked at less closely.
constexpr uint64_t kLeastBudget = 50'000;
constexpr unsigned kLaunchesInFull = 8;
// What a block costs besides its accesses, in accesses.
constexpr uint64_t kPerBlock = 16;
constexpr uint64_t kMostSamples = 1024, kFewestSamples = 32;

// What the blocks of one host thread have counted.
struct HostThread {
  explicit HostThread(const KernelFacts& facts) : cells(facts) {}

  CellSums<uint64_t> cells;     // since the last flush
  CellSums<double> weighted;    // of sampled blocks
  uint64_t told = 0;            // accesses that were looked at
  uint64_t blocks = 0;
  struct Moments {
    uint64_t blocks = 0;
    ExactCounts sum{}, squares{};
  };
  std::array<Moments, SamplePlan::kClasses> classes{};
};

struct Launch {
  Launch(const KernelFacts& facts, uint64_t budget) : facts(facts), budget(budget) {}

  const KernelFacts& facts;
  const uint64_t budget;
  std::mutex mutex;
  std::unordered_map<std::thread::id, std::unique_ptr<HostThread>> threads;
  std::optional<uint64_t> pilot;       // the block that ran first
  std::optional<SamplePlan> plan;      // nothing: all blocks are counted
  bool failed = false;
  std::atomic<bool> by_thread = false;  // split mode
};

class Profiler : public exec::Observer {
 public:
  Profiler(std::unique_ptr<RecordWriter> records, const ProfilerOptions& options) : records_(std::move(records)), options_(options) {}

  simt::Counting counting() const override { return simt::Counting::Sums; }

  void launch_begins(const exec::KernelLaunch& launch) override {
    auto& facts = facts_[launch.image];
    if (!facts) facts = std::make_unique<KernelFacts>(*launch.image);
    auto& launches = launches_of_[{launch.image, launch.grid.x, launch.grid.y, launch.grid.z, launch.block.x, launch.block.y, launch.block.z}];
    const uint64_t budget = launches++ < kLaunchesInFull ? kBudget : kLeastBudget;
    current_ = std::make_unique<Launch>(*facts, budget);
  }

  void block_memory(exec::BlockRun& run) override {
    std::lock_guard lock(current_->mutex);
    auto& thread = current_->threads[std::this_thread::get_id()];
    if (!thread) thread = std::make_unique<HostThread>(current_->facts);
    run.watched = thread.get();
    run.context.counters = reinterpret_cast<uint64_t>(thread->cells.words.data());
  }

  bool count_block(exec::BlockRun& run) override {
    if (!current_->pilot) {
      current_->pilot = run.block;
      return true;
    }
    return !current_->plan || current_->plan->weight(run.block) != 0;
  }

  void block_ends(exec::BlockRun& run) override {
    HostThread& thread = thread_of(run);
    ++thread.blocks;
    if (current_->plan) flush(thread, run.block);
  }

  void pilot_ended(const exec::KernelLaunch& launch) override {
    if (options_.exact || !current_->pilot) return;
    HostThread& thread = *current_->threads.begin()->second;
    const uint64_t blocks = launch.grid.count();
    const uint64_t cost = thread.told + kPerBlock;
    if (blocks * cost <= current_->budget) return;
    const uint64_t bookkeeping = current_->facts.cells().size() / 4;
    const uint64_t samples = std::clamp(current_->budget / (cost + bookkeeping), kFewestSamples, kMostSamples);
    if (samples >= blocks) return;
    current_->plan.emplace(launch.grid, *current_->pilot, samples);
    flush(thread, *current_->pilot);
  }

  void counted(const exec::CountedLanes& access) override {
    if (access.mask == 0) return;
    HostThread& thread = thread_of(access.run);
    const InstructionFacts& facts = current_->facts.cells()[access.cell];
    if (facts.access_index == kNoAccess) return;
    ++thread.told;
    price(access, thread.cells.accesses[facts.access_index]);
  }

  void counted(const exec::CountedThread&) override { current_->by_thread = true; }

  void faulted(const exec::KernelLaunch&, const exec::KernelFault&) override { current_->failed = true; }

  void launch_ends(const exec::KernelLaunch& launch) override {
    records_->write(counts_of(launch));
    current_.reset();
  }

  void program_ends() override { records_->finish(); }

 private:
  static HostThread& thread_of(const exec::BlockRun& run) { return *static_cast<HostThread*>(run.watched); }

  // A sampled block has ended: its counts stand for those of its like.
  void flush(HostThread& thread, uint64_t block) {
    const KernelFacts& facts = current_->facts;
    if (thread.weighted.words.empty()) thread.weighted = CellSums<double>(facts);
    thread.weighted.add(thread.cells, current_->plan->weight(block));
    HostThread::Moments& moments = thread.classes[current_->plan->class_of(block)];
    const ExactCounts counts = totals_of(facts, thread.cells);
    ++moments.blocks;
    for (unsigned c = 0; c < kCounters; ++c) moments.sum[c] += counts[c], moments.squares[c] += counts[c] * counts[c];
    thread.cells.clear();
  }

  // The memory behind a generic address, and the address within it.
  static Reached resolve(const exec::BlockRun& run, uint64_t address, uint64_t* offset) {
    const simt::BlockContext& c = run.context;
    const uint64_t shared = address - (c.shared - simt::kAliasOffset), local = address - (c.local - simt::kAliasOffset);
    const uint64_t threads = uint64_t{c.ntid[0]} * c.ntid[1] * c.ntid[2];
    if (shared < c.total_shared_bytes) {
      *offset = shared;
      return Reached::Shared;
    }
    if (c.local_stride != 0 && local < threads * c.local_stride) {
      *offset = local % c.local_stride;
      return Reached::Local;
    }
    *offset = address;
    return Reached::Global;
  }

  void price(const exec::CountedLanes& access, std::array<AccessSums<uint64_t>, kReached>& sums) {
    const simt::CountedAccess what = access.what;
    if (what.kind == CountedKind::Bulk) return price_bulk(access, sums[size_t(Reached::Global)]);
    if (what.kind == CountedKind::Switch) {
      const uint64_t first = access.addresses[std::countr_zero(access.mask)];
      bool parted = false;
      for (uint32_t left = access.mask; left != 0; left &= left - 1) parted = parted || access.addresses[std::countr_zero(left)] != first;
      sums[0].extra += parted;
      return;
    }
    const LaneAccess lanes{access.mask, access.addresses, what.bytes};
    switch (what.space) {
      case CountedSpace::Global: case CountedSpace::Const: return price_in(Reached::Global, what, lanes, sums);
      case CountedSpace::Shared: return price_in(Reached::Shared, what, lanes, sums);
      case CountedSpace::Local: return price_in(Reached::Local, what, lanes, sums);
      case CountedSpace::Generic: break;
    }
    // Lanes may be in different memories: each is a request of its own.
    uint64_t offsets[kReached][kWarpLanes];
    uint32_t masks[kReached] = {};
    for (uint32_t left = access.mask; left != 0; left &= left - 1) {
      const unsigned lane = unsigned(std::countr_zero(left));
      uint64_t offset;
      const Reached where = resolve(access.run, access.addresses[lane], &offset);
      offsets[size_t(where)][lane] = offset;
      masks[size_t(where)] |= 1u << lane;
    }
    for (unsigned r = 0; r < kReached; ++r)
      if (masks[r] != 0) price_in(Reached(r), what, {masks[r], offsets[r], what.bytes}, sums);
  }

  static void price_bulk(const exec::CountedLanes& access, AccessSums<uint64_t>& sum) {
    ++sum.requests;
    sum.lanes += unsigned(std::popcount(access.mask));
    for (uint32_t left = access.mask; left != 0; left &= left - 1) sum.cost += access.addresses[std::countr_zero(left)];
  }

  static void price_in(Reached where, simt::CountedAccess what, const LaneAccess& lanes, std::array<AccessSums<uint64_t>, kReached>& sums) {
    AccessSums<uint64_t>& sum = sums[size_t(where)];
    const bool atomic = what.kind == CountedKind::Atomic || what.kind == CountedKind::Reduction;
    const bool rows = what.kind == CountedKind::LoadRows || what.kind == CountedKind::StoreRows;
    ++sum.requests;
    sum.lanes += rows ? unsigned(std::popcount(lanes.mask & (what.rows >= kWarpLanes ? ~0u : (1u << what.rows) - 1))) : unsigned(std::popcount(lanes.mask));
    if (atomic) sum.extra += collisions(lanes);
    if (what.space == CountedSpace::Const) {
      sum.cost += different_words(lanes);
    } else if (where == Reached::Shared) {
      const SharedCost cost = rows ? matrix_cost(lanes, what.rows) : atomic ? shared_atomic_cost(lanes) : shared_cost(lanes);
      sum.cost += cost.wavefronts, sum.ideal += cost.ideal;
    } else {
      const MemoryCost cost = where == Reached::Local ? local_cost(lanes) : global_cost(lanes);
      sum.cost += cost.sectors, sum.ideal += cost.ideal;
    }
  }

  LaunchCounts counts_of(const exec::KernelLaunch& launch) {
    const KernelFacts& facts = current_->facts;
    const ptx::Function& function = launch.image->function();
    LaunchCounts counts;
    counts.index = launches_++;
    counts.kernel = demangled(function.name);
    counts.symbol = function.name;
    counts.grid = launch.grid, counts.block = launch.block, counts.cluster = launch.cluster;
    counts.registers = exec::estimate_registers(function);
    counts.static_shared_bytes = launch.image->layout.static_shared_bytes;
    counts.dynamic_shared_bytes = launch.dynamic_shared_bytes;
    counts.local_bytes = launch.image->layout.local_bytes;
    counts.barriers_used = facts.barriers_used();
    counts.cooperative = launch.cooperative;
    counts.failed = current_->failed;
    counts.blocks = launch.grid.count();
    if (current_->by_thread) counts.notes.push_back("its threads run one by one, which is not counted yet: `warpwise run -v` says why");

    CellSums<double> sums(facts);
    for (const auto& [id, thread] : current_->threads) {
      counts.counted_blocks += thread->blocks;
      if (!current_->plan) sums.add(thread->cells);
      else if (!thread->weighted.words.empty()) sums.add(thread->weighted);
    }
    const ExactCounts totals = totals_of(facts, sums);
    counts.totals = rounded(totals);
    if (current_->plan) estimate_errors(totals, counts);

    std::vector<ExactCounts> lines = lines_of(facts, sums);
    for (size_t line = 0; line < lines.size(); ++line) {
      LineCounts entry{facts.lines()[line], rounded(lines[line])};
      if (entry.counts != Counts{}) counts.lines.push_back(std::move(entry));
    }
    std::stable_sort(counts.lines.begin(), counts.lines.end(), [](const LineCounts& a, const LineCounts& b) {
      return a.counts[Counter::Instructions] > b.counts[Counter::Instructions];
    });
    return counts;
  }

  // Stratified sampling (Cochran, Sampling Techniques, 5.6): the variance of a total is the sum over classes of
  // N² (1 - n/N) s² / n.
  void estimate_errors(const ExactCounts& totals, LaunchCounts& counts) const {
    constexpr double kNormal95 = 1.96;
    for (unsigned c = 0; c < kCounters; ++c) {
      double variance = 0;
      for (unsigned cls = 0; cls < SamplePlan::kClasses; ++cls) {
        double n = 0, sum = 0, squares = 0;
        for (const auto& [id, thread] : current_->threads)
          n += double(thread->classes[cls].blocks), sum += thread->classes[cls].sum[c], squares += thread->classes[cls].squares[c];
        if (n < 2) continue;
        const double all = double(current_->plan->blocks(cls));
        const double spread = std::max(0.0, (squares - sum * sum / n) / (n - 1));
        variance += all * all * (1 - n / all) * spread / n;
      }
      if (totals[c] > 0) counts.error[c] = float(kNormal95 * std::sqrt(variance) / totals[c]);
    }
  }

  using Shape = std::tuple<const exec::KernelImage*, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t>;

  std::unique_ptr<RecordWriter> records_;
  const ProfilerOptions options_;
  std::map<const exec::KernelImage*, std::unique_ptr<KernelFacts>> facts_;
  std::map<Shape, unsigned> launches_of_;
  std::unique_ptr<Launch> current_;
  uint64_t launches_ = 0;
};

}  // namespace

Result<std::shared_ptr<exec::Observer>> make_profiler(const ProfilerOptions& options, const device::Properties& device) {
  auto records = TRY(RecordWriter::open(options.records, device));
  return std::shared_ptr<exec::Observer>(std::make_shared<Profiler>(std::move(records), options));
}

}  // namespace warpwise::perf
