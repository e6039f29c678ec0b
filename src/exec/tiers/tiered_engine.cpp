#include "exec/tiers/tiered_engine.h"

#include <fmt/format.h>

#include <cstdio>
#include <optional>
#include <utility>

#include "exec/fault/fault_report.h"
#include "exec/interpreter/interpreter.h"
#include "exec/interpreter/single_blocks.h"
#include "exec/tiers/begins_interpreted.h"

namespace warpwise::exec {

using device::Status;

namespace {

// So long a launch waits for the compiler before it begins without it.
constexpr std::chrono::milliseconds kMoment{50};

// An error of ours, or of LLVM: the kernel is right, and runs in the interpreter.
bool is_the_compilers(const Error& error) { return error.code == "X0001" || error.code == "X0002"; }

// Everything but plain runs is compiled: checks and counts are part of the code, and a mode or a schedule that was
// asked for is one of compiled code.
bool wants_compiled_code(const Machine& machine) {
  const Options& options = machine.options;
  return options.tiers == TierChoice::Compiled || machine.observer || options.mode != ModeChoice::Automatic ||
         options.schedule.shuffle || options.approximate_mma || !options.dump.empty() || options.time_passes;
}

}  // namespace

TieredEngine::TieredEngine(const Machine& machine, CompilerSource compiler, std::shared_ptr<CodeCache> cache)
    : machine_(machine), jit_(machine, std::move(compiler), std::move(cache)) {}

bool TieredEngine::may_begin_interpreted(const KernelLaunch& launch) {
  if (wants_compiled_code(machine_) || launch.cooperative || launch.cluster.count() != 1) return false;
  std::lock_guard lock(mutex_);
  const Order order = machine_.options.tiers == TierChoice::Takeover ? Order::DoesNotMatter : Order::MayMatter;
  const auto [found, is_new] = may_begin_.try_emplace(launch.image);
  if (is_new) found->second = exec::may_begin_interpreted(*launch.image, order) && can_interpret(*launch.image).ok();
  return found->second;
}

Status TieredEngine::prepare(const KernelLaunch& launch) {
  if (!may_begin_interpreted(launch)) return jit_.prepare(launch);
  if (stays_interpreted(launch)) return Status::success();
  for (const auto begun = Clock::now();;) {
    auto compilation = jit_.look_up(launch);
    if (!compilation.ok()) return keep_interpreted(launch, compilation.error());
    if (!*compilation || JitEngine::is_large(*launch.image)) return Status::success();
    const auto rest = std::chrono::duration_cast<std::chrono::milliseconds>(begun + kMoment - Clock::now());
    if (!(*compilation)->wait_for(rest)) return Status::success();
  }
}

Status TieredEngine::run(const KernelLaunch& launch) {
  if (!may_begin_interpreted(launch)) return jit_.run(launch);
  return machine_.options.tiers == TierChoice::Takeover ? run_half_interpreted(launch) : run_interpreted(launch);
}

Status TieredEngine::run_interpreted(const KernelLaunch& launch) {
  LaunchStart start;
  const uint64_t blocks = launch.grid.count();
  if (stays_interpreted(launch)) return interpret(machine_, launch, start.place);
  std::optional<Clock::time_point> deadline;
  if (const double seconds = machine_.options.timeout_seconds; seconds > 0)
    deadline = start.time + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  while (start.place < blocks) {
    auto compilation = jit_.look_up(launch);
    if (!compilation.ok()) {
      if (Status status = keep_interpreted(launch, compilation.error()); !status.ok()) return status;
      return interpret(machine_, launch, start.place);
    }
    if (!*compilation) return jit_.run_from(launch, start);
    const auto is_over = [&] { return machine_.stopped() || (deadline && Clock::now() > *deadline); };
    const auto [next, failed] =
        interpret_blocks(launch, start, blocks, [&] { return (*compilation)->is_done() || is_over(); });
    start.place = next;
    if (failed) return jit_.run_from(launch, start);
    if (next < blocks && is_over()) return ended(launch, next);
  }
  return Status::success();
}

// The kernel's time is up, or the owner of the device has asked for its end, before it was compiled.
Status TieredEngine::ended(const KernelLaunch& launch, uint64_t block) const {
  KernelFault fault;
  fault.failure = device::Failure::LaunchTimeout;
  fault.what = machine_.stopped()
                   ? "interrupted"
                   : fmt::format("the kernel did not end within {:g} s", machine_.options.timeout_seconds);
  fault.block = block;
  return report_fault(machine_, launch, fault);
}

// For tests: always the same blocks, one of which is begun and undone.
Status TieredEngine::run_half_interpreted(const KernelLaunch& launch) {
  if (Status status = jit_.prepare(launch); !status.ok()) return status;
  constexpr unsigned kQuestions = 3;
  LaunchStart start;
  const uint64_t half = launch.grid.count() / 2;
  auto done = interpret_blocks(launch, start, half, [] { return false; });
  if (!done.failed)
    done = interpret_blocks(launch, {done.next, start.time}, half + 1,
                            [asked = 0u]() mutable { return ++asked > kQuestions; });
  start.place = done.next;
  return start.place < launch.grid.count() ? jit_.run_from(launch, start) : Status::success();
}

TieredEngine::Interpreted TieredEngine::interpret_blocks(const KernelLaunch& launch, LaunchStart from, uint64_t end,
                                                         const std::function<bool()>& must_leave) {
  auto blocks = SingleBlocks::begin(machine_, launch);
  if (!blocks.ok()) return {from.place, true};
  for (; from.place < end; ++from.place) {
    const SingleBlocks::End ended = (*blocks)->run(from.place, must_leave);
    if (ended != SingleBlocks::End::Done) return {from.place, ended == SingleBlocks::End::Failed};
  }
  return {from.place, false};
}

bool TieredEngine::stays_interpreted(const KernelLaunch& launch) {
  std::lock_guard lock(mutex_);
  return interpreted_.contains(launch.image);
}

Status TieredEngine::keep_interpreted(const KernelLaunch& launch, const Error& why) {
  if (!is_the_compilers(why)) return status_of(why);
  std::lock_guard lock(mutex_);
  if (interpreted_.insert(launch.image).second)
    fmt::print(stderr, "warpwise: `{}` runs in the interpreter, which is much slower: {}: {}\n",
               launch.image->function().name, why.code, why.message);
  return Status::success();
}

void TieredEngine::forget(const KernelImage& image) {
  jit_.forget(image);
  std::lock_guard lock(mutex_);
  may_begin_.erase(&image);
  interpreted_.erase(&image);
}

}  // namespace warpwise::exec
