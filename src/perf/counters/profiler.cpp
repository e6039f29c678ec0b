#include "perf/counters/profiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>
#include <vector>

#include "exec/launch/block_run.h"
#include "exec/memory/arena.h"
#include "perf/counters/chains.h"
#include "perf/counters/instruction_class.h"
#include "perf/counters/launch_state.h"
#include "perf/counters/records.h"
#include "perf/timing/model_constants.h"
#include "perf/timing/predict.h"
#include "perf/timing/transfer.h"

namespace warpwise::perf {

namespace {

// How much of a launch is counted. An access takes about 50 ns.
struct Counted {
  uint64_t accesses;        // before the launch is sampled
  uint64_t of_later;        // ... of a kernel that is launched again and again in one shape
  uint64_t fewest_samples;  // blocks; where they take more accesses than that, so many all the same
  unsigned with_lines;      // so many launches of a kernel in one shape are counted by line
};
constexpr Counted kUsual{400'000, 50'000, 32, 64}, kBrief{50'000, 2'000, 8, 8};
// So many launches of a kernel in one shape are counted in full: a program may launch it a hundred thousand times.
constexpr unsigned kLaunchesInFull = 8;
// For a verdict, so many are counted at all, and of those that follow one in eight. Multiples of the golden ratio
// choose them, so that a program with a rhythm of its own meets each of its beats.
constexpr unsigned kLaunchesForVerdict = 16;
bool is_drawn(uint64_t launch) { return launch * 0x9e3779b97f4a7c15 >> 61 == 0; }
// L1 keeps some of the combined memory, however much shared memory kernels request.
constexpr uint64_t kLeastL1 = 8 << 10;

class Profiler : public exec::ObserverClient,
                 public exec::LaunchObserver,
                 public exec::FaultObserver,
                 public exec::CountObserver,
                 public exec::TimeObserver,
                 public exec::ProgramObserver {
 public:
  Profiler(std::unique_ptr<RecordWriter> records, const ProfilerOptions& options, const device::Properties& device)
      : records_(std::move(records)), options_(options), device_(device) {}

  simt::Counting counting() const override { return simt::Counting::Sums; }
  bool counts_in_quick_tier() const override { return options_.brief; }

  void launch_begins(const exec::KernelLaunch& launch) override {
    auto& facts = facts_[launch.image];
    if (!facts) facts = std::make_unique<KernelFacts>(*launch.image);
    shape_ = &shapes_[{launch.image, launch.grid.x, launch.grid.y, launch.grid.z, launch.block.x, launch.block.y,
                       launch.block.z}];
    const unsigned before = shape_->launches++;
    counts_launch_ = !options_.brief || before < kLaunchesForVerdict || is_drawn(before);
    launch_begin_ns_ = began_ns_ + uint64_t(device_.machine.launch_ns) + nanoseconds_so_far();
    clock_is_modelled_ = !clocks_of(*launch.image).empty();
    const Counted& counted = options_.brief ? kBrief : kUsual;
    const LaunchState::Depth depth{.budget = before < kLaunchesInFull ? counted.accesses : counted.of_later,
                                   .fewest = counted.fewest_samples,
                                   .exact = options_.exact,
                                   .lines = before < counted.with_lines,
                                   .brief = options_.brief};
    current_ = std::make_unique<LaunchState>(*facts, launch, caches_of(launch), depth);
  }

  void block_memory(exec::BlockRun& run) override {
    CountedBlock& block = current_->count_block();
    run.observed = &block;
    run.context.counters = block.thread.cells_of(/*counts=*/true);
    run.context.warp_counters = reinterpret_cast<uint64_t>(block.warps.data());
  }

  void block_begins(exec::BlockRun& run) override {
    const simt::BlockContext& c = run.context;
    if (run.launch.kernel.is_independent()) block_of(run).assembly.begin(c.ntid[0] * c.ntid[1] * c.ntid[2]);
  }

  bool count_block(exec::BlockRun& run) override {
    const bool counts = counts_launch_ && current_->counts(run.block);
    if (run.launch.counting == &run.launch.kernel) run.context.counters = block_of(run).thread.cells_of(counts);
    if (counts) block_of(run).warps.fill(0);  // of blocks before it that the same code ran and that do not count
    return counts;
  }
  void block_ends(exec::BlockRun& run) override {
    if (counts_launch_) current_->block_ended(block_of(run), run);
  }
  void pilot_ended(const exec::KernelLaunch&) override { current_->pilot_ended(); }

  void counted_one(const exec::CountedAddress& access) override {
    if (access.mask == 0) return;
    HostThread& thread = block_of(access.run).thread;
    const InstructionFacts& facts = current_->facts().cells()[access.cell];
    if (facts.access_index == kNoAccess) return;
    if (facts.words == 1) {
      exec::CountedAddress told = access;
      told.what = as_priced(access.what, facts);
      thread.trace.at_site(facts.access_index);
      if (price_one(told, thread.cells.accesses[facts.access_index], thread.trace)) {
        ++thread.reported;
        return;
      }
    }
    CountObserver::counted_one(access);
  }

  void counted(const exec::CountedLanes& access) override {
    if (access.mask == 0) return;
    HostThread& thread = block_of(access.run).thread;
    const InstructionFacts& facts = current_->facts().cells()[access.cell];
    if (facts.access_index == kNoAccess) return;
    ++thread.reported;
    thread.trace.at_site(facts.access_index);
    auto& sums = thread.cells.accesses[facts.access_index];
    exec::CountedLanes wide = access;
    wide.what = as_priced(access.what, facts);
    if (facts.words == 1) return price(wide, facts.atomic, sums, thread.trace);
    // One of several loads that ptxas merges: the first has the cost of the wide load, the others cost nothing.
    wide.what.bytes = static_cast<decltype(wide.what.bytes)>(wide.what.bytes * std::max<unsigned>(facts.words, 1));
    AccessSums<uint64_t>& shared = sums[size_t(Reached::Shared)];
    const uint64_t cost = shared.cost, ideal = shared.ideal, bytes = shared.bytes;
    price(wide, {}, sums, thread.trace);
    if (facts.words == 0) shared.cost = cost, shared.ideal = ideal, shared.bytes = bytes;
  }

  void counted(const exec::CountedThread& mark) override { current_->mark_thread(block_of(mark.run), mark); }
  void faulted(const exec::KernelLaunch&, const exec::KernelFault&) override { current_->note_failure(); }

  void launch_ends(const exec::KernelLaunch& launch) override {
    if (counts_launch_) {
      const LaunchCounts counts = counts_of(launch);
      const std::optional<Prediction> prediction = predict(counts, device_);
      shape_->counted = {counts.index,
                         prediction ? uint64_t(prediction->seconds * 1e9) : uint64_t(device_.machine.launch_ns)};
      ended_launches_.push_back(shape_->counted);
      records_->write(counts);
    } else {
      ended_launches_.push_back({launches_++, shape_->counted.nanoseconds});
      records_->write_again(shape_->counted.index, ended_launches_.back().index);
    }
    current_.reset();
  }

  void bulk_copied(exec::BlockRun& run, const exec::BulkTraffic& traffic) override {
    using Kind = exec::BulkTraffic::Kind;
    BlockTrace& trace = block_of(run).thread.trace;
    uint64_t bytes = 0;
    std::vector<uint64_t> sectors;
    for (const auto& row : traffic.rows) {
      for (uint64_t sector = row.address / 32; sector * 32 < row.address + row.bytes; ++sector)
        sectors.push_back(sector);
      bytes += row.bytes;
    }
    keep_different(sectors);
    const Traffic kind = traffic.kind == Kind::Load    ? Traffic::BulkLoad
                         : traffic.kind == Kind::Store ? Traffic::Store
                                                       : Traffic::Reduction;
    trace.at_site(kNoSite);
    trace.add(0, kind, sectors.data(), unsigned(sectors.size()));
    trace.copied(traffic.kind != Kind::Load, bytes * traffic.targets);
  }

  void multiplied(exec::BlockRun& run, numerics::Element element, uint64_t operations) override {
    ExactCounts& counts = block_of(run).thread.reported_counts;
    for (Counter c : {tensor_counter(element), Counter::TensorWgmmaOps}) counts[size_t(c)] += double(operations);
  }

  // --- time: while a program is profiled, events and clocks return modelled times
  void begins_at(uint64_t nanoseconds) override { began_ns_ = nanoseconds; }

  // Only for kernels that read the clock: the variable costs a little. A called function that reads the clock has no
  // access to the variable of its kernel.
  simt::ModelledClocks clocks_of(const exec::KernelImage& image) override {
    const ptx::Module& module = *image.module;
    simt::ModelledClocks clocks;
    bool asks = false;
    for (size_t f = 0; f < module.functions.size(); ++f) {
      const auto& instructions = module.functions[f].instructions;
      if (!image.layout.reachable[f] || !std::any_of(instructions.begin(), instructions.end(), reads_clock)) continue;
      asks = true;
      if (f != image.kernel) {
        say_once(functions_said_, "a called function reads the clock: it gets the host's time, not the modelled one");
        return {};
      }
    }
    if (!asks) return {};
    say_modelled();
    clocks.khz = uint64_t(device_.core_clock_khz);
    clocks.before.resize(module.functions.size());
    const ptx::Function& kernel = image.function();
    clocks.before[image.kernel] = clocks_before(kernel, simt::block_starts(kernel), device_.machine);
    return clocks;
  }
  std::optional<uint64_t> modelled_begin(const exec::KernelLaunch&) const override {
    return clock_is_modelled_ ? std::optional(launch_begin_ns_) : std::nullopt;
  }
  exec::HostCosts host_costs() const override { return {kSubmitNs, kWakeNs}; }

  // A command has run: one of a stream, or a node of a graph, whose nodes take their time one after the other. A
  // kernel that launched others ends with them.
  void ran(const device::Command& command, uint64_t, uint64_t) override {
    for (const EndedLaunch& launch : std::exchange(ended_launches_, {})) {
      HostEvent event;
      event.launch = launch.index;
      have_run_.push_back({std::move(event), launch.nanoseconds});
    }
    std::optional<HostEvent> event = event_of(command);
    if (!event) return;
    const uint64_t nanoseconds = uint64_t(transfer_seconds(*event, device_) * 1e9);
    have_run_.push_back({std::move(*event), nanoseconds});
  }
  uint64_t nanoseconds_of(const device::Command&) override { return nanoseconds_so_far(); }
  void placed(const device::Command&, const exec::CommandPlace& place) override {
    uint64_t time = place.begin;
    for (HasRun& r : std::exchange(have_run_, {})) {
      r.event.number = place.number, r.event.stream = place.stream, r.event.thread = place.thread,
      r.event.begin_ns = place.submitted;
      r.event.device_begin_ns = time;
      r.event.device_end_ns = time += r.nanoseconds;
      records_->write(r.event);
    }
  }

  // --- the program itself. Consecutive calls that only query (cudaEventQuery in a loop) are one event.
  void called(const exec::HostSpan& span) override {
    if (span.name.ends_with("EventElapsedTime")) say_modelled();
    const HostEvent call = event_of(HostEvent::Kind::Call, span);
    std::lock_guard lock(calls_mutex_);
    HostEvent& last = last_calls_[span.thread];
    const bool asks = call.last_number < call.number && call.waited_ns == 0;
    if (asks && last.name == call.name && last.last_number < last.number && last.waited_ns == 0) {
      last.end_ns = call.end_ns, ++last.times;
      return;
    }
    if (!last.name.empty()) records_->write(last);
    last = call;
  }
  void named(const exec::HostSpan& span) override { records_->write(event_of(HostEvent::Kind::Range, span)); }

  // A copy by an address of the host's own is pageable; pinned and managed memory is the arena's.
  void begin(exec::Arena& arena) override { arena_ = &arena; }

  void program_ends() override {
    {
      std::lock_guard lock(calls_mutex_);
      for (const auto& [thread, call] : std::exchange(last_calls_, {})) records_->write(call);
    }
    records_->finish();
  }

 private:
  static HostEvent event_of(HostEvent::Kind kind, const exec::HostSpan& span) {
    HostEvent event;
    event.kind = kind, event.name = span.name, event.thread = span.thread;
    event.number = span.first, event.last_number = span.last;
    event.begin_ns = span.begin, event.end_ns = span.end, event.waited_ns = span.waited;
    return event;
  }

  // What is kept of a copy or a fill; nothing for other commands.
  std::optional<HostEvent> event_of(const device::Command& command) const {
    HostEvent event;
    auto moves = [&](HostEvent::Kind kind, const device::CopyShape& shape, const void* host = nullptr) {
      event.kind = kind, event.bytes = shape.width * shape.height * shape.depth;
      event.pinned = host && arena_ && arena_->find(reinterpret_cast<device::Address>(host));
    };
    if (auto* c = std::get_if<device::CopyToDevice>(&command))
      moves(HostEvent::Kind::CopyToDevice, c->shape, c->src);
    else if (auto* f = std::get_if<device::CopyFromDevice>(&command))
      moves(HostEvent::Kind::CopyToHost, f->shape, f->dst);
    else if (auto* d = std::get_if<device::CopyOnDevice>(&command))
      moves(HostEvent::Kind::CopyOnDevice, d->shape);
    else if (auto* fill = std::get_if<device::Fill>(&command))
      event.kind = HostEvent::Kind::Fill, event.bytes = fill->width * fill->height;
    else
      return std::nullopt;
    return event;
  }

  // What has run of the command that runs.
  uint64_t nanoseconds_so_far() const {
    uint64_t sum = 0;
    for (const HasRun& r : have_run_) sum += r.nanoseconds;
    for (const EndedLaunch& l : ended_launches_) sum += l.nanoseconds;
    return sum;
  }
  static void say_once(std::atomic<bool>& said, std::string_view text) {
    if (!said.exchange(true)) fmt::print(stderr, "warpwise: {}\n", text);
  }
  void say_modelled() {
    say_once(modelled_said_, fmt::format("times that the program asks for are modelled: those of a {}", device_.name));
  }

  simt::CountedAccess as_priced(simt::CountedAccess reported, const InstructionFacts& facts) const {
    simt::CountedAccess what = facts.as_counted(reported);
    what.past_l1 |= facts.plain_load && loads_pass_l1_;
    return what;
  }

  static CountedBlock& block_of(const exec::BlockRun& run) { return *static_cast<CountedBlock*>(run.observed); }

  CacheShape caches_of(const exec::KernelLaunch& launch) const {
    const uint64_t on_sm = std::max<uint64_t>(1, launch.resident_blocks / device_.sm_count);
    const uint64_t shared = launch.image->layout.static_shared_bytes + launch.dynamic_shared_bytes +
                            device_.reserved_shared_per_block_bytes;
    const uint64_t unified = uint64_t(device_.machine.l1_kib) << 10;
    // Before 7.0 they are two memories.
    const uint64_t taken = device_.major < 7 ? device_.shared_per_sm_bytes : on_sm * shared;
    const uint64_t l1 = std::max(kLeastL1, unified - std::min(unified, taken));
    // A grid that leaves multiprocessors empty shares the others' caches with fewer blocks.
    const uint64_t here =
        std::clamp<uint64_t>((launch.grid.count() + device_.sm_count - 1) / device_.sm_count, 1, on_sm);
    return {l1 / here,
            here,
            device_.l2_bytes,
            l2_parts(device_),
            std::min(launch.resident_blocks, launch.grid.count()),
            device_.major >= 8,
            arena_};
  }

  LaunchCounts counts_of(const exec::KernelLaunch& launch) {
    const KernelFacts& facts = *facts_[launch.image];
    LaunchCounts counts;
    counts.index = launches_++;
    counts.kernel = facts.name();
    counts.symbol = launch.image->function().name;
    counts.grid = launch.grid, counts.block = launch.block, counts.cluster = launch.cluster;
    counts.registers = facts.registers();
    counts.static_shared_bytes = launch.image->layout.static_shared_bytes;
    counts.dynamic_shared_bytes = launch.dynamic_shared_bytes;
    counts.local_bytes = launch.image->layout.local_bytes;
    counts.barriers_used = facts.barriers_used();
    counts.cooperative = launch.cooperative;
    counts.blocks = launch.grid.count();
    current_->fill_in(counts);
    return counts;
  }

  using ShapeKey = std::tuple<const exec::KernelImage*, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t>;
  struct EndedLaunch {
    uint64_t index, nanoseconds;
  };
  struct Shape {
    unsigned launches = 0;
    EndedLaunch counted{};  // the last one
  };

  std::unique_ptr<RecordWriter> records_;
  const ProfilerOptions options_;
  const device::Properties& device_;
  // Compute capability 6.1, but for what ptxas is told (-dlcm=ca): L1 keeps only read-only data (CUDA C++
  // Programming Guide of CUDA 12, "Compute Capability 5.x", "Global Memory", which 6.x refers to; GP100 differs: Pascal
  // Tuning Guide, 1.4.2.1).
  const bool loads_pass_l1_ = device_.major == 6 && device_.minor == 1;
  std::map<const exec::KernelImage*, std::unique_ptr<KernelFacts>> facts_;
  std::map<ShapeKey, Shape> shapes_;
  std::unique_ptr<LaunchState> current_;
  Shape* shape_ = nullptr;      // of the launch that runs
  bool counts_launch_ = false;  // likewise
  uint64_t launches_ = 0;
  std::vector<EndedLaunch> ended_launches_;  // of the command that runs
  struct HasRun {
    HostEvent event;
    uint64_t nanoseconds;
  };
  std::vector<HasRun> have_run_;                 // whose place in the device's time is not known yet
  uint64_t began_ns_ = 0, launch_begin_ns_ = 0;  // of the command and the launch that run
  bool clock_is_modelled_ = false;               // in the launch that runs
  std::atomic<bool> modelled_said_ = false, functions_said_ = false;
  std::mutex calls_mutex_;
  std::map<unsigned, HostEvent> last_calls_;  // of each thread
  exec::Arena* arena_ = nullptr;
};

}  // namespace

Result<std::unique_ptr<exec::ObserverClient>> make_profiler(const ProfilerOptions& options,
                                                            const device::Properties& device) {
  std::unique_ptr<exec::ObserverClient> profiler =
      std::make_unique<Profiler>(TRY(RecordWriter::open(options.records, device)), options, device);
  return profiler;
}

}  // namespace warpwise::perf
