// Barriers and fences (PTX ISA 9.7.13.1 to 9.7.13.5).
//
// bar is barrier with .aligned, a promise that all threads of a warp arrive together. Our code is right without the
// promise.
#include "simt/lower/dispatch.h"

namespace warpwise::simt {

using ptx::Mod;
using ptx::Operand;
using ptx::Type;

namespace {

bool given(Emit& e, unsigned index) { return index < e.operand_count() && !e.operand(index).is(Operand::Kind::None); }

void sync(Emit& e) {
  Value threads = given(e, 1) ? e.in(1, Type::U32) : e.i32(0);  // 0: all of the block
  e.call(Dialect::BarrierSync, e.in(0, Type::U32), threads);
}
void arrive(Emit& e) { e.call(Dialect::BarrierArrive, e.in(0, Type::U32), e.in(1, Type::U32)); }

// d, barrier {, threads}, predicate. operation: 0 popc, 1 and, 2 or.
Value reduce(Emit& e, uint32_t operation) {
  unsigned last = e.operand_count() - 1;
  Value threads = last == 3 && given(e, 2) ? e.in(2, Type::U32) : e.i32(0);
  return e.call(Dialect::BarrierRed, e.in(1, Type::U32), threads, e.i32(operation), e.predicate(e.operand(last)));
}
void reduce_predicate(Emit& e) { e.d(reduce(e, e.has(Mod::And) ? 1 : 2) != 0); }

// LLVM's fence expresses all orderings. Its scope is the whole system, the widest in PTX.
void fence(Emit& e, bool sequential) {
  e.ir.CreateFence(sequential ? llvm::AtomicOrdering::SequentiallyConsistent : llvm::AtomicOrdering::AcquireRelease);
}

}  // namespace

void lower_bar_sync(Emit& e) { sync(e); }
void lower_bar_arrive(Emit& e) { arrive(e); }
void lower_bar_red_popc(Emit& e) { e.d(reduce(e, 0)); }
void lower_bar_red(Emit& e) { reduce_predicate(e); }
void lower_barrier_sync(Emit& e) { sync(e); }
void lower_barrier_arrive(Emit& e) { arrive(e); }
void lower_barrier_red_popc(Emit& e) { e.d(reduce(e, 0)); }
void lower_barrier_red(Emit& e) { reduce_predicate(e); }

void lower_bar_warp_sync(Emit& e) { e.call(Dialect::WarpSync, e.in(0, Type::B32)); }

// membar is fence.sc (9.7.13.4). Without .sem, fence is acq_rel.
void lower_membar(Emit& e) { fence(e, true); }
void lower_fence(Emit& e) { fence(e, e.has(Mod::Sc)); }
// There is one proxy here: every access goes through the same memory.
void lower_membar_proxy(Emit&) {}
void lower_fence_proxy(Emit&) {}
void lower_fence_proxy_async(Emit&) {}
void lower_fence_proxy_async_acquire_restrict(Emit& e) { fence(e, false); }
void lower_fence_proxy_async_release_restrict(Emit& e) { fence(e, false); }
void lower_fence_proxy_tensormap_release(Emit&) {}
void lower_fence_proxy_tensormap_acquire(Emit&) {}
void lower_fence_mbarrier_init(Emit& e) { fence(e, false); }
void lower_fence_acquire_restrict(Emit& e) { fence(e, false); }
void lower_fence_release_restrict(Emit& e) { fence(e, false); }

}  // namespace warpwise::simt
