#include "exec/interpreter/block.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "exec/async/mbarrier.h"
#include "exec/interpreter/choices.h"
#include "exec/interpreter/cluster.h"
#include "exec/interpreter/step.h"
#include "exec/memory/arena.h"
#include "ptx/vector_operand.h"
#include "simt/lane_order.h"

namespace warpwise::exec::interpreter {

using device::MemoryKind;

Block::Block(Run& run, uint64_t index, Cluster& cluster)
    : run(run), cluster(cluster), index(index), ctaid(run.launch.block_at(index)) {}

Result<std::unique_ptr<Block>> Block::start(Run& run, uint64_t index, Cluster& cluster) {
  std::unique_ptr<Block> block(new Block(run, index, cluster));
  Arena& arena = *run.machine.arena;
  block->shared_bytes = run.program.image.layout.static_shared_bytes + run.launch.dynamic_shared_bytes;
  if (run.launch.dynamic_shared_bytes) {
    block->shared_bytes = run.program.image.layout.dynamic_shared_offset + run.launch.dynamic_shared_bytes;
  }
  uint64_t count = run.launch.block.count();
  if (block->shared_bytes) {
    block->shared = TRY(arena.allocate(block->shared_bytes, MemoryKind::Device, Owner::Engine,
                                       "the shared memory of a block", {kSharedAlignment}));
    std::fill_n(engine_view(block->shared), block->shared_bytes, std::byte{0});
  }
  if (uint64_t bytes = count * run.program.local_bytes) {
    block->local = TRY(arena.allocate(bytes, MemoryKind::Device, Owner::Engine, "the local memory of a block"));
  }
  const uint32_t kernel = run.program.image.kernel;
  for (uint32_t t = 0; t < count; ++t) {
    Thread& thread = block->threads.emplace_back();
    thread.index = t;
    thread.tid = run.launch.thread_at(t);
    thread.frames.push_back(new_frame(run.program, kernel, 0));
  }
  block->alive_ = static_cast<uint32_t>(count);
  return block;
}

Block::~Block() {
  if (shared) run.machine.arena->free(shared);
  if (local) run.machine.arena->free(local);
}

bool Block::round() {
  bool ran = false;
  const uint32_t stride = run.in_lockstep ? 32 : 1;
  for (uint32_t first = 0; first < threads.size(); first += stride) {
    if (fault || (run.trial && run.trial->left)) return true;
    ran = (run.in_lockstep ? run_warp(first / 32) : run_thread(threads[first])) || ran;
  }
  // Activemask is answered when no other lane of the warp can run, or after a while.
  for (uint32_t warp = 0; warp * 32 < threads.size(); ++warp) settle_postponed(warp), settle_activemask(warp, ran);
  if (ran) return true;
  return std::any_of(threads.begin(), threads.end(), [](const Thread& t) { return t.state == Thread::State::Running; });
}

// Whether the thread must stop here: it waits, has ended, or spins.
bool Block::step(Thread& thread) {
  Frame& frame = thread.frame();
  const ptx::Function& function = run.program.module.functions[frame.function];
  ++executed_;
  ++run.executed;
  if (frame.pc >= function.instructions.size()) {  // falling off the end returns (9.7.12.5 leaves it open)
    return_from(*this, thread);
    return false;
  }
  if (run.log && run.log->wants(index)) return step_with_log(thread, frame, function);
  return Step(*this, thread, function.instructions[frame.pc]).execute();
}

bool Block::step_with_log(Thread& thread, const Frame& frame, const ptx::Function& function) {
  const ptx::Instruction& instruction = function.instructions[frame.pc];
  Step step(*this, thread, instruction);
  StepRecord record{.thread = thread.index, .function = frame.function, .instruction = frame.pc};
  record.on = step.is_on();
  if (const auto address = record.on ? step.counted_address() : std::nullopt)
    record.accesses = 1, record.space = uint8_t(address->first), record.address = address->second;
  const size_t depth = thread.frames.size();
  const uint32_t pc = frame.pc;
  const bool gives_way = step.execute();
  const bool moved = thread.frames.size() != depth || thread.frame().pc != pc;
  if (moved || instruction.spec().opcode == "bra") run.log->add(record);
  return gives_way;
}

// Both answer whether there was anything to run.
bool Block::run_thread(Thread& thread) {
  if (thread.state != Thread::State::Running) return false;
  for (uint32_t n = 0; n < kSlice && thread.state == Thread::State::Running && !fault; ++n) {
    if (run.log) run.log->next_turn();
    if (step(thread)) break;
  }
  return true;
}

bool Block::run_warp(uint32_t warp) {
  if (earliest_lanes(warp).empty()) return false;
  deferred_.show(warp);
  if (run.trial)
    run_lanes_on_trial(warp);
  else
    run_lanes(warp);
  deferred_.hide(warp);
  return true;
}

// The lanes that can run and stand earliest in the program: lanes of a warp execute in lockstep, and those that have
// diverged reconverge.
Block::EarliestLanes Block::earliest_lanes(uint32_t warp) {
  // Of deep recursion the outer calls decide.
  constexpr size_t kDeepest = 64;
  auto before = [](const Thread& a, const Thread& b) {
    if (a.frames.size() == b.frames.size() && a.frame().pc == b.frame().pc &&
        (a.frames.size() == 1 || a.frames[a.frames.size() - 2].pc == b.frames[b.frames.size() - 2].pc))
      return false;
    const size_t depth = std::min({a.frames.size(), b.frames.size(), kDeepest});
    for (size_t k = 0; k < depth; ++k)
      if (a.frames[k].pc != b.frames[k].pc) return a.frames[k].pc < b.frames[k].pc;
    return a.frames.size() > b.frames.size();  // within the call
  };
  EarliestLanes earliest;
  const size_t end = std::min<size_t>(threads.size(), (warp + 1) * 32);
  for (size_t t = warp * 32; t < end; ++t) {
    Thread& thread = threads[t];
    if (thread.state != Thread::State::Running) continue;
    if (!earliest.empty() && before(*earliest.threads[0], thread)) continue;
    if (!earliest.empty() && before(thread, *earliest.threads[0])) earliest.count = 0;
    earliest.threads[earliest.count++] = &thread;
  }
  if (!earliest.empty()) order_for_store(earliest);
  return earliest;
}

// Of lanes that store to one place the last one's value stays.
void Block::order_for_store(EarliestLanes& lanes) const {
  const Frame& frame = lanes.threads[0]->frame();
  const auto& instructions = run.program.module.functions[frame.function].instructions;
  if (frame.pc >= instructions.size() || instructions[frame.pc].spec().opcode != "st") return;
  lanes.store = true;
  const ptx::Instruction& store = instructions[frame.pc];
  const unsigned at_once = simt::stored_at_once(element_count(store.operands[1]) * ptx::bytes_of(store.type()));
  std::sort(lanes.threads.begin(), lanes.threads.begin() + lanes.count, [&](const Thread* a, const Thread* b) {
    return simt::storing_rank(a->lane(), at_once) < simt::storing_rank(b->lane(), at_once);
  });
}

// The step of one of the lanes, unless another has made it wait or the block has failed. Of several stores that fail
// the lowest lane's is reported.
bool Block::step_of(const EarliestLanes& lanes, Thread& thread) {
  if (thread.state != Thread::State::Running || (fault && !lanes.store)) return false;
  if (!fault) return step(thread);
  KernelFault before = *std::exchange(fault, std::nullopt);
  const bool gives_way = step(thread);
  if (!fault || before.thread < fault->thread) fault = std::move(before);
  return gives_way;
}

// Until all lanes wait or the slice is over. Lanes that stand later in the program wait for those before them, unless
// these poll: they may wait for something that a later lane is going to do.
void Block::run_lanes(uint32_t warp) {
  const size_t end = std::min<size_t>(threads.size(), (warp + 1) * 32);
  for (uint32_t n = 0, polls = 0; n < kSlice && !fault; ++n) {
    const EarliestLanes lanes = earliest_lanes(warp);
    if (lanes.empty()) return;
    bool polled = false;
    if (run.log) run.log->next_turn();
    for (Thread* lane : lanes) {
      lane->polls = false;
      const bool gives_way = step_of(lanes, *lane);
      polled = polled || lane->polls || gives_way;
    }
    settle_postponed(warp);
    if (!polled || ++polls < kPollsAhead) continue;
    polls = 0;
    for (size_t t = warp * 32; t < end && !fault; ++t)
      if (threads[t].state == Thread::State::Running &&
          std::find(lanes.begin(), lanes.end(), &threads[t]) == lanes.end())
        run_thread(threads[t]);
  }
}

// Until all lanes wait. Where a lane waits for one that stands later, they wait for ever, until the block is left.
void Block::run_lanes_on_trial(uint32_t warp) {
  for (uint32_t n = 1; !fault; ++n) {
    const EarliestLanes lanes = earliest_lanes(warp);
    if (lanes.empty()) return;
    for (Thread* lane : lanes) step_of(lanes, *lane);
    settle_postponed(warp);
    if (n % kStepsOnTrial == 0 && (run.trial->left = run.trial->must_leave())) return;
  }
}

void Block::store(Thread& thread, std::byte* to, const void* value, uint32_t bytes) {
  constexpr uint32_t kMost = sizeof(uint64_t);
  // A generic address may lead to the thread's own memory.
  const bool is_local = local != 0 && uint64_t(to - engine_view(local)) < threads.size() * run.program.local_bytes;
  if (run.in_lockstep && threads.size() > 32 && !is_local)
    for (uint32_t at = 0; at < bytes; at += kMost) {
      uint64_t bits = 0;
      const uint32_t piece = std::min(bytes - at, kMost);
      std::memcpy(&bits, static_cast<const std::byte*>(value) + at, piece);
      deferred_.note(thread.warp(), to + at, piece, bits);
    }
  std::memcpy(to, value, bytes);
}

void Block::exit(Thread& thread) {
  thread.copies.finish();
  thread.bulk_copies.finish();
  thread.state = Thread::State::Done;
  thread.frames.clear();
  --alive_;
  if (alive_ == 0) deferred_.publish();
  cluster.thread_exited(thread);
  settle_warp(thread.warp());
  for (uint32_t id = 0; id < Barrier::kCount; ++id) settle_barrier(id);
}

void Block::fail(KernelFault what) {
  if (!fault) fault = std::move(what);
}

const Thread* Block::first_alive() const {
  const Thread* running = nullptr;
  for (const Thread& thread : threads) {
    if (thread.state != Thread::State::Running && thread.state != Thread::State::Done) return &thread;
    if (thread.state == Thread::State::Running && !running) running = &thread;
  }
  return running;
}

std::string Block::waiting() const {
  // Threads that wait at the same instruction make one line.
  struct Group {
    const Thread* first;
    uint32_t count, last;
  };
  std::vector<Group> groups;
  uint32_t gone = 0;
  for (const Thread& thread : threads) {
    if (thread.state == Thread::State::Done) ++gone;
    if (thread.state == Thread::State::Running || thread.state == Thread::State::Done) continue;
    auto same = std::find_if(groups.begin(), groups.end(), [&](const Group& g) {
      return g.first->frame().function == thread.frame().function && g.first->frame().pc == thread.frame().pc &&
             g.first->awaited == thread.awaited;
    });
    if (same == groups.end())
      groups.push_back({&thread, 1, thread.index});
    else
      ++same->count, same->last = thread.index;
  }
  std::string text;
  for (const Group& group : groups) {
    const Frame& frame = group.first->frame();
    text += fmt::format("\n  {} thread{} ({}{}) at {}", group.count, group.count == 1 ? " waits" : "s wait",
                        group.first->index, group.count == 1 ? "" : fmt::format(" to {}", group.last),
                        describe_place(run.program.module, frame.function, frame.pc));
    if (group.first->state == Thread::State::Mbarrier) {
      uint64_t word = *reinterpret_cast<const uint64_t*>(engine_view(group.first->awaited));
      text += fmt::format(", for the mbarrier at {:#x}, {}", group.first->awaited - shared, describe_mbarrier(word));
    }
  }
  if (gone) text += fmt::format("\n  {} thread{} ended", gone, gone == 1 ? " has" : "s have");
  return text;
}

}  // namespace warpwise::exec::interpreter
