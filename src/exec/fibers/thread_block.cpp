#include "exec/fibers/thread_block.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "exec/fault/fault_report.h"
#include "exec/fibers/cluster.h"
#include "exec/fibers/collective_answers.h"
#include "exec/observer.h"
#include "simt/lane_order.h"

namespace warpwise::exec {

using device::Failure;
using simt::kLanes;

namespace {

// Between two checks of the watchdog.
constexpr uint32_t kYieldsPerCheck = 4096;
// A frame of compiled code on the fiber's stack may be this many times as large as the function's frame on a GPU:
// there are fewer registers, and parameters lie in memory.
constexpr size_t kNativePerStackByte = 4;
// Besides the frame of compiled code: a matrix product of tensor cores takes 70 KiB, and a block has few warps.
constexpr size_t kWarpStackBytes = 256 << 10;
// What services (printf above all) take of a fiber's stack.
constexpr size_t kServiceBytes = 16 << 10;

}  // namespace

Result<void> FiberBlock::start(uint64_t place) {
  TRY(run_.begin(slot_.memory));
  run_.enter(place);
  const KernelLaunch& launch = run_.launch.launch;
  const uint32_t all = static_cast<uint32_t>(launch.block.count()), each = runs_warps() ? kLanes : 1;
  const uint32_t count = (all + each - 1) / each;
  const size_t stack = (runs_warps() ? kWarpStackBytes : StackPool::kStackBytes) +
                       run_.launch.kernel.about().native_frame_bytes + kNativePerStackByte * launch.stack_bytes;
  TRY(slot_.stacks.reserve(count, (stack + 4095) / 4096 * 4096));
  threads_.clear();
  threads_.resize(count);
  warps_.assign((all + kLanes - 1) / kLanes, {});
  run_.tensor.reset();
  for (Barrier& barrier : barriers_) barrier = {};
  live_ = all;
  progressed_ = true;
  yields_until_check_ = kYieldsPerCheck;
  ready_.clear();
  const Schedule& schedule = run_.launch.machine.options.schedule;
  random_.seed(schedule.seed ^ run_.block * 0x9e3779b97f4a7c15u);

  std::vector<uint32_t> order(count);
  for (uint32_t n = 0; n < count; ++n) {
    FiberThread& thread = threads_[n];
    const uint32_t t = n * each;
    const device::Dim3 tid = launch.thread_at(t);
    thread.lanes = std::min(each, all - t);
    thread.context.block = &run_.context;
    thread.context.tid[0] = tid.x, thread.context.tid[1] = tid.y, thread.context.tid[2] = tid.z;
    thread.context.thread = t;
    thread.context.local = run_.context.local + uint64_t{t} * run_.context.local_stride;
    thread.context.fiber = &thread;
    thread.owner = this;
    thread.context.stack_end = reinterpret_cast<uint64_t>(slot_.stacks.stack(n).bottom) + kServiceBytes;
    thread.fiber.start(slot_.stacks.stack(n), &thread_main, &thread);
    warps_[thread.warp()].live |= 1u << thread.lane();
    order[n] = n;
  }
  make_ready(order);
  return {};
}

void FiberBlock::thread_main(void* argument) {
  FiberThread* thread = static_cast<FiberThread*>(argument);
  thread->owner->run_.launch.kernel.thread_entry()(&thread->context);
}

void FiberBlock::make_ready(std::vector<uint32_t>& threads) {
  if (run_.launch.machine.options.schedule.shuffle) std::shuffle(threads.begin(), threads.end(), random_);
  for (uint32_t t : threads) {
    threads_[t].state = FiberThread::State::Ready;
    threads_[t].yielded = false;
    ready_.push_back(t);
  }
}

void FiberBlock::resume(FiberThread& thread) {
  thread.state = FiberThread::State::Running;
  run_.running = &thread;
  run_.running_thread = runs_warps() ? -1 : int64_t{thread.context.thread};
  run_.context.warp = thread.warp();
  if (!thread.fiber.resume()) exited(thread);
  run_.running = nullptr;
  run_.running_thread = -1;
}

// The ready threads of a warp run one after the other, so that each warp sees its own deferred stores and no other's. A
// shuffled schedule defers no stores, and each thread runs by itself.
void FiberBlock::turn() {
  progressed_ = false;
  const bool by_warp = !run_.launch.machine.options.schedule.shuffle;
  std::vector<uint32_t> ready(ready_.begin(), ready_.end());
  ready_.clear();
  const auto warp_of = [this](uint32_t index) { return threads_[index].warp(); };
  if (by_warp) std::ranges::stable_sort(ready, {}, warp_of);
  for (auto first = ready.begin(); first != ready.end();) {
    const uint32_t warp = warp_of(*first);
    const auto end =
        by_warp ? std::find_if(first, ready.end(), [&](uint32_t t) { return warp_of(t) != warp; }) : first + 1;
    run_together(warp, {first, end});
    first = end;
  }
}

// Then come the lanes that have waited for their place in the order of the warp.
void FiberBlock::run_together(uint32_t warp, std::span<const uint32_t> ready) {
  run_.deferred.show(warp);
  for (uint32_t t : ready) resume(threads_[t]);
  for (std::vector<uint32_t> next; !(next = next_in_order(warp)).empty();) {
    progressed_ = true;
    for (uint32_t t : next) resume(threads_[t]);
  }
  run_.deferred.hide(warp);
}

bool FiberBlock::may_still_come(const FiberThread& thread) const {
  return thread.state == FiberThread::State::Running || (thread.state == FiberThread::State::Ready && !thread.yielded);
}

// The lanes that wait at the earliest place, if no other lane of the warp is on its way.
std::vector<uint32_t> FiberBlock::next_in_order(uint32_t warp) const {
  std::vector<uint32_t> next;
  if (runs_warps()) return next;  // a warp's lanes run in order
  uint32_t earliest = ~0u;
  const uint32_t end = std::min(uint32_t(threads_.size()), (warp + 1) * kLanes);
  for (uint32_t t = warp * kLanes; t < end; ++t) {
    const FiberThread& thread = threads_[t];
    if (may_still_come(thread)) return {};
    if (thread.state != FiberThread::State::AtOrder || thread.site > earliest) continue;
    if (thread.site < earliest) next.clear();
    earliest = thread.site;
    next.push_back(t);
  }
  if (!next.empty())
    if (const uint32_t at_once = threads_[next[0]].at_once)
      std::ranges::sort(next, {}, [&](uint32_t t) { return simt::storing_rank(threads_[t].lane(), at_once); });
  return next;
}

void FiberBlock::left() {
  if (run_.running) run_.running->fiber.left();
}

void FiberBlock::exited(FiberThread& thread) {
  thread.state = FiberThread::State::Exited;
  progressed_ = true;
  live_ -= thread.lanes;
  warps_[thread.warp()].live &= ~(1u << thread.lane());
  for (Barrier& barrier : barriers_) complete_if_all_arrived(barrier);
  resolve_collectives(thread.warp());
  cluster_.thread_exited(thread);
  if (live_ == 0) run_.deferred.publish();
  if (live_ == 0) leave_tensor_memory();
  if (live_ == 0 && run_.counts) run_.launch.machine.observer->block_ends(run_);
}

// All columns are given back before a kernel ends (PTX ISA 9.7.16.7.1).
void FiberBlock::leave_tensor_memory() {
  const uint32_t columns = run_.tensor ? run_.tensor->memory.allocated_columns() : 0;
  Observer* observer = run_.launch.machine.observer;
  if (columns == 0 || !observer) return;
  TensorMemoryMistake mistake{TensorMemoryMistake::Kind::Left, run_, run_.tensor->allocated_by,
                              run_.tensor->allocated_at};
  mistake.columns = columns;
  observer->tensor_memory_mistaken(mistake);
}

void FiberBlock::yield(FiberThread& thread) {
  thread.state = FiberThread::State::Ready;
  thread.yielded = true;
  ready_.push_back(index_of(thread));
  resolve_when_all_wait(thread.warp());
  if (--yields_until_check_ == 0) {
    yields_until_check_ = kYieldsPerCheck;
    run_.check_progress(thread.warp(), thread.pc);
  }
  thread.fiber.suspend();
}

// --- barriers ---------------------------------------------------------------------------------------------

// Barriers count warps: the last lane of a partial warp also stands for the lanes that do not exist
// (PTX ISA, bar: "the arrival count is incremented by the warp size").
uint32_t FiberBlock::weight(const FiberThread& thread) const {
  return &thread == &threads_.back() ? kLanes - thread.lane() : thread.lanes;
}

FiberBlock::Barrier& FiberBlock::barrier_of(FiberThread& thread, uint32_t id, uint32_t threads) {
  if (id >= kBarriers || threads % kLanes != 0) {
    KernelFault fault;
    fault.failure = Failure::LaunchFailure;
    fault.what = id >= kBarriers ? fmt::format("barrier {} does not exist (0 to 15 do)", id)
                                 : fmt::format("a barrier for {} threads: not a multiple of 32", threads);
    fault.instruction = thread.site;
    run_.fail(std::move(fault), thread.pc);
  }
  Barrier& barrier = barriers_[id];
  barrier.arrivals.expected = threads;
  progressed_ = true;
  return barrier;
}

void FiberBlock::complete_if_all_arrived(Barrier& barrier) {
  const BarrierArrivals& arrivals = barrier.arrivals;
  if (arrivals.threads == 0) return;
  // Without a count every thread that has not exited must come.
  if (arrivals.expected == 0 ? barrier.waiting_threads < live_ : arrivals.threads < arrivals.expected) return;
  uint32_t sum = 0, voters = 0;
  for (uint32_t t : barrier.waiting) sum += threads_[t].predicates, voters += threads_[t].voters;
  for (uint32_t t : barrier.waiting) {
    FiberThread& thread = threads_[t];
    const uint32_t results[3] = {sum, sum == voters, sum != 0};
    thread.barrier_result = results[thread.barrier_op % 3];
  }
  run_.deferred.publish();
  std::vector<uint32_t> released = std::move(barrier.waiting);
  barrier = {};
  std::sort(released.begin(), released.end());
  make_ready(released);
}

void FiberBlock::wait_at_barrier(FiberThread& thread, uint32_t id, uint32_t threads) {
  Barrier& barrier = barrier_of(thread, id, threads);
  thread.state = FiberThread::State::AtBarrier;
  thread.barrier = id;
  barrier.arrivals.threads += weight(thread);
  barrier.waiting.push_back(index_of(thread));
  barrier.waiting_threads += thread.lanes;
  complete_if_all_arrived(barrier);
  resolve_when_all_wait(thread.warp());
  thread.fiber.suspend();
}

void FiberBlock::wait_for_lanes(FiberThread& thread) {
  if (run_.launch.machine.options.schedule.shuffle) return;
  thread.state = FiberThread::State::AtOrder;
  thread.fiber.suspend();
}

void FiberBlock::arrive_at_barrier(FiberThread& thread, uint32_t id, uint32_t threads) {
  Barrier& barrier = barrier_of(thread, id, threads);
  barrier.arrivals.threads += weight(thread);
  complete_if_all_arrived(barrier);
}

// --- mbarriers and the cluster ----------------------------------------------------------------------------

void FiberBlock::sleep_at_mbarrier(FiberThread& thread, uint64_t mbarrier) {
  thread.state = FiberThread::State::AtMbarrier;
  thread.mbarrier = mbarrier;
  resolve_when_all_wait(thread.warp());
  if (--yields_until_check_ == 0) {
    yields_until_check_ = kYieldsPerCheck;
    run_.check_progress(thread.warp(), thread.pc);
  }
  thread.fiber.suspend();
}

void FiberBlock::wait_for_cluster(FiberThread& thread) {
  thread.state = FiberThread::State::AtClusterBarrier;
  resolve_when_all_wait(thread.warp());
  thread.fiber.suspend();
}

void FiberBlock::wait_for_columns(FiberThread& thread) {
  thread.state = FiberThread::State::AtColumns;
  resolve_when_all_wait(thread.warp());
  thread.fiber.suspend();
}

// mbarrier 0: any.
void FiberBlock::wake(FiberThread::State state, uint64_t mbarrier) {
  std::vector<uint32_t> woken;
  for (const FiberThread& thread : threads_)
    if (thread.state == state && (mbarrier == 0 || thread.mbarrier == mbarrier)) woken.push_back(index_of(thread));
  if (woken.empty()) return;
  make_ready(woken);
  progressed_ = true;
}

void FiberBlock::phase_ended(uint64_t mbarrier) {
  for (FiberThread& thread : threads_)
    if (thread.state == FiberThread::State::AtMbarrier && thread.mbarrier == mbarrier) thread.phase_is_over = true;
  wake(FiberThread::State::AtMbarrier, mbarrier);
}
void FiberBlock::cluster_arrived() { wake(FiberThread::State::AtClusterBarrier, 0); }
void FiberBlock::columns_changed() { wake(FiberThread::State::AtColumns, 0); }
bool FiberBlock::give_up_waiting() {
  size_t before = ready_.size();
  wake(FiberThread::State::AtMbarrier, 0);
  return ready_.size() > before;
}

// --- collectives of a warp -----------------------------------------------------------------------------------

void FiberBlock::converge(FiberThread& thread) {
  progressed_ = true;
  const uint32_t bit = 1u << thread.lane();
  thread.state = FiberThread::State::AtCollective;
  Warp& warp = warps_[thread.warp()];
  warp.waiting |= bit;
  if (thread.collective == Collective::ActiveMask)
    warp.pending_activemask |= bit;
  else if ((thread.mask & warp.live) != warp.live)
    warp.of_some |= bit;
  else
    resolve_collective(thread);
  resolve_when_all_wait(thread.warp());
  thread.fiber.suspend();
}

std::span<FiberThread> FiberBlock::threads_of(uint32_t warp) {
  const std::span<FiberThread> threads(threads_);
  const size_t first = size_t{warp} * kLanes;
  return threads.subspan(first, std::min<size_t>(kLanes, threads.size() - first));
}

template <class Predicate>
uint32_t FiberBlock::lanes_that(uint32_t w, uint32_t among, const Predicate& predicate) const {
  uint32_t found = 0;
  for (; among; among &= among - 1)
    if (predicate(threads_[w * kLanes + uint32_t(std::countr_zero(among))])) found |= among & -among;
  return found;
}

void FiberBlock::answer(uint32_t w, uint32_t lanes) {
  Warp& warp = warps_[w];
  answer_collective(run_, threads_of(w), lanes);
  warp.waiting &= ~lanes;
  warp.of_some &= ~lanes;
  std::vector<uint32_t> released;
  for (; lanes; lanes &= lanes - 1) released.push_back(w * kLanes + uint32_t(std::countr_zero(lanes)));
  make_ready(released);
}

// Whether all have come that the mask of `one` names; if so they get their answers and go on, and so do lanes that it
// leaves out, where they stand beside one of those.
bool FiberBlock::resolve_collective(const FiberThread& one) {
  const uint32_t w = one.warp(), named = one.mask & warps_[w].live;
  const uint32_t alike = lanes_that(w, warps_[w].waiting, [&](const FiberThread& other) {
    return other.collective == one.collective && other.mask == one.mask;
  });
  if (named == 0 || (alike & named) != named) return false;
  const uint32_t beside = lanes_that(w, alike & ~named, [&](const FiberThread& other) {
    return lanes_that(w, named, [&](const FiberThread& member) { return member.pc == other.pc; }) != 0;
  });
  answer(w, named | beside);
  return true;
}

// After a lane has exited: any collective may be complete now.
void FiberBlock::resolve_collectives(uint32_t w) {
  Warp& warp = warps_[w];
  for (uint32_t lanes = warp.waiting & ~(warp.of_some | warp.pending_activemask); lanes; lanes &= lanes - 1)
    if (const FiberThread& thread = at(w, std::countr_zero(lanes)); thread.state == FiberThread::State::AtCollective)
      resolve_collective(thread);
  resolve_when_all_wait(w);
}

void FiberBlock::resolve_when_all_wait(uint32_t w) {
  const Warp& warp = warps_[w];
  if ((warp.of_some | warp.pending_activemask) == 0) return;
  const auto is_on_its_way = [&](const FiberThread& thread) {
    return may_still_come(thread) || thread.state == FiberThread::State::AtOrder;
  };
  if (lanes_that(w, warp.live, is_on_its_way) != 0) return;
  if (!resolve_masks_of_some(w)) resolve_activemask(w);
}

// Whether any lane goes on.
bool FiberBlock::resolve_masks_of_some(uint32_t w) {
  const Warp& warp = warps_[w];
  bool any = false;
  for (uint32_t lanes = warp.of_some; lanes; lanes &= lanes - 1)
    if (warp.of_some & lanes & -lanes) any |= resolve_collective(at(w, std::countr_zero(lanes)));
  if (any) return true;
  // Lanes that their masks leave out wait for no one: those at the earliest place go on.
  const uint32_t left_out =
      lanes_that(w, warp.of_some, [](const FiberThread& thread) { return !(thread.mask >> thread.lane() & 1); });
  if (left_out == 0) return false;
  const FiberThread* first = nullptr;
  for (uint32_t lanes = left_out; lanes; lanes &= lanes - 1)
    if (const FiberThread& thread = at(w, std::countr_zero(lanes)); !first || thread.site < first->site)
      first = &thread;
  answer(w, lanes_that(w, left_out, [&](const FiberThread& thread) {
           return thread.pc == first->pc && thread.mask == first->mask;
         }));
  return true;
}

// When no other lane may still come.
void FiberBlock::resolve_activemask(uint32_t w) {
  Warp& warp = warps_[w];
  if (warp.pending_activemask == 0) return;
  // The lane that stands earliest in the program goes on first and may join the others before they are answered, as
  // when a warp had one program counter: shfl and vote without .sync rely on it. No lane is passed over for ever.
  constexpr uint32_t kPatience = 32;
  std::vector<uint32_t> released;
  uint32_t pending = 0, earliest = ~0u;
  for (uint32_t lanes = warp.pending_activemask; lanes; lanes &= lanes - 1)
    earliest = std::min(earliest, at(w, std::countr_zero(lanes)).site);
  for (uint32_t lanes = warp.pending_activemask; lanes; lanes &= lanes - 1) {
    FiberThread& thread = at(w, std::countr_zero(lanes));
    if (thread.site != earliest && ++thread.passed_over < kPatience) continue;
    thread.passed_over = 0;
    pending |= lanes & -lanes;
  }
  warp.pending_activemask &= ~pending;
  warp.waiting &= ~pending;
  for (uint32_t lanes = pending; lanes; lanes &= lanes - 1) {
    FiberThread& thread = at(w, std::countr_zero(lanes));
    thread.result = 0;
    for (uint32_t others = pending; others; others &= others - 1)
      if (at(w, std::countr_zero(others)).pc == thread.pc) thread.result |= others & -others;
    released.push_back(thread.context.thread);
  }
  make_ready(released);
}

// --- deadlock ---------------------------------------------------------------------------------------------

std::string FiberBlock::describe_waiting(const std::string& prefix) const {
  BarrierArrivals barriers[kBarriers];
  for (unsigned id = 0; id < kBarriers; ++id) barriers[id] = barriers_[id].arrivals;
  return exec::describe_waiting(run_, threads_, barriers, live_, prefix);
}

const FiberThread* FiberBlock::first_waiting() const {
  auto found = std::find_if(threads_.begin(), threads_.end(),
                            [](const FiberThread& t) { return t.state != FiberThread::State::Exited; });
  return found == threads_.end() ? nullptr : &*found;
}

}  // namespace warpwise::exec
