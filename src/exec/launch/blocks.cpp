#include "exec/launch/blocks.h"

#include <algorithm>
#include <utility>

#include "base/processor_time.h"
#include "exec/observer.h"

namespace warpwise::exec {
namespace {

// Launches that are expected to take less than this stay on the calling thread.
constexpr uint64_t kInlineNanoseconds = 30'000;
// Long enough that handing out a chunk costs nothing, short enough that threads end together.
constexpr uint64_t kChunkNanoseconds = 50'000;
// In a launch whose helpers wait for their turn to add for most of the time, they were of no use; of less than this it
// is not known.
constexpr uint64_t kMuchWaiting = 500'000;
// After so many more such launches than others, a kernel's blocks run on one thread. A busy machine makes threads wait,
// too, for one that another program has put off its processor.
constexpr int kManyInVain = 4;
// Blocks of fibers whose stacks a host thread keeps between launches.
constexpr size_t kKeptSlots = 4;
// The same for blocks in SIMT mode, whose one stack is small.
constexpr size_t kKeptWaiting = 512;

}  // namespace

BlockScheduler::BlockScheduler(const Machine& machine, unsigned threads) : threads_(std::max(threads, 1u)) {
  for (unsigned i = 0; i < threads_; ++i) workers_.push_back(std::make_unique<Worker>(*machine.arena));
}

BlockScheduler::~BlockScheduler() {
  {
    std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  for (auto& worker : workers_)
    if (worker->thread.joinable()) worker->thread.join();
}

void BlockScheduler::start_helpers() {
  for (unsigned i = 1; i < threads_; ++i)
    if (!workers_[i]->thread.joinable()) workers_[i]->thread = std::thread([this, i] { helper(i); });
}

void BlockScheduler::helper(unsigned index) {
  uint64_t done = 0;
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [&] { return stop_ || (current_ && generation_ != done); });
    if (stop_) return;
    LaunchRun* launch = current_;
    done = generation_;
    ++busy_;
    lock.unlock();
    work(*launch, *workers_[index]);
    lock.lock();
    if (--busy_ == 0) finished_.notify_all();
  }
}

Result<void> BlockScheduler::run(LaunchRun& launch) {
  const Clock::time_point begun = Clock::now();
  uint64_t per_block = launch.kernel.nanoseconds_per_block.load(std::memory_order_relaxed);
  const uint64_t blocks = launch.pilot_alone ? 1 : launch.blocks - launch.first_place;
  bool alone = launch.in_order || threads_ == 1 || blocks == 1 ||
               (per_block != 0 && per_block * blocks < kInlineNanoseconds) ||
               launch.kernel.launches_in_vain.load(std::memory_order_relaxed) >= kManyInVain;
  uint64_t share = std::max<uint64_t>(blocks / (threads_ * uint64_t{8}), 1);
  chunk_ = std::clamp<uint64_t>(per_block ? kChunkNanoseconds / per_block : 1, 1, share);
  unsigned takers = alone ? 1 : threads_;
  uint64_t residents = launch.launch.cooperative ? launch.blocks : launch.launch.resident_blocks;
  residents_per_worker_ = std::max<uint64_t>((residents + takers - 1) / takers, 1);

  launch.sum_order.begin(log_pool_, threads_);
  watch_.begin([&launch] {
    if (launch.leaves && launch.leaves()) launch.stop_at(0);
    return launch.has_failed() || launch.reason_to_stop();
  });
  if (launch.counting && launch.blocks > 1 && launch.first_place == 0) run_pilot(launch);
  if (!alone) {
    start_helpers();
    {
      std::lock_guard lock(mutex_);
      current_ = &launch;
      ++generation_;
    }
    wake_.notify_all();
  }
  work(launch, *workers_[0]);
  if (!alone) {
    // Helpers that have not woken up by now find nothing.
    std::unique_lock lock(mutex_);
    current_ = nullptr;
    finished_.wait(lock, [&] { return busy_ == 0; });
  }
  watch_.end();
  auto nanoseconds = static_cast<uint64_t>(std::chrono::nanoseconds(Clock::now() - begun).count()) * takers;
  const uint64_t waited = launch.sum_order.nanoseconds_waited;
  if (!alone && launch.sum_order.logs()) {
    const bool in_vain = waited > kMuchWaiting && waited > nanoseconds / takers * (takers - 1) / 2;
    std::atomic<int>& balance = launch.kernel.launches_in_vain;
    balance.store(std::max(balance.load(std::memory_order_relaxed) + (in_vain ? 1 : -1), -kManyInVain),
                  std::memory_order_relaxed);
  }
  // A pilot is slower than other blocks.
  const uint64_t ran = std::max<uint64_t>(launch.next() - launch.first_place, 1);
  if (!launch.pilot_alone)
    launch.kernel.nanoseconds_per_block.store(std::max<uint64_t>(nanoseconds / ran, 1), std::memory_order_relaxed);

  if (error_) {
    Error error = *std::exchange(error_, std::nullopt);
    return error;
  }
  return {};
}

