#include "exec/loading/jit_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

#include "base/demangled.h"
#include "base/usable_processors.h"
#include "exec/loading/end_of_process.h"
#include "exec/loading/launch_ranges.h"
#include "exec/loading/slow_compile.h"
#include "exec/memory/arena.h"
#include "exec/observer.h"

namespace warpwise::exec {

using device::Failure;
using device::Status;

namespace {

// Kernel parameters: 4 KiB, 32,764 bytes since sm_70 (PTX ISA 4.4.1).
constexpr size_t kParameterBytes = 32 << 10;
static_assert(simt::kGridWorkspaceParameter == kParameterBytes);

// Nanoseconds. A checked kernel that has run for so long is worth optimising: that takes up to a second (several
// without AVX-512), and gains up to a third of what is left.
constexpr uint64_t kHot = 1'000'000'000;
// Behind quick code, better code takes 2 (balanced) to 6 times as long to compile, and gains half of what is left. As
// most kernels that have run so far run on, and a processor is often free, it is wanted when quick code has run for as
// long as its compilation took. The least is for code that was not compiled but loaded.
constexpr uint64_t kLeastInQuick = 20'000'000;
// Code beside code that counts, which has fewer instructions, is worth optimising when it has run for so long.
constexpr uint64_t kHotBesideCounts = 200'000'000;

unsigned host_threads(const Options& options) { return options.threads ? options.threads : usable_processors(); }

simt::Mode mode_of(ModeChoice choice) {
  switch (choice) {
    case ModeChoice::Simt:
      return simt::Mode::Simt;
    case ModeChoice::Warps:
      return simt::Mode::Warps;
    case ModeChoice::Independent:
      return simt::Mode::Independent;
    case ModeChoice::Automatic:
      break;
  }
  return simt::Mode::Automatic;
}

// Whether the linear index of every thread in each dimension fits in 31 bits.
bool is_small(const KernelLaunch& launch) {
  constexpr uint64_t kLimit = uint64_t{1} << 31;
  return uint64_t{launch.grid.x} * launch.block.x < kLimit && uint64_t{launch.grid.y} * launch.block.y < kLimit &&
         uint64_t{launch.grid.z} * launch.block.z < kLimit;
}

}  // namespace

Status status_of(const Error& error) {
  Failure failure = Failure::InvalidPtx;
  if (error.code.starts_with("P09") || error.code == "R0406")
    failure = Failure::NotSupported;
  else if (error.code == "R0101" || error.code == "R0402" || error.code == "R0403")
    failure = Failure::OutOfMemory;
  return {failure, fmt::format("{}: {}", error.code, error.message)};
}

JitEngine::JitEngine(const Machine& machine, CompilerSource compiler, std::shared_ptr<CodeCache> cache)
    : machine_(machine),
      source_(std::move(compiler)),
      cache_(std::move(cache)),
      scheduler_(machine_, host_threads(machine.options)),
      compile_threads_(std::max(usable_processors(), 2u)) {
  enter_fault_handling();
}

JitEngine::~JitEngine() {
  if (parameters_) machine_.arena->free(parameters_);
}

JitEngine::Key JitEngine::key_of(const KernelLaunch& launch, const Wanted& wanted) const {
  const uint64_t values =
      wanted.count == simt::Counting::Steps ? machine_.observer->values_of(*launch.image).hash() : uint64_t{0};
  return {launch.image,       launch.block.x, launch.block.y, launch.block.z,    is_small(launch),
          launch.stack_bytes, wanted.count,   values,         wanted.may_assume, wanted.tier};
}

simt::CompileOptions JitEngine::options_for(const KernelLaunch& launch, const Wanted& wanted) const {
  const Options& wishes = machine_.options;
  simt::CompileOptions options;
  options.mode = mode_of(wishes.mode);
  options.tier = wanted.tier;
  options.all_passes = wishes.all_passes;
  options.block = {launch.block.x, launch.block.y, launch.block.z};
  options.small_grid = is_small(launch);
  options.stack_bytes = launch.stack_bytes;
  options.watch = machine_.observer ? machine_.observer->watch() : 0;
  options.count = wanted.count;
  if (wanted.count == simt::Counting::Steps) options.values = machine_.observer->values_of(*launch.image);
  options.unordered = wishes.schedule.shuffle ? simt::Unordered::AsScheduled : simt::Unordered::HardwareLike;
  options.may_assume = wanted.may_assume;
  if (TimeObserver* time = machine_.observer ? machine_.observer->time() : nullptr)
    options.clocks = time->clocks_of(*launch.image);
  options.off = wishes.off;
  options.cpu = wishes.cpu;
  options.dump_after = wishes.dump;
  options.time_passes = wishes.time_passes;
  options.on_dump = machine_.dump;
  if (!options.on_dump)
    options.on_dump = [](std::string_view pass, std::string_view text) {
      fmt::print(stderr, "; after {}\n{}\n", pass, text);
    };
  return options;
}

std::string JitEngine::cache_key(const KernelLaunch& launch, const simt::CompileOptions& options) const {
  std::string key = fmt::format(
      "kernel {} abi {} module {} name {} block {}x{}x{} small {} stack {} watch {} unordered {} distinct {} ranges "
      "{} aligned {} "
      "count {} mode {} tier {}{} off {} "
      "cpu {}",
      source_.identity, simt::kAbiVersion, launch.image->module_key, launch.image->function().name, launch.block.x,
      launch.block.y, launch.block.z, options.small_grid, options.stack_bytes, options.watch,
      static_cast<int>(options.unordered), options.may_assume.distinct_pointers, options.may_assume.ranges,
      options.may_assume.alignments, static_cast<int>(options.count), static_cast<int>(options.mode),
      static_cast<int>(options.tier), options.all_passes ? " all" : "", fmt::join(options.off, ","), options.cpu);
  if (!options.values.of.empty()) key += fmt::format(" values {:x}", options.values.hash());
  if (!options.clocks.empty()) key += fmt::format(" clocks {:x}", options.clocks.hash());
  return key;
}

namespace {

// A kernel to compile, with all that this needs: the engine and the module may go away meanwhile.
struct CompileJob {
  CompilerSource source;
  std::shared_ptr<const ptx::Module> module;
  uint32_t kernel;
  simt::CompileOptions options;
  std::shared_ptr<CodeCache> cache;  // null: none
  std::string key;
  unsigned begun_after = ends_of_process();

