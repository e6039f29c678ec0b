// mbarriers (PTX ISA 9.7.13.15) and barrier.cluster (9.7.13.3). What the words of an mbarrier are is in
// exec/async/mbarrier.h; cluster.cpp keeps the threads that wait, and wakes them.
#include <fmt/format.h>

#include "exec/interpreter/cluster.h"
#include "exec/interpreter/dispatch.h"
#include "exec/memory/arena.h"

namespace warpwise::exec::interpreter {

using device::Failure;
using ptx::Mod;
using ptx::Type;
using simt::MbarrierOp;

namespace {

Cluster& cluster(Step& s) { return s.block.cluster; }

// state, [address] {, count}; `address` and `count` are operands.
std::optional<uint64_t> apply(Step& s, MbarrierOp op, unsigned address, uint32_t count) {
  device::Address at = s.mbarrier(address);
  if (at == 0) return std::nullopt;
  s.block.commit_stores(s.thread);
  MbarrierResult result = cluster(s).apply(op, at, count);
  if (result.error.empty()) return result.state;
  s.fail(Failure::LaunchFailure, std::move(result.error), at);
  return std::nullopt;
}
void arrive(Step& s, MbarrierOp op) {
  if (auto state = apply(s, op, 1, s.present(2) ? s.u32(2) : 1)) s.d(Bits{*state}, Type::B64);
}

// d, [address], phase. A thread that must wait stops here, and asks again when it is woken.
void wait(Step& s) {
  device::Address at = s.mbarrier(1);
  if (at == 0) return;
  const uint64_t& word = *reinterpret_cast<const uint64_t*>(engine_view(at));
  const bool parity = s.has(Mod::Parity);
  const uint64_t phase = static_cast<uint64_t>(s.bits_in(2, parity ? Type::U32 : Type::B64));
  s.thread.polls = true;
  auto ended = [&] { return Mbarrier::is_one(word) && has_ended(word, phase, parity); };
  // Woken by the end of the phase, it has its answer, whatever has become of the mbarrier since.
  if (s.thread.answered && s.thread.outcome.flag) {
    s.thread.answered = false;
    return s.d(Bits{true}, Type::Pred);
  }
  if (!Mbarrier::is_one(word)) {
    return s.fail(
        Failure::LaunchFailure,
        "a wait where there is no mbarrier: mbarrier.init has not run, or the object was invalidated or overwritten",
        at);
  }
  if (!ended()) cluster(s).deliver(at);
  if (!s.thread.answered && !ended()) {
    s.thread.state = Thread::State::Mbarrier;
    s.thread.awaited = at;
    return s.stay();
  }
  s.thread.answered = false;
  s.d(Bits{ended()}, Type::Pred);
}

}  // namespace

void run_mbarrier_init(Step& s) { apply(s, MbarrierOp::Init, 0, s.u32(1)); }
void run_mbarrier_inval(Step& s) { apply(s, MbarrierOp::Inval, 0, 0); }
void run_mbarrier_expect_tx(Step& s) { apply(s, MbarrierOp::ExpectTx, 0, s.u32(1)); }
void run_mbarrier_complete_tx(Step& s) { apply(s, MbarrierOp::CompleteTx, 0, s.u32(1)); }
void run_mbarrier_arrive(Step& s) { arrive(s, s.has(Mod::ExpectTx) ? MbarrierOp::ArriveExpectTx : MbarrierOp::Arrive); }
void run_mbarrier_arrive_no_complete(Step& s) { arrive(s, MbarrierOp::ArriveNoComplete); }
void run_mbarrier_arrive_drop(Step& s) {
  arrive(s, s.has(Mod::ExpectTx) ? MbarrierOp::ArriveDropExpectTx : MbarrierOp::ArriveDrop);
}
void run_mbarrier_arrive_drop_no_complete(Step& s) { arrive(s, MbarrierOp::ArriveDropNoComplete); }
void run_mbarrier_test_wait(Step& s) { wait(s); }
void run_mbarrier_try_wait(Step& s) { wait(s); }
void run_mbarrier_pending_count(Step& s) {
  s.d(Bits{Mbarrier::of(static_cast<uint64_t>(s.bits_in(1, Type::B64))).pending}, Type::B32);
}

// Arrives when the thread's copies so far have landed, at once if it has none. Without .noinc one arrival more is
// expected first.
void run_cp_async_mbarrier_arrive(Step& s) {
  device::Address at = s.mbarrier(0);
  if (at == 0) return;
  uint64_t& word = *reinterpret_cast<uint64_t*>(engine_view(at));
  if (!Mbarrier::is_one(word)) {
    apply(s, MbarrierOp::Arrive, 0, 1);  // says what is wrong
    return;
  }
  if (!s.has(Mod::NoInc)) {
    Mbarrier m = Mbarrier::of(word);
    ++m.pending;
    word = m.word();
  }
  Block& block = s.block;
  const uint32_t index = s.thread.index;
  if (s.thread.copies.empty()) return block.cluster.land(MbarrierOp::Arrive, at, 1);
  cluster(s).launch({at, [&block, index, at] {
                       block.threads[index].copies.finish();
                       block.cluster.land(MbarrierOp::Arrive, at, 1);
                     }});
}

// --- clusters ---

void run_barrier_cluster_arrive(Step& s) {
  if (s.thread.cluster_arrived)
    return s.fail(Failure::LaunchFailure, "barrier.cluster.arrive twice without barrier.cluster.wait between");
  s.block.commit_stores(s.thread);
  cluster(s).arrive(s.thread);
}
void run_barrier_cluster_wait(Step& s) {
  if (!s.thread.cluster_arrived)
    return s.fail(Failure::LaunchFailure, "barrier.cluster.wait without barrier.cluster.arrive before it");
  if (!cluster(s).wait(s.thread)) s.stay();
}

namespace {

uint64_t address(Step& s) { return static_cast<uint64_t>(s.bits_in(1, Type::U64)); }

uint32_t rank_of(Step& s, device::Address address) {
  const Block* owner = cluster(s).owner_of_shared(address, 0);
  for (uint32_t rank = 0; rank < cluster(s).blocks.size(); ++rank)
    if (cluster(s).blocks[rank].get() == owner) return rank;
  return ~0u;
}

}  // namespace

void run_mapa(Step& s) {
  uint32_t rank = s.u32(2);
  if (rank >= cluster(s).blocks.size()) {
    return s.fail(Failure::LaunchFailure,
                  fmt::format("rank {} in a cluster of {} blocks", rank, cluster(s).blocks.size()));
  }
  if (s.has(Mod::SharedCluster)) {
    s.d(Bits{s.seen_cluster_address((address(s) & simt::kClusterOffsetMask) | (uint64_t{rank} + 1)
                                                                                  << simt::kClusterRankBit)},
        s.type());
  } else {
    const Block* own = cluster(s).owner_of_shared(address(s), 0);
    if (!own) return s.fail(Failure::IllegalAddress, "mapa of an address outside shared memory", address(s));
    s.d(Bits{cluster(s).blocks[rank]->shared + (address(s) - own->shared)}, s.type());
  }
}
void run_getctarank(Step& s) {
  uint64_t at = address(s);
  if (s.has(Mod::SharedCluster)) at = cluster(s).to_generic(s.block, s.cluster_address(static_cast<uint32_t>(at)));
  s.d(Bits{rank_of(s, at)}, Type::B32);
}

// Registers are not rationed here, and a grid starts when the one before it has ended.
void run_setmaxnreg(Step&) {}
void run_griddepcontrol(Step&) {}

}  // namespace warpwise::exec::interpreter
