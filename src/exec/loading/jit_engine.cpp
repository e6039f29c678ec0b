#include "exec/loading/jit_engine.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstring>
#include <thread>

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

unsigned host_threads(const Options& options) {
  return options.threads ? options.threads : std::max(std::thread::hardware_concurrency(), 1u);
}

simt::Mode mode_of(ModeChoice choice) {
  switch (choice) {
    case ModeChoice::Simt:
      return simt::Mode::Simt;
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
      scheduler_(machine_, host_threads(machine.options)) {
  enter_fault_handling();
}

JitEngine::~JitEngine() {
  if (parameters_) machine_.arena->free(parameters_);
}

JitEngine::Key JitEngine::key_of(const KernelLaunch& launch, simt::Counting count,
                                 const simt::MayAssume& may_assume) const {
  const uint64_t values =
      count == simt::Counting::Steps ? machine_.observer->values_of(*launch.image).hash() : uint64_t{0};
  return {launch.image,       launch.block.x, launch.block.y, launch.block.z, is_small(launch),
          launch.stack_bytes, count,          values,         may_assume};
}

Result<simt::CompiledKernel> JitEngine::compile(const KernelLaunch& launch, const simt::CompileOptions& options) {
  if (!compiler_) compiler_ = TRY(source_.open());
  SlowCompile word(std::string(launch.image->function().name), launch.image->function().instructions.size());
  return compiler_->compile(*launch.image->module, launch.image->kernel, options);
}

Result<std::unique_ptr<LoadedKernel>> JitEngine::make(const KernelLaunch& launch, simt::Counting count,
                                                      const simt::MayAssume& may_assume) {
  const Options& wishes = machine_.options;
  simt::CompileOptions options;
  options.mode = mode_of(wishes.mode);
  options.tier = wishes.quick_compile ? simt::Tier::Quick : simt::Tier::Optimised;
  options.block = {launch.block.x, launch.block.y, launch.block.z};
  options.small_grid = is_small(launch);
  options.stack_bytes = launch.stack_bytes;
  options.watch = machine_.observer ? machine_.observer->watch() : 0;
  options.count = count;
  if (count == simt::Counting::Steps) options.values = machine_.observer->values_of(*launch.image);
  options.unordered = wishes.schedule.shuffle ? simt::Unordered::AsScheduled : simt::Unordered::HardwareLike;
  options.may_assume = may_assume;
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

  // A dump of passes needs passes that run: the cache would skip them.
  bool cached = cache_ && wishes.dump.empty() && !wishes.time_passes;
  std::string key;
  if (cached) {
    key = fmt::format(
        "kernel {} abi {} module {} name {} block {}x{}x{} small {} stack {} watch {} unordered {} distinct {} ranges "
        "{} aligned {} "
        "count {} mode {} tier {} off {} "
        "cpu {}",
        source_.identity, simt::kAbiVersion, launch.image->module_key, launch.image->function().name, launch.block.x,
        launch.block.y, launch.block.z, options.small_grid, options.stack_bytes, options.watch,
        static_cast<int>(options.unordered), may_assume.distinct_pointers, may_assume.ranges, may_assume.alignments,
        static_cast<int>(options.count), static_cast<int>(options.mode), static_cast<int>(options.tier),
        fmt::join(options.off, ","), options.cpu);
    if (!options.values.of.empty()) key += fmt::format(" values {:x}", options.values.hash());
    if (!options.clocks.empty()) key += fmt::format(" clocks {:x}", options.clocks.hash());
    if (auto bytes = cache_->load(key)) {
      auto kernel = kernel_from_bytes(*bytes);
      if (kernel.ok()) {
        auto loaded = LoadedKernel::load(std::move(kernel).value());
        if (loaded.ok()) return loaded;
      }
    }
  }
  auto made = compile(launch, options);
  if (!made.ok() && made.error().code == "X0002" && options.mode == simt::Mode::Automatic) {
    // LLVM fails on some vector code; independent-thread mode has none.
    options.mode = simt::Mode::Independent;
    fmt::print(stderr, "warpwise: `{}` runs thread by thread, which is slower: {}: {}\n", launch.image->function().name,
               made.error().code, made.error().message);
    made = compile(launch, options);
  }
  simt::CompiledKernel compiled = TRY(std::move(made));
  if (cached) cache_->store(key, to_bytes(compiled));
  return LoadedKernel::load(std::move(compiled));
}

Result<LoadedKernel*> JitEngine::find_or_make(const KernelLaunch& launch, simt::Counting count) {
  std::lock_guard lock(mutex_);
  simt::MayAssume may_assume;
  for (;;) {
    Version& version = *TRY(find_or_make(launch, count, may_assume));
    const simt::LaunchAssumptions& assumed = version.kernel->about().assumed;
    if (!in_ranges(assumed.ranges, launch))
      may_assume.ranges = false;
    else if (!are_aligned(assumed.alignments, launch))
      may_assume.alignments = false;
    else if (assumed.distinct_pointers && !version.pointers.ask(*machine_.arena, launch.parameters))
      may_assume.distinct_pointers = false;
    else
      return version.kernel.get();
  }
}

Result<JitEngine::Version*> JitEngine::find_or_make(const KernelLaunch& launch, simt::Counting count,
                                                    const simt::MayAssume& may_assume) {
  Key key = key_of(launch, count, may_assume);
  auto found = kernels_.find(key);
  if (found == kernels_.end()) {
    found = kernels_.emplace(key, Version{TRY(make(launch, count, may_assume)), {}}).first;
    // Such kernels run many times slower. --verbose says why.
    const simt::CompiledKernel& about = found->second.kernel->about();
    if (machine_.options.verbosity >= 1 && about.mode == simt::Mode::Independent)
      fmt::print(stderr, "warpwise: `{}` runs thread by thread: {}\n", launch.image->function().name,
                 about.why_independent);
  }
  return &found->second;
}

// Blocks that wait for each other or run thread by thread are of one version.
Result<JitEngine::Versions> JitEngine::versions(const KernelLaunch& launch) {
  const simt::Counting count = machine_.observer ? machine_.observer->counting_of(launch) : simt::Counting::None;
  LoadedKernel* counting = TRY(find_or_make(launch, count));
  if (count == simt::Counting::None || counting->is_independent() || counting->about().spins)
    return Versions{counting, counting};
  LoadedKernel* plain = TRY(find_or_make(launch, simt::Counting::None));
  if (plain->is_independent() || plain->about().spins) plain = counting;
  return Versions{plain, counting};
}

Status JitEngine::prepare(const KernelLaunch& launch) {
  auto kernel = versions(launch);
  return kernel.ok() ? Status::success() : status_of(kernel.error());
}

Status JitEngine::run(const KernelLaunch& launch) {
  auto both = versions(launch);
  if (!both.ok()) return status_of(both.error());
  auto [kernel, counting] = *both;
  if (kernel == counting) counting = nullptr;
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

  bool in_order = scheduler_.threads() == 1 || (machine_.observer && machine_.observer->wants_order()) ||
                  (kernel->about().order_sensitive && !machine_.options.fast);
  Status status;
  {
    LaunchRun run(machine_, launch, *kernel, counting, parameters_ + simt::kAliasOffset, in_order);
    auto ran = scheduler_.run(run);
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
  }
  return status;
}

void JitEngine::forget(const KernelImage& image) {
  std::lock_guard lock(mutex_);
  std::erase_if(kernels_, [&](const auto& entry) { return std::get<0>(entry.first) == &image; });
}

}  // namespace warpwise::exec