// The first block alone: the observer learns what blocks cost before it says which of them count.
void BlockScheduler::run_pilot(LaunchRun& launch) {
  const uint64_t chunk = std::exchange(chunk_, 1);
  launch.stop_at(1);
  work(launch, *workers_[0]);
  if (!launch.pilot_alone) launch.stop_at(launch.blocks);
  chunk_ = chunk;
  launch.machine.observer->pilot_ended(launch.launch);
}

void BlockScheduler::note(const Error& error) {
  std::lock_guard lock(mutex_);
  if (!error_) error_ = error;
}

void BlockScheduler::work(LaunchRun& launch, Worker& worker) {
  enter_fault_handling();
  watch_.join();
  if (launch.kernel.is_independent())
    work_independent(launch, worker);
  else if (launch.kernel.about().spins)
    work_waiting(launch, worker);
  else
    work_simt(launch, worker);
  watch_.leave();
}

namespace {

// Code that flushes by itself yields the same where the processor does, too.
Subnormals subnormals_of(const LaunchRun& launch) {
  const bool flushed =
      launch.kernel.about().flushes_subnormals || (launch.counting && launch.counting->about().flushes_subnormals);
  return flushed ? Subnormals::Flushed : Subnormals::Kept;
}

void run_uncounted(LaunchRun& launch, simt::KernelEntry entry, simt::BlockContext& context) {
  const uint64_t begun = launch.times_uncounted ? processor_nanoseconds() : 0;
  entry(&context);
  if (launch.times_uncounted) launch.uncounted_nanoseconds += processor_nanoseconds() - begun;
  if (launch.counting) ++launch.uncounted_blocks;
}

}  // namespace

void BlockScheduler::work_simt(LaunchRun& launch, Worker& worker) {
  KernelGuard guard(&launch.kernel.code(), launch.counting ? &launch.counting->code() : nullptr, subnormals_of(launch));
  BlockRun run(launch, guard);
  if (auto ready = run.begin(worker.memory); !ready.ok()) return note(ready.error());
  run.sums = &worker.sums;
  worker.sums.begin(run.context);
  const bool logs = launch.sum_order.logs();
  if (logs) run.sum_log = &worker.sum_log;
  worker.sum_log.begin(run.context, launch.sum_order);
  struct Job {
    BlockScheduler* scheduler;
    BlockRun* run;
  } job{this, &run};
  bool returned = guard.run(
      [](void* argument) {
        Job& job = *static_cast<Job*>(argument);
        LaunchRun& launch = job.run->launch;
        const simt::KernelEntry entry = launch.kernel.block_entry();
        const simt::KernelEntry counting = launch.counting ? launch.counting->block_entry() : entry;
        Observer* const observer = launch.machine.observer;
        SumLog* const log = job.run->sum_log;
        for (auto range = launch.take(job.scheduler->chunk_); range.first != range.last;
             range = launch.take(job.scheduler->chunk_)) {
          if (log) log->takes(range.first, range.last);
          for (uint64_t place = range.first; place != range.last; ++place) {
            if (launch.is_pointless(place)) return;
            job.run->enter(place);
            if (job.run->counts) {
              if (log) log->settle(*job.run);  // this version adds at once
              counting(&job.run->context);
              observer->block_ends(*job.run);
            } else {
              run_uncounted(launch, entry, job.run->context);
            }
            job.run->end_launch_if_asked();
          }
          if (log) log->ended(job.run->context);
        }
      },
      &job);
  if (returned) {
    if (!logs) worker.sums.finish(run.context);
    return;
  }
  KernelGuard::forget_skipped_frames();
  if (auto fault = run.cause()) launch.record(run.place, *fault);
}

void BlockScheduler::work_waiting(LaunchRun& launch, Worker& worker) {
  KernelGuard guard(&launch.kernel.code(), nullptr, subnormals_of(launch));
  SimtRunner runner(launch, guard, worker.waiting, residents_per_worker_);
  bool returned = guard.run([](void* argument) { static_cast<SimtRunner*>(argument)->run(); }, &runner);
  if (!returned) runner.left(), KernelGuard::forget_skipped_frames();
  if (runner.error()) note(*runner.error());
  const BlockRun* run = runner.current();
  if (!returned && run)
    if (auto fault = run->cause()) launch.record(run->place, *fault);
  if (worker.waiting.size() > kKeptWaiting) worker.waiting.resize(kKeptWaiting);
}

void BlockScheduler::work_independent(LaunchRun& launch, Worker& worker) {
  KernelGuard guard(&launch.kernel.code(), nullptr, subnormals_of(launch));
  FiberRunner runner(launch, guard, worker.slots, residents_per_worker_);
  bool returned = guard.run([](void* argument) { static_cast<FiberRunner*>(argument)->run(); }, &runner);
  if (!returned) runner.left(), KernelGuard::forget_skipped_frames();
  if (runner.error()) note(*runner.error());
  const BlockRun* run = runner.current();
  if (!returned && run)
    if (auto fault = run->cause()) launch.record(run->place, *fault);
  // Warm stacks for the next launch, but not those of a large cooperative grid.
  if (worker.slots.size() > kKeptSlots) worker.slots.resize(kKeptSlots);
}

}  // namespace warpwise::exec
