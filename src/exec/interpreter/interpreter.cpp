// A launch: clusters in order (of one block each, mostly), several at once only when one does not end by itself.
//
// A cluster runs alone until it has ended or used up its patience; then the next ones are started beside it,
// up to what the device would hold at once, and take turns. So a kernel whose blocks do not wait for each
// other runs them strictly in order, and one in which block 3 waits for a flag of block 5 still ends.
#include "exec/interpreter/interpreter.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <random>

#include "exec/interpreter/choices.h"
#include "exec/interpreter/cluster.h"
#include "exec/memory/arena.h"
#include "exec/queue/interrupt.h"
#include "ptx/asynchronous.h"

namespace warpwise::exec {
namespace interpreter {
namespace {

using device::Failure;
using device::Status;

class Watchdog {
 public:
  explicit Watchdog(double seconds) : seconds_(seconds) {}
  bool expired() const {
    if (seconds_ <= 0) return false;
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count() > seconds_;
  }

 private:
  double seconds_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

class Launcher {
 public:
  Launcher(const Machine& machine, const KernelLaunch& launch, StepLog* log, uint64_t first = 0)
      : machine_(machine),
        launch_(launch),
        program_(launch),
        output_(*machine.output, true),
        run_{machine, launch, program_, output_, ClusterSlots(launch, program_.cancels_clusters, first)},
        watchdog_(machine.options.timeout_seconds) {
    run_.log = log;
  }
  ~Launcher() {
    resident_.clear();
    if (run_.parameters) machine_.arena->free(run_.parameters);
  }

  Status run() {
    if (Status placed = place_parameters(); !placed.ok()) return placed;
    order_blocks();
    const uint64_t size = launch_.cluster.count();
    const uint64_t limit =
        std::max<uint64_t>((launch_.cooperative ? launch_.grid.count() : launch_.resident_blocks) / size, 1);
    for (;;) {
      const bool wanted = resident_.empty() || !may_end_soon() || launch_.cooperative;
      if (auto next = wanted && resident_.size() < limit ? next_cluster() : std::nullopt) {
        if (Status status = start_cluster(*next); !status.ok()) return status;
        if (launch_.cooperative) continue;  // all of them wait for all
      }
      if (resident_.empty()) return Status::success();
      if (Status status = round(); !status.ok()) return status;
    }
  }

 private:
  Status place_parameters() {
    size_t bytes = launch_.parameters.size();
    if (bytes == 0) return Status::success();
    auto placed =
        machine_.arena->allocate(bytes, device::MemoryKind::Device, Owner::Engine, "the parameters of a kernel");
    if (!placed) return {Failure::OutOfMemory, placed.error().message};
    run_.parameters = *placed;
    std::memcpy(engine_view(run_.parameters), launch_.parameters.data(), bytes);
    return Status::success();
  }

  // --schedule=shuffle:SEED permutes the blocks.
  void order_blocks() {
    run_.in_lockstep = !machine_.options.schedule.shuffle && !ptx::uses_asynchronous_barriers(run_.program.module);
    if (!machine_.options.schedule.shuffle) return;
    run_.random.seed(machine_.options.schedule.seed);
    run_.order.resize(launch_.grid.count() / launch_.cluster.count());
    std::iota(run_.order.begin(), run_.order.end(), uint64_t{0});
    std::shuffle(run_.order.begin(), run_.order.end(), std::mt19937_64(machine_.options.schedule.seed));
  }

  // As runner.cpp has it. A kernel that gives clusters away may run long without waiting for one that has not started.
  static constexpr uint64_t kLongPatience = 64 * kBlockPatience;
  std::optional<uint64_t> next_cluster() {
    for (; !ended_.empty(); ended_.pop_back())
      if (auto next = run_.slots.next_of(ended_.back())) return next;
    if (auto first = run_.slots.open()) return first;
    if (resident_.empty() || resident_.back()->executed() < kLongPatience) return std::nullopt;
    for (const auto& cluster : resident_)
      if (auto next = run_.slots.next_of(cluster->number)) return next;
    return std::nullopt;
  }

