#include "exec/interpreter/cluster.h"

#include <fmt/format.h>

#include <algorithm>

#include "exec/memory/arena.h"

namespace warpwise::exec::interpreter {

namespace {

// The first block of the cluster of that number in the schedule's order.
device::Dim3 first_block(const Run& run, uint64_t number) {
  const uint64_t index = run.order.empty() ? number : run.order[number];
  const device::Dim3 &grid = run.launch.grid, &size = run.launch.cluster;
  const uint64_t across = grid.x / size.x, down = grid.y / size.y;
  return {static_cast<uint32_t>(index % across * size.x), static_cast<uint32_t>(index / across % down * size.y),
          static_cast<uint32_t>(index / across / down * size.z)};
}

}  // namespace

Result<std::unique_ptr<Cluster>> Cluster::start(Run& run, uint64_t number) {
  std::unique_ptr<Cluster> cluster(new Cluster(run, number));
  const device::Dim3 &grid = run.launch.grid, &size = run.launch.cluster, first = first_block(run, number);
  for (uint64_t rank = 0; rank < size.count(); ++rank) {
    uint64_t x = first.x + rank % size.x, y = first.y + rank / size.x % size.y, z = first.z + rank / size.x / size.y;
    cluster->blocks.push_back(TRY(Block::start(run, x + grid.x * (y + uint64_t{grid.y} * z), *cluster)));
  }
  cluster->alive_ = static_cast<uint32_t>(size.count() * run.launch.block.count());
  return cluster;
}

std::array<uint32_t, simt::kCancelWords> Cluster::take_another() {
  const std::optional<uint64_t> taken = run_.slots.next_of(number);
  if (!taken) return {};
  const device::Dim3 first = first_block(run_, *taken);
  return {first.x, first.y, first.z, 1};
}

bool Cluster::round() {
  bool moved = false;
  for (auto& block : blocks) {
    moved |= block->round();
    if (block->fault) return true;
  }
  if (done()) {
    deliver_all();  // to memory that is not read any more, or to global memory
    return true;
  }
  if (moved && any_thread_running()) {
    fruitless_ = 0;
    return true;
  }
  if (deliver_all()) return true;
  return give_up_waiting() && ++fruitless_ <= kPatience;
}

bool Cluster::done() const {
  return std::all_of(blocks.begin(), blocks.end(), [](const auto& block) { return block->done(); });
}

bool Cluster::any_thread_running() const {
  for (const auto& block : blocks)
    for (const Thread& thread : block->threads)
      if (thread.state == Thread::State::Running) return true;
  return false;
}

uint64_t Cluster::executed() const {
  uint64_t sum = 0;
  for (const auto& block : blocks) sum += block->executed();
  return sum;
}

const KernelFault* Cluster::fault() const {
  for (const auto& block : blocks)
    if (block->fault) return &*block->fault;
  return nullptr;
}

std::string Cluster::waiting() const {
  std::string text;
  for (const auto& block : blocks) {
    if (blocks.size() > 1)
      text += fmt::format("\n  block ({}, {}, {}):", block->ctaid.x, block->ctaid.y, block->ctaid.z);
    text += block->waiting();
  }
  return text;
}

const Block& Cluster::blamed() const {
  for (const auto& block : blocks)
    if (!block->done()) return *block;
  return *blocks.front();
}

Block* Cluster::owner_of_shared(device::Address address, unsigned bytes) const {
  for (const auto& block : blocks) {
    uint64_t offset = address - block->shared;
    if (block->shared && offset <= block->shared_bytes && bytes <= block->shared_bytes - offset) return block.get();
  }
  return nullptr;
}

device::Address Cluster::to_generic(const Block& block, uint64_t address) const {
  const uint64_t rank = address >> simt::kClusterRankBit;
  if (rank == 0) return block.shared + address;
  return rank > blocks.size() ? 0 : blocks[rank - 1]->shared + (address & simt::kClusterOffsetMask);
}

uint64_t Cluster::to_shared(const Block& block, device::Address address) const {
  const Block* owner = owner_of_shared(address, 0);
  if (!owner || owner == &block) return address - block.shared;
  uint64_t rank = 0;
  while (blocks[rank].get() != owner) ++rank;
  return (rank + 1) << simt::kClusterRankBit | (address - owner->shared);
}

// --- mbarriers ------------------------------------------------------------------------------------------

MbarrierResult Cluster::apply(simt::MbarrierOp op, device::Address mbarrier, uint32_t count) {
  MbarrierResult result = exec::apply(op, *reinterpret_cast<uint64_t*>(engine_view(mbarrier)), count);
  fruitless_ = 0;  // a thread that asks in vain and then does something else is in no deadlock
  if (result.phase_ended) phase_ended(mbarrier);
  return result;
}

void Cluster::land(simt::MbarrierOp op, device::Address mbarrier, uint32_t count) {
  MbarrierResult result = apply(op, mbarrier, count);
  if (result.error.empty()) return;
  Block& block = *owner_of_shared(mbarrier, 8);
  KernelFault fault;
  fault.failure = device::Failure::LaunchFailure;
  fault.what = std::move(result.error);
  fault.address = mbarrier;
  fault.block = block.index;
  block.fail(std::move(fault));
}

void Cluster::phase_ended(device::Address mbarrier) {
  for (auto& block : blocks) {
    for (Thread& thread : block->threads) {
      if (thread.state != Thread::State::Mbarrier || thread.awaited != mbarrier) continue;
      thread.state = Thread::State::Running;
      thread.answered = thread.outcome.flag = true;
    }
  }
}

bool Cluster::give_up_waiting() {
  bool any = false;
  for (auto& block : blocks) {
    for (Thread& thread : block->threads) {
      if (thread.state != Thread::State::Mbarrier) continue;
      thread.state = Thread::State::Running;
      thread.answered = any = true;
      thread.outcome.flag = false;
    }
  }
  return any;
}

void Cluster::launch(InFlight copy) {
  if (run_.now_rather_than_late()) return copy.deliver();
  in_flight_.push_back(std::move(copy));
}

void Cluster::deliver(device::Address mbarrier) {
  std::vector<InFlight> landed;
  std::erase_if(in_flight_, [&](InFlight& copy) {
    if (copy.mbarrier != mbarrier) return false;
    landed.push_back(std::move(copy));
    return true;
  });
  for (InFlight& copy : landed) copy.deliver();
}

bool Cluster::deliver_all() {
  std::vector<InFlight> landed = std::exchange(in_flight_, {});
  for (InFlight& copy : landed) copy.deliver();
  return !landed.empty();
}

void Cluster::columns_changed() {
  for (auto& block : blocks)
    for (Thread& thread : block->threads)
      if (thread.state == Thread::State::Columns) thread.state = Thread::State::Running;
}

// --- barrier.cluster (PTX ISA 9.7.13.3) -------------------------------------------------------------------

void Cluster::arrive(Thread& thread) {
  thread.cluster_arrived = true;
  thread.cluster_phase = phase_;
  ++arrived_;
  settle();
}

bool Cluster::wait(Thread& thread) {
  if (thread.cluster_phase != phase_) {
    thread.cluster_arrived = false;
    return true;
  }
  thread.state = Thread::State::ClusterBarrier;
  return false;
}

// Threads that have exited are not waited for, and what they did before does not stand for others.
void Cluster::thread_exited(const Thread& thread) {
  if (thread.cluster_arrived && thread.cluster_phase == phase_) --arrived_;
  --alive_;
  settle();
}

void Cluster::settle() {
  if (arrived_ == 0 || arrived_ < alive_) return;
  arrived_ = 0;
  ++phase_;
  for (auto& block : blocks)
    for (Thread& thread : block->threads)
      if (thread.state == Thread::State::ClusterBarrier) thread.state = Thread::State::Running;
}

}  // namespace warpwise::exec::interpreter