  Result<simt::CompiledKernel> run() {
    simt::CompiledKernel compiled = TRY(compile());
    if (cache) cache->store(key, to_bytes(compiled));
    return compiled;
  }

 private:
  Result<simt::CompiledKernel> compile() {
    InCompiler here(begun_after);
    if (!here.may_go_on()) return Error{"R0406", "the compiler is not loaded any more: the process is ending"};
    simt::Compiler* compiler = TRY(source.open());
    here.has_opened();
    auto made = compiler->compile(*module, kernel, options);
    if (made.ok() || made.error().code != "X0002" || options.mode != simt::Mode::Automatic) return made;
    // LLVM fails on some vector code; independent-thread mode has none.
    options.mode = simt::Mode::Independent;
    fmt::print(stderr, "warpwise: `{}` runs thread by thread, which is slower: {}: {}\n",
               module->functions[kernel].name, made.error().code, made.error().message);
    return compiler->compile(*module, kernel, options);
  }
};

std::unique_ptr<LoadedKernel> load_from(CodeCache& cache, const std::string& key) {
  auto bytes = cache.load(key);
  if (!bytes) return nullptr;
  auto kernel = kernel_from_bytes(*bytes);
  if (!kernel.ok()) return nullptr;
  auto loaded = LoadedKernel::load(std::move(kernel).value());
  return loaded.ok() ? std::move(loaded).value() : nullptr;
}

}  // namespace

// Code for the usual schedule may serve a shuffled one as well.
std::unique_ptr<LoadedKernel> JitEngine::load_from_cache(const KernelLaunch& launch,
                                                         simt::CompileOptions options) const {
  auto kernel = load_from(*cache_, cache_key(launch, options));
  if (kernel || options.unordered != simt::Unordered::AsScheduled) return kernel;
  options.unordered = simt::Unordered::HardwareLike;
  kernel = load_from(*cache_, cache_key(launch, options));
  return kernel && kernel->about().any_order ? std::move(kernel) : nullptr;
}

Result<void> JitEngine::load_or_compile(const KernelLaunch& launch, const Wanted& wanted, Version& version,
                                        IfAbsent if_absent) {
  if (!version.compilation) {
    if (if_absent == IfAbsent::LeaveIt && !version.is_in_cache) return {};
    CompileJob job{source_, launch.image->module, launch.image->kernel, options_for(launch, wanted), {}, {}};
    // A dump of passes needs passes that run: the cache would skip them.
    if (cache_ && machine_.options.dump.empty() && !machine_.options.time_passes) {
      job.cache = cache_;
      job.key = cache_key(launch, job.options);
      if (version.is_in_cache) version.kernel = load_from_cache(launch, job.options);
    }
    version.is_in_cache = version.kernel != nullptr;
    if (!version.kernel && if_absent == IfAbsent::Compile) {
      stop_compilers_at_exit();
      version.compilation = compile_threads_.begin([job = std::move(job)]() mutable { return job.run(); });
    }
  } else if (version.compilation->is_done()) {
    const std::shared_ptr<Compilation> compilation = std::exchange(version.compilation, nullptr);
    version.kernel = TRY(LoadedKernel::load(TRY(compilation->take())));
    version.kernel->nanoseconds_to_compile = compilation->nanoseconds();
  }
  if (version.kernel) version.kernel->tier = wanted.tier;
  // Such kernels run many times slower. --verbose says why.
  if (version.kernel && machine_.options.verbosity >= 1 && version.kernel->is_independent())
    fmt::print(stderr, "warpwise: `{}` runs {}: {}\n", launch.image->function().name,
               version.kernel->about().mode == simt::Mode::Warps ? "warp by warp" : "thread by thread",
               version.kernel->about().why_independent);
  return {};
}

Result<JitEngine::Version*> JitEngine::version_for(const KernelLaunch& launch, Wanted wanted, IfAbsent if_absent) {
  simt::MayAssume& may_assume = wanted.may_assume;
  for (;;) {
    const auto found = kernels_.try_emplace(key_of(launch, wanted)).first;
    Version& version = found->second;
    if (!version.kernel) {
      if (auto made = load_or_compile(launch, wanted, version, if_absent); !made.ok()) {
        kernels_.erase(found);
        return made.error();
      }
      if (!version.kernel) return version.compilation ? &version : nullptr;
    }
    const simt::LaunchAssumptions& assumed = version.kernel->about().assumed;
    if (!in_ranges(assumed.ranges, launch))
      may_assume.ranges = false;
    else if (!are_aligned(assumed.alignments, launch))
      may_assume.alignments = false;
    else if (!version.pointers.ask(*machine_.arena, launch.parameters, assumed.distinct_pointers))
      may_assume.distinct_pointers = false;
    else
      return &version;
  }
}

bool JitEngine::is_large(const KernelImage& image) {
  constexpr size_t kMuchCode = 500;  // instructions of PTX: 0.1 s of LLVM's time, 0.03 s in the quick tier
  const std::vector<bool>& reachable = image.layout.reachable;
  size_t code = 0;
  for (size_t f = 0; f < reachable.size(); ++f)
    if (reachable[f]) code += image.module->functions[f].instructions.size();
  return code >= kMuchCode;
}

// Of large kernels quick code is there in a sixth of the time, and many of them run once, and briefly.
bool JitEngine::runs_in_tiers(const KernelLaunch& launch) const {
  if (machine_.observer) return is_observed_in_tiers();
  const Options& wishes = machine_.options;
  return wishes.tiers == TierChoice::Automatic && wishes.only_tier == OnlyTier::Any && wishes.dump.empty() &&
         !wishes.time_passes && is_large(*launch.image);
}

Result<JitEngine::Version*> JitEngine::best_version(const KernelLaunch& launch, simt::Counting count) {
  const bool counts_quickly =
      count != simt::Counting::None && machine_.observer && machine_.observer->counts_in_quick_tier();
  if (count == simt::Counting::None && runs_in_tiers(launch)) return best_version_in_tiers(launch);
  simt::Tier tier = counts_quickly ? simt::Tier::Quick : simt::Tier::Optimised;
  if (machine_.options.only_tier == OnlyTier::Quick) tier = simt::Tier::Quick;
  if (machine_.options.only_tier == OnlyTier::Balanced) tier = simt::Tier::Balanced;
  return version_for(launch, {count, tier});
}

// Checks make code several times as long, and LLVM's passes over it take longer than most kernels of a test run. Where
// few blocks count, because a person waits, they take longer than the others run.
bool JitEngine::is_observed_in_tiers() const {
  const Options& wishes = machine_.options;
  if (wishes.tiers == TierChoice::Compiled || wishes.only_tier != OnlyTier::Any || !wishes.dump.empty() ||
      wishes.time_passes || !machine_.observer)
    return false;
  if (machine_.observer->watch() == 0) return machine_.observer->counts_in_quick_tier();
  return !machine_.observer->time();
}

std::span<const simt::Tier> JitEngine::tier_order() const {
  using enum simt::Tier;
  static constexpr simt::Tier kChecked[] = {Quick, Balanced, Optimised}, kOthers[] = {Quick, Optimised};
  if (machine_.observer && machine_.observer->watch() != 0) return kChecked;
  return kOthers;
}

std::optional<simt::Tier> JitEngine::tier_after(const LoadedKernel& kernel) const {
  const auto tiers = tier_order();
  const auto at = std::find(tiers.begin(), tiers.end(), kernel.tier);
  return at != tiers.end() && at + 1 != tiers.end() ? std::optional(at[1]) : std::nullopt;
}

uint64_t JitEngine::hot(const LoadedKernel& kernel) const {
  if (machine_.observer && machine_.observer->watch() == 0) return kHotBesideCounts;
  if (kernel.tier == simt::Tier::Balanced) return kHot;
  return std::clamp(kernel.nanoseconds_to_compile, kLeastInQuick, kHot);
}

Result<JitEngine::Version*> JitEngine::best_version_in_tiers(const KernelLaunch& launch) {
  const auto tiers = tier_order();
  if (machine_.options.tiers == TierChoice::Takeover) return version_for(launch, {.tier = tiers.front()});
  Version* best = nullptr;
  for (size_t at = tiers.size(); at-- > 1 && !best;) {
    best = TRY(version_for(launch, {.tier = tiers[at]}, IfAbsent::LeaveIt));
    if (best && !best->kernel) best = nullptr;
  }
  if (!best) best = TRY(version_for(launch, {.tier = tiers.front()}));
  if (!best->kernel || best->kernel->nanoseconds <= hot(*best->kernel)) return best;
  const auto next = tier_after(*best->kernel);
  if (!next) return best;
  Version* better = TRY(version_for(launch, {.tier = *next}));
  return better->kernel ? better : best;
}

namespace {

// What a checker remembers of accesses by their numbers means the same in both. (Plain code has no such numbers.)
bool have_same_sites(const simt::CompiledKernel& a, const simt::CompiledKernel& b) {
  return a.race_sites == b.race_sites && a.inlined_calls == b.inlined_calls;
}

}  // namespace

bool JitEngine::may_change_tier(const KernelLaunch& launch, const LoadedKernel& begun) const {
  return runs_in_tiers(launch) && !begun.is_independent() && !begun.about().spins && launch.cluster.count() == 1 &&
         launch.grid.count() > 1;
}

LoadedKernel* JitEngine::better_for_rest(const KernelLaunch& launch, const LoadedKernel& begun, simt::Tier tier) {
  std::lock_guard lock(mutex_);
  // An error comes again, and is told, when the next launch asks.
  const auto better = version_for(launch, {.tier = tier});
  if (!better.ok() || !*better || !(*better)->kernel || (*better)->kernel->is_independent()) return nullptr;
  return have_same_sites((*better)->kernel->about(), begun.about()) ? (*better)->kernel.get() : nullptr;
}

// For tests, which change over at the same block each time.
LoadedKernel* JitEngine::wait_for_better(const KernelLaunch& launch, const LoadedKernel& begun, simt::Tier tier) {
  std::shared_ptr<Compilation> compilation;
  {
    std::lock_guard lock(mutex_);
    const auto better = version_for(launch, {.tier = tier});
    if (better.ok()) compilation = (*better)->compilation;
  }
  if (compilation) compile_threads_.wait(compilation);
  return better_for_rest(launch, begun, tier);
}

// As many blocks for each tier.
uint64_t JitEngine::takeover_place(const KernelLaunch& launch, const LoadedKernel& begun) const {
  const auto tiers = tier_order();
  const uint64_t before = std::find(tiers.begin(), tiers.end(), begun.tier) - tiers.begin();
  return (launch.grid.count() * (before + 1) + tiers.size() - 1) / tiers.size();
}

Result<std::shared_ptr<Compilation>> JitEngine::look_up(const KernelLaunch& launch) {
  std::lock_guard lock(mutex_);
  return TRY(best_version(launch, simt::Counting::None))->compilation;
}

Result<LoadedKernel*> JitEngine::wait_for(const KernelLaunch& launch, simt::Counting count) {
  for (;;) {
    std::shared_ptr<Compilation> compilation;
    {
      std::lock_guard lock(mutex_);
      const Version& version = *TRY(best_version(launch, count));
      if (version.kernel) return version.kernel.get();
      compilation = version.compilation;
    }
    const ptx::Function& function = launch.image->function();
    SlowCompile word(demangled(function.name), function.instructions.size());
    compile_threads_.wait(compilation);
  }
}

namespace {

// What a block takes that does not count; 0: nothing is known. One that counts may take 35 times as long.
uint64_t uncounted_nanoseconds(const LoadedKernel& counting) {
  const uint64_t known = counting.nanoseconds_per_uncounted_block;
  return known ? known : counting.nanoseconds_per_block.load();
}

}  // namespace

// Blocks that wait for each other or run thread by thread are of one version.
Result<JitEngine::Versions> JitEngine::versions(const KernelLaunch& launch) {
  const simt::Counting count = machine_.observer ? machine_.observer->counting_of(launch) : simt::Counting::None;
  LoadedKernel* counting = TRY(wait_for(launch, count));
  if (count == simt::Counting::None || counting->is_independent() || counting->about().spins)
    return Versions{counting, counting};
  if (machine_.observer->counts_in_quick_tier()) {
    if (launch.grid.count() == 1) return Versions{counting, counting, /*asks=*/true};
    if (!TRY(has_plain(launch))) {
      const bool is_known = uncounted_nanoseconds(*counting) != 0 && !is_worth_plain_version(launch, *counting, 0);
      return Versions{is_known ? counting : nullptr, counting, /*asks=*/true};
    }
  }
  LoadedKernel* plain = TRY(wait_for(launch, simt::Counting::None));
  if (plain->is_independent() || plain->about().spins) plain = counting;
  return Versions{plain, counting, plain != counting};
}

// Whether a version that counts nothing is at hand.
Result<bool> JitEngine::has_plain(const KernelLaunch& launch) {
  std::lock_guard lock(mutex_);
  for (simt::Tier tier : {simt::Tier::Optimised, simt::Tier::Quick})
    if (const Version* plain = TRY(version_for(launch, {.tier = tier}, IfAbsent::LeaveIt)); plain && plain->kernel)
      return true;
  return false;
}

// Code that counts runs blocks whose counts are dropped nearly as fast as code without, as a rule: the same loads and
// stores are there. So a version without counts is worth compiling, which takes 10 to 150 ms, only where such blocks
// have taken long, or will until this launch ends: also beside its compilation, of which that of the counting one gives
// an idea.
bool JitEngine::is_worth_plain_version(const KernelLaunch& launch, const LoadedKernel& counting, uint64_t place) const {
  constexpr double kMuch = 1e8;  // nanoseconds
  constexpr double kCompilations = 4;
  const uint64_t blocks = counting.uncounted_blocks + launch.grid.count() - place;
  return double(uncounted_nanoseconds(counting)) * double(blocks) >
         std::max(kMuch, kCompilations * double(counting.nanoseconds_to_compile));
}

// The launch goes on behind its pilot while the version without counts is compiled. What a block takes is known after
// some of them: the pilot is slow, because it counts and touches much for the first time. Where all of these count, as
// many again and more show whether the others do, too.
Result<JitEngine::Versions> JitEngine::for_rest(const KernelLaunch& launch, LoadedKernel& counting, uint64_t place) {
  constexpr uint64_t kFirstBlocks = 8;
  constexpr uint64_t kLook = 4'000'000;  // nanoseconds between looks whether better code is there
  Versions next{&counting, &counting, /*asks=*/true};
  const uint64_t per_block = counting.nanoseconds_per_uncounted_block;
  if (per_block == 0) {
    next.stop_at = place + std::max(kFirstBlocks, 2 * place);
    return next;
  }
  if (!is_worth_plain_version(launch, counting, place)) return next;
  std::lock_guard lock(mutex_);
  LoadedKernel* plain = TRY(best_version(launch, simt::Counting::None))->kernel.get();
  if (!plain)
    next.stop_at = place + std::max<uint64_t>(kLook / per_block, 1);
  else if (!plain->is_independent() && !plain->about().spins)
    next.plain = plain;
  return next;
}

Status JitEngine::prepare(const KernelLaunch& launch) {
  auto kernel = versions(launch);
  return kernel.ok() ? Status::success() : status_of(kernel.error());
}

Status JitEngine::run(const KernelLaunch& launch) { return run_from(launch, {}); }

Status JitEngine::run_from(const KernelLaunch& launch, const LaunchStart& begin) {
  auto both = versions(launch);
  if (!both.ok()) return status_of(both.error());
  if (!parameters_) {
    auto region = machine_.arena->allocate(kParameterBytes + sizeof launch.grid_workspace, device::MemoryKind::Device,
                                           Owner::Engine, "the parameters of a kernel");
    if (!region.ok()) return status_of(region.error());
    parameters_ = *region;
  }
  if (launch.parameters.size() > kParameterBytes)
    return {Failure::InvalidValue, "more parameters than a kernel may have"};
  if (!launch.parameters.empty())
    std::memcpy(engine_view(parameters_), launch.parameters.data(), launch.parameters.size());
  std::memcpy(engine_view(parameters_ + kParameterBytes), &launch.grid_workspace, sizeof launch.grid_workspace);

  LaunchStart start = begin;
  for (;;) {
    if (start.place > 0 && (!both->plain || both->stop_at)) both = for_rest(launch, *both->counting, start.place);
    if (!both.ok()) return status_of(both.error());
    const Status status = run_piece(launch, *both, start);
    if (!status.ok() || start.place >= launch.grid.count()) return status;
  }
}

namespace {

// Whether blocks must run one after the other for the same answer every time.
bool needs_order(const LoadedKernel& kernel) {
  return kernel.about().order_sensitive && kernel.about().logged_sums == simt::LoggedSums::None;
}

}  // namespace

// Runs blocks from `start` on, and moves it behind them: to the end, unless better code is there before. Then that is
// in `versions`.
Status JitEngine::run_piece(const KernelLaunch& launch, JitEngine::Versions& versions, LaunchStart& start) {
  const bool pilot_alone = !versions.plain;
  LoadedKernel* const kernel = pilot_alone ? versions.counting : versions.plain;
  LoadedKernel* const counting = versions.asks ? versions.counting : nullptr;
  const bool in_order = scheduler_.threads() == 1 ||
                        (machine_.observer && machine_.observer->wants_blocks_in_order(launch, *kernel)) ||
                        (!machine_.options.fast && (needs_order(*kernel) || (counting && needs_order(*counting))));
  Status status;
  LaunchRun run(machine_, launch, *kernel, counting, parameters_ + simt::kAliasOffset, in_order, start);
  run.pilot_alone = pilot_alone;
  if (versions.stop_at) run.stop_at(std::min(versions.stop_at, run.blocks)), run.times_uncounted = true;
  LoadedKernel* better = nullptr;
  const auto begun = Clock::now();
  const auto ran_until_now = [&, before = kernel->nanoseconds.load()] {
    return before + uint64_t(std::chrono::nanoseconds(Clock::now() - begun).count());
  };
  const bool may_change = !pilot_alone && !versions.stop_at && may_change_tier(launch, *kernel);
  auto next = may_change ? tier_after(*kernel) : std::nullopt;
  bool is_taken_over = false;
  if (next && machine_.options.tiers == TierChoice::Takeover) {
    const uint64_t place = takeover_place(launch, *kernel);
    is_taken_over = place > start.place && place < run.blocks;
    if (is_taken_over) run.stop_at(place);
    if (run.blocks < tier_order().size()) next = tier_order().back();
  }
  if (next && machine_.options.tiers != TierChoice::Takeover)
    run.leaves = [&] {
      if (!better && ran_until_now() > hot(*kernel)) better = better_for_rest(launch, *kernel, *next);
      if (better == kernel) better = nullptr;
      return better != nullptr;
    };
  auto ran = scheduler_.run(run);
  kernel->nanoseconds = ran_until_now();
  if (kernel == counting) {
    const uint64_t uncounted = run.uncounted_blocks;
    if (run.times_uncounted && uncounted)
      counting->nanoseconds_per_uncounted_block = std::max<uint64_t>(run.uncounted_nanoseconds / uncounted, 1);
    counting->uncounted_blocks += uncounted;
  }
  run.output.flush();
  if (!ran.ok()) return status_of(ran.error());
  if (auto fault = run.fault()) {
    if (machine_.observer) machine_.observer->faulted(launch, *fault);
    status = report_fault(machine_, launch, *fault);
  }
  if (run.interrupts.interrupted()) {
    fflush(stdout);
    fmt::print(stderr, "warpwise: {}\n", status.ok() ? "interrupted" : status.detail);
    run.interrupts.conclude();  // usually the end of the process
  }
  if (is_taken_over && run.next() < run.blocks) {
    better = wait_for_better(launch, *kernel, *next);
    if (!better) better = kernel;  // it goes on as it has begun
  }
  start.place = better || pilot_alone || versions.stop_at ? run.next() : run.blocks;
  if (better) versions = {better, counting ? counting : better, versions.asks};
  return status;
}

void JitEngine::forget(const KernelImage& image) {
  std::lock_guard lock(mutex_);
  std::erase_if(kernels_, [&](const auto& entry) { return std::get<0>(entry.first) == &image; });
}

}  // namespace warpwise::exec