  Status start_cluster(uint64_t number) {
    auto cluster = Cluster::start(run_, number);
    if (!cluster) return {Failure::OutOfMemory, cluster.error().message};
    resident_.push_back(std::move(*cluster));
    return Status::success();
  }

  // Whether the youngest one still deserves to run before the next one is started.
  bool may_end_soon() const { return resident_.back()->executed() < kBlockPatience; }

  Status round() {
    for (const auto& cluster : resident_) {
      bool moved = cluster->round();
      if (const KernelFault* fault = cluster->fault()) return report_fault(machine_, launch_, *fault);
      // Clusters have no barrier in common, so one that is stuck stays stuck.
      if (!moved && !cluster->done()) return stuck(*cluster, "deadlock: every thread of the block waits for another");
      if (watchdog_.expired()) return stuck(*cluster, "the watchdog ended the kernel: its time is over");
      if (interrupts_.interrupted()) return interrupted(*cluster);
      if (machine_.stopped()) return stuck(*cluster, "interrupted");
    }
    if (run_.executed >= kBlockPatience) interrupts_.arm();  // only for launches that take long
    std::erase_if(resident_, [this](const auto& cluster) {
      if (cluster->done()) ended_.push_back(cluster->number);
      return cluster->done();
    });
    return Status::success();
  }

  Status stuck(const Cluster& cluster, const char* why) const {
    const Block& block = cluster.blamed();
    KernelFault fault;
    fault.failure = Failure::LaunchTimeout;
    fault.what = why;
    fault.block = block.index;
    if (const Thread* thread = block.first_alive()) {
      fault.thread = thread->index;
      fault.function = thread->frame().function;
      fault.instruction = thread->frame().pc;
    }
    Status status = report_fault(machine_, launch_, fault);
    status.detail += cluster.waiting();
    return status;
  }

  // ^C: says where the kernel was; usually the end of the process.
  Status interrupted(const Cluster& cluster) {
    Status status = stuck(cluster, "interrupted");
    output_.flush();
    std::fflush(stdout);
    fmt::print(stderr, "warpwise: {}\n", status.detail);
    interrupts_.conclude();
    return status;
  }

  const Machine& machine_;
  const KernelLaunch& launch_;
  Program program_;
  LaunchOutput output_;
  Run run_;
  Watchdog watchdog_;
  InterruptWatch interrupts_;
  std::vector<std::unique_ptr<Cluster>> resident_;
  std::vector<uint64_t> ended_;  // numbers of clusters whose slot may have others
};

class Interpreter final : public Engine {
 public:
  explicit Interpreter(const Machine& machine) : machine_(machine) {}

  Status prepare(const KernelLaunch& launch) override { return can_interpret(*launch.image); }
  Status run(const KernelLaunch& launch) override {
    const Options& options = machine_.options;
    std::unique_ptr<StepLog> log;
    if (!options.step_log.empty() && launches_++ == options.trace_launch) {
      log = StepLog::open(options.step_log, options.trace_block);
      if (!log) return {Failure::InvalidValue, fmt::format("the step log `{}` cannot be written", options.step_log)};
    }
    return Launcher(machine_, launch, log.get()).run();
  }
  void forget(const KernelImage&) override {}  // nothing is kept between launches

 private:
  const Machine& machine_;
  uint64_t launches_ = 0;  // where there is a log of one of them
};

}  // namespace
}  // namespace interpreter

device::Status can_interpret(const KernelImage& image) {
  auto checked = interpreter::check_executable(image);
  if (checked) return device::Status::success();
  const bool is_known = checked.error().code == "P0900";
  return {is_known ? device::Failure::NotSupported : device::Failure::InvalidPtx,
          fmt::format("{}: {}", checked.error().code, checked.error().message)};
}

device::Status interpret(const Machine& machine, const KernelLaunch& launch, uint64_t first) {
  return interpreter::Launcher(machine, launch, nullptr, first).run();
}

std::unique_ptr<Engine> make_interpreter(const Machine& machine) {
  return std::make_unique<interpreter::Interpreter>(machine);
}

}  // namespace warpwise::exec
