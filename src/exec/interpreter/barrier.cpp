// Barriers of a block (PTX ISA 9.7.13.1).
//
//     barrier.sync    arrives and waits            barrier.red   the same, and reduces predicates
//     barrier.arrive  arrives and goes on
//
// A phase ends when as many threads have arrived as were asked for: all that have not exited, or a count.
// The manual counts in warps; a warp whose threads have all arrived stands for 32, also when the block's
// last one has fewer.
#include "exec/interpreter/block.h"

namespace warpwise::exec::interpreter {

bool Block::arrive(Thread& thread, uint32_t id, uint32_t expected, bool waits, bool predicate) {
  if (thread.answered) {
    thread.answered = false;
    return true;
  }
  Barrier& barrier = barriers_[id];
  barrier.expected = expected;
  barrier.present.set(thread.index);
  ++barrier.arrivals;
  barrier.population += predicate;
  if (waits) barrier.all &= predicate;  // threads that only arrive bring none
  if (waits) {
    thread.state = Thread::State::Barrier;
    thread.barrier = id;
  }
  settle_barrier(id);
  return !waits;
}

bool Block::complete(const Barrier& barrier) const {
  if (barrier.arrivals == 0) return false;
  auto all_of = [&](uint32_t first, uint32_t end) {
    for (uint32_t t = first; t < end; ++t) {
      if (threads[t].state != Thread::State::Done && !barrier.present[t]) return false;
    }
    return true;
  };
  uint32_t count = static_cast<uint32_t>(threads.size());
  if (barrier.expected == 0 || barrier.expected >= count) {
    if (barrier.expected <= (count + 31) / 32 * 32) return all_of(0, count);
  }
  uint32_t arrivals = barrier.arrivals;
  uint32_t last = count / 32 * 32;
  if (last < count && all_of(last, count)) arrivals += 32 - (count - last);
  return arrivals >= barrier.expected;
}

void Block::settle_barrier(uint32_t id) {
  Barrier& barrier = barriers_[id];
  if (!complete(barrier)) return;
  deferred_.publish();
  for (Thread& thread : threads) {
    if (thread.state != Thread::State::Barrier || thread.barrier != id) continue;
    thread.outcome = {barrier.population, barrier.all};  // .or is population != 0
    thread.answered = true;
    thread.state = Thread::State::Running;
  }
  barrier = {};
}

}  // namespace warpwise::exec::interpreter
