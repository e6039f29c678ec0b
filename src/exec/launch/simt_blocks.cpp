#include "exec/launch/simt_blocks.h"

#include <sched.h>

#include <algorithm>

#include "exec/observer.h"

namespace warpwise::exec {

SimtRunner::SimtRunner(LaunchRun& launch, KernelGuard& guard, Slots& slots, uint64_t resident_blocks)
    : launch_(launch), guard_(guard), slots_(slots), resident_blocks_(std::max<uint64_t>(resident_blocks, 1)) {}

void SimtRunner::block_main(void* argument) {
  Block* block = static_cast<Block*>(argument);
  block->run.launch.kernel.block_entry()(&block->run.context);
}

void SimtRunner::wait(BlockRun&, void* fiber) { static_cast<Fiber*>(fiber)->suspend(); }

// Starts one more block if there is one and it fits. It has not run yet.
bool SimtRunner::admit() {
  if (running_.size() >= resident_blocks_) return false;
  auto range = launch_.take(1);
  if (range.first == range.last) return false;
  if (idle_.empty()) {
    idle_.push_back(blocks_.size());
    if (slots_.size() == blocks_.size()) slots_.push_back(std::make_unique<SimtSlot>(*launch_.machine.arena));
    blocks_.push_back(std::make_unique<Block>(launch_, guard_));
  }
  Block& block = *blocks_[idle_.back()];
  SimtSlot& slot = *slots_[idle_.back()];
  if (!block.prepared) {
    auto ready = block.run.begin(slot.memory);
    if (ready.ok()) ready = slot.stack.reserve(1, SimtSlot::kStackBytes);
    if (!ready.ok()) {
      error_ = ready.error();
      return false;
    }
    block.prepared = true;
    block.run.wait = &wait;
    block.run.wait_argument = &block.fiber;
  }
  block.run.enter(range.first);
  block.fiber.start(slot.stack.stack(0), &block_main, &block);
  running_.push_back(idle_.back());
  idle_.pop_back();
  return true;
}

bool SimtRunner::go_on(size_t index) {
  current_ = blocks_[index].get();
  bool waits = current_->fiber.resume();
  if (!waits && current_->run.counts) launch_.machine.observer->block_ends(current_->run);
  if (!waits) current_->run.end_launch_if_asked();
  current_ = nullptr;
  if (!waits) idle_.push_back(index);
  return waits;
}

void SimtRunner::run() {
  admit();
  while (!running_.empty() && !error_) {
    size_t before = running_.size();
    std::erase_if(running_, [this](size_t block) { return !go_on(block); });
    if (running_.size() < before && !running_.empty()) continue;
    // All blocks wait or have ended: admit another one, or all blocks of a cooperative grid.
    bool admitted = admit();
    while (admitted && launch_.launch.cooperative && admit()) {
    }
    if (!admitted && !running_.empty()) sched_yield();  // for what another host thread does
  }
}

}  // namespace warpwise::exec
