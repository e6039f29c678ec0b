#include "exec/fibers/cluster.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpwise::exec {

using device::Failure;

namespace {

// Each guard page splits a mapping in two, and Linux allows a process 65,530 mappings (vm.max_map_count):
// with many resident blocks the later ones do without.
constexpr size_t kGuardedSlots = 8;

}  // namespace

FiberCluster::FiberCluster(LaunchRun& launch, KernelGuard& guard, Slots& slots, size_t first_slot) {
  const size_t size = launch.launch.cluster.count();
  while (slots.size() < first_slot + size) slots.push_back(std::make_unique<FiberSlot>(*launch.machine.arena));
  for (size_t rank = 0; rank < size; ++rank) {
    FiberSlot& slot = *slots[first_slot + rank];
    slot.stacks.set_guarded(first_slot + rank < kGuardedSlots);
    blocks_.push_back(std::make_unique<FiberBlock>(launch, guard, slot, *this));
  }
}

void FiberCluster::left() {
  for (const auto& block : blocks_)
    if (&block->run() == current_) block->left();
}

Result<void> FiberCluster::start(uint64_t place) {
  live_ = arrived_ = phase_ = 0;
  fruitless_ = turns_ = 0;
  progressed_ = true;
  for (size_t rank = 0; rank < blocks_.size(); ++rank) {
    TRY(blocks_[rank]->start(place + rank));
    live_ += static_cast<uint32_t>(blocks_[rank]->run().launch.launch.block.count());
  }
  return {};
}

bool FiberCluster::finished() const {
  return std::all_of(blocks_.begin(), blocks_.end(), [](const auto& block) { return block->finished(); });
}

bool FiberCluster::any_ready() const {
  return std::any_of(blocks_.begin(), blocks_.end(), [](const auto& block) { return block->has_ready(); });
}

void FiberCluster::turn() {
  progressed_ = false;
  for (auto& block : blocks_) {
    if (!block->has_ready()) continue;
    current_ = &block->run();
    block->turn();
    progressed_ |= block->progressed();
  }
  if (finished()) return;
  if (progressed_) fruitless_ = 0;
  bool stuck = !any_ready();
  if (!stuck && progressed_ && ++turns_ < kLongSleep) return;
  turns_ = 0;
  bool woken = false;
  for (auto& block : blocks_) woken |= block->give_up_waiting();
  if (stuck && (!woken || ++fruitless_ > kPatience)) report_deadlock();
}

void FiberCluster::phase_ended(uint64_t mbarrier) {
  for (auto& block : blocks_) block->phase_ended(mbarrier);
}

void FiberCluster::columns_changed() {
  for (auto& block : blocks_) block->columns_changed();
}

// --- barrier.cluster (PTX ISA 9.7.13.3) -------------------------------------------------------------------

void FiberCluster::arrive(FiberThread& thread) {
  if (thread.at_cluster_barrier) {
    KernelFault fault;
    fault.failure = Failure::LaunchFailure;
    fault.what = "barrier.cluster.arrive twice without barrier.cluster.wait between";
    fault.instruction = thread.site;
    thread.owner->run().fail(std::move(fault), thread.pc);
  }
  thread.at_cluster_barrier = true;
  thread.cluster_phase = phase_;
  arrived_ += thread.lanes;
  complete_if_all_arrived();
}

void FiberCluster::wait(FiberThread& thread) {
  if (!thread.at_cluster_barrier) {
    KernelFault fault;
    fault.failure = Failure::LaunchFailure;
    fault.what = "barrier.cluster.wait without barrier.cluster.arrive before it";
    fault.instruction = thread.site;
    thread.owner->run().fail(std::move(fault), thread.pc);
  }
  thread.at_cluster_barrier = false;
  if (thread.cluster_phase == phase_) thread.owner->wait_for_cluster(thread);
}

// Threads that exit count as arrived for good: no thread waits for them, so an arrival of theirs must not be counted,
// either.
void FiberCluster::thread_exited(const FiberThread& thread) {
  if (thread.at_cluster_barrier && thread.cluster_phase == phase_) arrived_ -= thread.lanes;
  live_ -= thread.lanes;
  complete_if_all_arrived();
}

void FiberCluster::complete_if_all_arrived() {
  if (arrived_ < live_ || arrived_ == 0) return;
  arrived_ = 0;
  ++phase_;
  for (auto& block : blocks_) block->cluster_arrived();
}

// --- deadlock ---------------------------------------------------------------------------------------------

void FiberCluster::report_deadlock() {
  uint64_t waiting = 0, threads = 0;
  std::string text;
  for (auto& block : blocks_) {
    waiting += block->live();
    threads += block->run().launch.launch.block.count();
    std::string prefix;
    if (blocks_.size() > 1) {
      device::Dim3 at = block->run().launch.launch.block_at(block->run().block);
      prefix = fmt::format("block ({}, {}, {}): ", at.x, at.y, at.z);
    }
    text += block->describe_waiting(prefix);
  }
  KernelFault fault;
  fault.failure = Failure::LaunchTimeout;
  fault.misuse = Misuse::Deadlock;
  fault.what = fmt::format("deadlock: {} of {} threads wait and none can go on{}\n   ", waiting, threads, text);
  auto blamed = std::find_if(blocks_.begin(), blocks_.end(), [](const auto& block) { return !block->finished(); });
  current_ = &(*blamed)->run();
  const FiberThread* first = (*blamed)->first_waiting();
  if (first) fault.thread = first->context.thread;
  current_->fail(std::move(fault), first ? first->pc : 0);
}

}  // namespace warpwise::exec
