// Barriers and fences (PTX ISA 9.7.13.1 to 9.7.13.5). bar is barrier with .aligned, a promise that all
// threads of a warp arrive together; what we do is right without it.
#include <fmt/format.h>

#include "exec/interpreter/dispatch.h"

namespace warpwise::exec::interpreter {

using device::Failure;
using ptx::Mod;
using ptx::Type;

namespace {

// Whether the thread may go on: it has waited, or need not, or made a mistake.
bool arrive(Step& s, uint32_t id, uint32_t expected, bool waits, bool predicate) {
  if (id >= Barrier::kCount) {
    s.fail(Failure::LaunchFailure, fmt::format("barrier {} does not exist; a block has barriers 0 to 15", id));
  } else if (expected % 32 != 0) {
    s.fail(Failure::LaunchFailure,
           fmt::format("a barrier for {} threads: the number must be a multiple of 32", expected));
  } else {
    if (s.block.arrive(s.thread, id, expected, waits, predicate)) return true;
    s.stay();
  }
  return false;
}

void sync(Step& s) { arrive(s, s.u32(0), s.present(1) ? s.u32(1) : 0, true, false); }
void arrive_only(Step& s) {
  s.block.commit_stores(s.thread);
  arrive(s, s.u32(0), s.u32(1), false, false);
}

// d, barrier {, threads}, predicate.
bool reduce(Step& s) {
  unsigned last = static_cast<unsigned>(s.inst.operands.size()) - 1;
  uint32_t threads = last == 3 && s.present(2) ? s.u32(2) : 0;
  return arrive(s, s.u32(1), threads, true, s.predicate(last));
}
void count(Step& s) {
  if (reduce(s)) s.d(Bits{s.thread.outcome.value}, Type::U32);
}
void reduce_predicate(Step& s) {
  if (!reduce(s)) return;
  bool all = s.thread.outcome.flag, any = s.thread.outcome.value != 0;
  s.d(Bits{s.has(Mod::And) ? all : any}, Type::Pred);
}

}  // namespace

void run_bar_sync(Step& s) { sync(s); }
void run_bar_arrive(Step& s) { arrive_only(s); }
void run_bar_red_popc(Step& s) { count(s); }
void run_bar_red(Step& s) { reduce_predicate(s); }
void run_barrier_sync(Step& s) { sync(s); }
void run_barrier_arrive(Step& s) { arrive_only(s); }
void run_barrier_red_popc(Step& s) { count(s); }
void run_barrier_red(Step& s) { reduce_predicate(s); }

// Threads take turns between instructions and see one memory: all that is left to order are deferred stores.
void run_membar(Step& s) { s.block.commit_stores(s.thread); }
void run_membar_proxy(Step&) {}
void run_fence(Step& s) { s.block.commit_stores(s.thread); }
void run_fence_proxy(Step&) {}
void run_fence_proxy_async(Step&) {}
void run_fence_proxy_async_acquire_restrict(Step& s) { s.block.commit_stores(s.thread); }
void run_fence_proxy_async_release_restrict(Step& s) { s.block.commit_stores(s.thread); }
void run_fence_proxy_tensormap_release(Step&) {}
void run_fence_proxy_tensormap_acquire(Step&) {}
void run_fence_mbarrier_init(Step& s) { s.block.commit_stores(s.thread); }
void run_fence_acquire_restrict(Step& s) { s.block.commit_stores(s.thread); }
void run_fence_release_restrict(Step& s) { s.block.commit_stores(s.thread); }

}  // namespace warpwise::exec::interpreter
