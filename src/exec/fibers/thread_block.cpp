#include "exec/fibers/thread_block.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "exec/async/mbarrier.h"
#include "exec/fault/fault_report.h"
#include "exec/fibers/cluster.h"
#include "exec/observer.h"
#include "exec/services/async_services.h"
#include "exec/services/matrix.h"
#include "exec/services/tensor_services.h"
#include "numerics/tensor_move.h"

namespace warpwise::exec {

using device::Failure;
using simt::kLanes;

namespace {

// Between two checks of the watchdog.
constexpr uint32_t kYieldsPerCheck = 4096;
// A frame of compiled code on the fiber's stack may be this many times as large as the function's frame on a GPU:
// there are fewer registers, and parameters lie in memory.
constexpr size_t kNativePerStackByte = 4;
// What services (printf above all) take of a fiber's stack.
constexpr size_t kServiceBytes = 16 << 10;

}  // namespace

Result<void> FiberBlock::start(uint64_t place) {
  TRY(run_.begin(slot_.memory));
  run_.enter(place);
  const KernelLaunch& launch = run_.launch.launch;
  uint32_t count = static_cast<uint32_t>(launch.block.count());
  const size_t stack =
      StackPool::kStackBytes + run_.launch.kernel.about().native_frame_bytes + kNativePerStackByte * launch.stack_bytes;
  TRY(slot_.stacks.reserve(count, (stack + 4095) / 4096 * 4096));
  threads_.clear();
  threads_.resize(count);
  warps_.assign((count + kLanes - 1) / kLanes, {});
  run_.tensor.reset();
  for (Barrier& barrier : barriers_) barrier = {};
  live_ = count;
  progressed_ = true;
  yields_until_check_ = kYieldsPerCheck;
  ready_.clear();
  const Schedule& schedule = run_.launch.machine.options.schedule;
  random_.seed(schedule.seed ^ run_.block * 0x9e3779b97f4a7c15u);

  std::vector<uint32_t> order(count);
  for (uint32_t t = 0; t < count; ++t) {
    FiberThread& thread = threads_[t];
    device::Dim3 tid = launch.thread_at(t);
    thread.context.block = &run_.context;
    thread.context.tid[0] = tid.x, thread.context.tid[1] = tid.y, thread.context.tid[2] = tid.z;
    thread.context.thread = t;
    thread.context.local = run_.context.local + uint64_t{t} * run_.context.local_stride;
    thread.context.fiber = &thread;
    thread.owner = this;
    thread.context.stack_end = reinterpret_cast<uint64_t>(slot_.stacks.stack(t).bottom) + kServiceBytes;
    thread.fiber.start(slot_.stacks.stack(t), &thread_main, &thread);
    warps_[thread.warp()].live |= 1u << thread.lane();
    order[t] = t;
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
  run_.running_thread = thread.context.thread;
  run_.context.warp = thread.warp();
  if (!thread.fiber.resume()) exited(thread);
  run_.running_thread = -1;
}

// What runs without a word from other threads is a warp's ready threads, so that each warp sees its own deferred stores
// and no other's. A shuffled schedule defers no stores, and each thread runs for itself.
void FiberBlock::turn() {
  progressed_ = false;
  const bool by_warp = !run_.launch.machine.options.schedule.shuffle;
  std::vector<uint32_t> ready(ready_.begin(), ready_.end());
  ready_.clear();
  const auto warp_of = [](uint32_t thread) { return thread / kLanes; };
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
  return next;
}

void FiberBlock::left() {
  if (run_.running_thread >= 0) threads_[run_.running_thread].fiber.left();
}

void FiberBlock::exited(FiberThread& thread) {
  thread.state = FiberThread::State::Exited;
  progressed_ = true;
  --live_;
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
  ready_.push_back(thread.context.thread);
  resolve_activemask(thread.warp());
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
  uint32_t t = thread.context.thread;
  return t + 1 == threads_.size() ? kLanes - t % kLanes : 1;
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
  barrier.expected = threads;
  progressed_ = true;
  return barrier;
}

void FiberBlock::complete_if_all_arrived(Barrier& barrier) {
  if (barrier.arrived == 0) return;
  // Without a count every thread that has not exited must come.
  if (barrier.expected == 0 ? barrier.waiting.size() < live_ : barrier.arrived < barrier.expected) return;
  uint32_t sum = 0;
  for (uint32_t t : barrier.waiting) sum += threads_[t].predicate != 0;
  for (uint32_t t : barrier.waiting) {
    FiberThread& thread = threads_[t];
    uint32_t results[3] = {sum, sum == barrier.waiting.size(), sum != 0};
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
  barrier.arrived += weight(thread);
  barrier.waiting.push_back(thread.context.thread);
  complete_if_all_arrived(barrier);
  resolve_activemask(thread.warp());
  thread.fiber.suspend();
}

void FiberBlock::wait_for_lanes(FiberThread& thread) {
  if (run_.launch.machine.options.schedule.shuffle) return;
  thread.state = FiberThread::State::AtOrder;
  thread.fiber.suspend();
}

void FiberBlock::arrive_at_barrier(FiberThread& thread, uint32_t id, uint32_t threads) {
  Barrier& barrier = barrier_of(thread, id, threads);
  barrier.arrived += weight(thread);
  complete_if_all_arrived(barrier);
}

// --- mbarriers and the cluster ----------------------------------------------------------------------------

void FiberBlock::sleep_at_mbarrier(FiberThread& thread, uint64_t mbarrier) {
  thread.state = FiberThread::State::AtMbarrier;
  thread.mbarrier = mbarrier;
  resolve_activemask(thread.warp());
  if (--yields_until_check_ == 0) {
    yields_until_check_ = kYieldsPerCheck;
    run_.check_progress(thread.warp(), thread.pc);
  }
  thread.fiber.suspend();
}

void FiberBlock::wait_for_cluster(FiberThread& thread) {
  thread.state = FiberThread::State::AtClusterBarrier;
  resolve_activemask(thread.warp());
  thread.fiber.suspend();
}

void FiberBlock::wait_for_columns(FiberThread& thread) {
  thread.state = FiberThread::State::AtColumns;
  resolve_activemask(thread.warp());
  thread.fiber.suspend();
}

// mbarrier 0: any.
void FiberBlock::wake(FiberThread::State state, uint64_t mbarrier) {
  std::vector<uint32_t> woken;
  for (const FiberThread& thread : threads_)
    if (thread.state == state && (mbarrier == 0 || thread.mbarrier == mbarrier)) woken.push_back(thread.context.thread);
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
  uint32_t bit = 1u << thread.lane();
  if (thread.collective != Collective::ActiveMask && !(thread.mask & bit)) {
    KernelFault fault;
    fault.failure = Failure::LaunchFailure;
    fault.misuse = Misuse::MaskWithoutCaller;
    fault.what = fmt::format("lane {} executes an operation whose member mask {:#010x} does not name it", thread.lane(),
                             thread.mask);
    fault.instruction = thread.site;
    run_.fail(std::move(fault), thread.pc);
  }
  thread.state = FiberThread::State::AtCollective;
  Warp& warp = warps_[thread.warp()];
  warp.waiting |= bit;
  if (thread.collective == Collective::ActiveMask)
    warp.pending_activemask |= bit;
  else
    resolve_collective(thread.warp(), thread.collective, thread.mask);
  resolve_activemask(thread.warp());
  thread.fiber.suspend();
}

// Whether all that are required have come; if so they get their answers and go on.
bool FiberBlock::resolve_collective(uint32_t w, Collective collective, uint32_t mask) {
  Warp& warp = warps_[w];
  uint32_t required = mask & warp.live, here = 0;
  for (uint32_t lanes = warp.waiting & required; lanes; lanes &= lanes - 1) {
    const FiberThread& thread = at(w, std::countr_zero(lanes));
    if (thread.collective == collective && thread.mask == mask) here |= lanes & -lanes;
  }
  if (here != required || here == 0) return false;
  answer(collective, w, here);
  warp.waiting &= ~here;
  std::vector<uint32_t> released;
  for (uint32_t lanes = here; lanes; lanes &= lanes - 1) released.push_back(w * kLanes + std::countr_zero(lanes));
  make_ready(released);
  return true;
}

// After a lane has exited: any collective may be complete now.
void FiberBlock::resolve_collectives(uint32_t w) {
  for (uint32_t lanes = warps_[w].waiting; lanes; lanes &= lanes - 1) {
    const FiberThread& thread = at(w, std::countr_zero(lanes));
    if (thread.state == FiberThread::State::AtCollective && thread.collective != Collective::ActiveMask)
      resolve_collective(w, thread.collective, thread.mask);
  }
  resolve_activemask(w);
}

void FiberBlock::resolve_activemask(uint32_t w) {
  Warp& warp = warps_[w];
  if (warp.pending_activemask == 0) return;
  for (uint32_t lanes = warp.live; lanes; lanes &= lanes - 1) {
    const FiberThread& thread = at(w, std::countr_zero(lanes));
    if (may_still_come(thread) || thread.state == FiberThread::State::AtOrder) return;
  }
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

namespace {

// PTX ISA 9.7.9.6 (shfl.sync): the lane that `lane` reads from, and whether it is in range.
std::pair<int, bool> shuffle_source(uint32_t mode, int lane, uint32_t b, uint32_t c) {
  int bval = b & 31, cval = c & 31, segment = c >> 8 & 31;
  int max_lane = (lane & segment) | (cval & ~segment), min_lane = lane & segment;
  int source = lane;
  bool in_range = false;
  switch (mode) {
    case 0:
      source = lane - bval, in_range = source >= max_lane;
      break;
    case 1:
      source = lane + bval, in_range = source <= max_lane;
      break;
    case 2:
      source = lane ^ bval, in_range = source <= max_lane;
      break;
    default:
      source = min_lane | (bval & ~segment), in_range = source <= max_lane;
      break;
  }
  return {in_range ? source : lane, in_range};
}

uint32_t combine(uint32_t op, uint32_t a, uint32_t b) {
  switch (op) {
    case 0:
      return a + b;
    case 1:
      return std::min(a, b);
    case 2:
      return std::max(a, b);
    case 3:
      return static_cast<uint32_t>(std::min(static_cast<int32_t>(a), static_cast<int32_t>(b)));
    case 4:
      return static_cast<uint32_t>(std::max(static_cast<int32_t>(a), static_cast<int32_t>(b)));
    case 5:
      return a & b;
    case 6:
      return a | b;
    default:
      return a ^ b;
  }
}

template <class F>
void for_each_lane(uint32_t lanes, F body) {
  for (; lanes; lanes &= lanes - 1) body(static_cast<uint32_t>(std::countr_zero(lanes)));
}

}  // namespace

// Word w of lane l at [w * 32 + l]; lanes that are not here bring zeros.
std::vector<uint32_t> FiberBlock::gather(uint32_t w, uint32_t lanes) {
  const uint32_t count = at(w, std::countr_zero(lanes)).op;
  std::vector<uint32_t> table(count * kLanes);
  for_each_lane(lanes, [&](uint32_t lane) {
    for (uint32_t word = 0; word < count; ++word) table[word * kLanes + lane] = at(w, lane).words[word];
  });
  return table;
}

void FiberBlock::answer(Collective collective, uint32_t w, uint32_t lanes) {
  switch (collective) {
    case Collective::Shuffle:
      for_each_lane(lanes, [&](uint32_t lane) {
        FiberThread& thread = at(w, lane);
        auto [source, in_range] = shuffle_source(thread.op, static_cast<int>(lane), thread.b, thread.c);
        // A lane that is not here gives 0 (interpreter/choices.h).
        bool here = source < static_cast<int>(kLanes) && (lanes >> source & 1);
        thread.result = here ? static_cast<uint32_t>(at(w, source).value) : 0;
        thread.flag = in_range;
      });
      break;
    case Collective::Vote: {
      uint32_t ballot = 0;
      for_each_lane(lanes, [&](uint32_t lane) { ballot |= uint32_t{at(w, lane).value != 0} << lane; });
      for_each_lane(lanes, [&](uint32_t lane) { at(w, lane).result = ballot; });
      break;
    }
    case Collective::Match:
      for_each_lane(lanes, [&](uint32_t lane) {
        FiberThread& thread = at(w, lane);
        thread.result = 0;
        for_each_lane(lanes,
                      [&](uint32_t other) { thread.result |= uint32_t{at(w, other).value == thread.value} << other; });
        thread.flag = thread.result == lanes;
      });
      break;
    case Collective::Reduce: {
      uint32_t first = std::countr_zero(lanes);
      uint32_t total = static_cast<uint32_t>(at(w, first).value);
      for_each_lane(lanes & ~(1u << first), [&](uint32_t lane) {
        total = combine(at(w, first).op, total, static_cast<uint32_t>(at(w, lane).value));
      });
      for_each_lane(lanes, [&](uint32_t lane) { at(w, lane).result = total; });
      break;
    }
    case Collective::Elect: {
      uint32_t leader = std::countr_zero(lanes);
      for_each_lane(lanes, [&](uint32_t lane) {
        at(w, lane).result = leader;
        at(w, lane).flag = lane == leader;
      });
      break;
    }
    case Collective::Wgmma:
      multiply(w, lanes);
      break;
    case Collective::Gather: {
      const std::vector<uint32_t> table = gather(w, lanes);
      for_each_lane(lanes, [&](uint32_t lane) { std::copy(table.begin(), table.end(), at(w, lane).table); });
      break;
    }
    case Collective::Multiply: {
      const numerics::Product product = numerics::Product::unpack(at(w, std::countr_zero(lanes)).product);
      std::vector<uint32_t> result(product.d_words() * kLanes);
      exec::multiply(run_.launch.machine, product, gather(w, lanes).data(), result.data());
      for_each_lane(lanes, [&](uint32_t lane) {
        for (unsigned word = 0; word < product.d_words(); ++word)
          at(w, lane).table[word] = result[word * kLanes + lane];
      });
      break;
    }
    case Collective::TensorMemory:
      move_tensor(w, lanes);
      break;
    case Collective::Sync:
    case Collective::ActiveMask:
    case Collective::None:
      break;
  }
}

// tcgen05.ld, .st and .wait, and the beginning and the end of an allocation.
void FiberBlock::move_tensor(uint32_t w, uint32_t lanes) {
  const uint32_t first = std::countr_zero(lanes);
  for_each_lane(lanes, [&](uint32_t lane) {
    FiberThread& thread = at(w, lane);
    thread.flag = lane == first;
    if (!thread.d_words) return;
    std::string problem;
    if (thread.value != at(w, first).value)
      problem = "the threads of a warp name different addresses in tensor memory";
    else
      problem = numerics::move_tensor(numerics::TensorMove::unpack(thread.form), tensor_block(run_).get().memory, w,
                                      lane, static_cast<uint32_t>(thread.value), thread.b, thread.d_words);
    if (problem.empty()) return;
    KernelFault fault;
    fault.failure = Failure::LaunchFailure;
    fault.what = std::move(problem);
    fault.misuse = Misuse::TensorMemory;
    fault.thread = thread.context.thread;
    fault.instruction = thread.site;
    run_.fail(std::move(fault), thread.pc);
  });
  // A load may take along lanes and columns that are not needed: it is reported where it brings nothing else.
  const FiberThread& leader = at(w, first);
  if (run_.launch.machine.observer && leader.d_words)
    report_uninitialised_reads(run_, leader.context.thread, leader.pc, true);
}

// --- deadlock ---------------------------------------------------------------------------------------------

// wgmma: the registers of all threads side by side, and each its own back.
void FiberBlock::multiply(uint32_t w, uint32_t lanes) {
  const FiberThread& first = at(w, std::countr_zero(lanes));
  const numerics::WgmmaForm form = numerics::WgmmaForm::unpack(first.form);
  std::vector<uint32_t> a(form.a_words() * kLanes), d(form.d_words() * kLanes);
  for_each_lane(lanes, [&](uint32_t lane) {
    for (unsigned n = 0; n < form.a_words(); ++n) a[n * kLanes + lane] = at(w, lane).a_words[n];
    for (unsigned n = 0; n < form.d_words(); ++n) d[n * kLanes + lane] = at(w, lane).d_words[n];
  });
  const WgmmaCall call{w, first.form, first.value, first.descriptor_b, first.op != 0, a.data(), d.data()};
  if (std::string problem = run_wgmma(run_, call); !problem.empty()) {
    KernelFault fault;
    fault.failure = Failure::LaunchFailure;
    fault.what = std::move(problem);
    fault.instruction = first.site;
    run_.fail(std::move(fault), first.pc);
  }
  for_each_lane(lanes, [&](uint32_t lane) {
    for (unsigned n = 0; n < form.d_words(); ++n) at(w, lane).d_words[n] = d[n * kLanes + lane];
  });
}

namespace {

// Threads 0, 1, 2, 5 as "0 to 2, 5"; cut short.
std::string list_of(const std::vector<uint32_t>& threads) {
  std::string text;
  for (size_t t = 0; t < threads.size();) {
    size_t end = t + 1;
    while (end < threads.size() && threads[end] == threads[end - 1] + 1) ++end;
    if (text.size() > 60) return text + ", ...";
    text += text.empty() ? "" : ", ";
    text += end - t > 1 ? fmt::format("{} to {}", threads[t], threads[end - 1]) : fmt::format("{}", threads[t]);
    t = end;
  }
  return text;
}

}  // namespace

// Threads that wait for the same thing at the same place make one line.
std::string FiberBlock::who_waits(const std::string& prefix) const {
  struct Group {
    const FiberThread* first;
    std::vector<uint32_t> threads;
  };
  using State = FiberThread::State;
  std::vector<Group> groups;
  for (const FiberThread& thread : threads_) {
    if (thread.state == State::Exited) continue;
    auto same = std::find_if(groups.begin(), groups.end(), [&](const Group& g) {
      if (g.first->state != thread.state || g.first->pc != thread.pc) return false;
      switch (thread.state) {
        case State::AtBarrier:
          return g.first->barrier == thread.barrier;
        case State::AtCollective:
          return g.first->collective == thread.collective && g.first->mask == thread.mask &&
                 g.first->warp() == thread.warp();
        case State::AtMbarrier:
          return g.first->mbarrier == thread.mbarrier;
        default:
          return true;
      }
    });
    if (same == groups.end()) same = groups.insert(groups.end(), {&thread, {}});
    same->threads.push_back(thread.context.thread);
  }
  std::string text;
  constexpr size_t kMaxGroups = 16;
  for (size_t i = 0; i < groups.size() && i < kMaxGroups; ++i) {
    const FiberThread& first = *groups[i].first;
    const simt::Site* site = run_.launch.site_at(first.pc);
    const ptx::Module& module = *run_.launch.launch.image->module;
    std::string where = site ? describe_place(module, site->function, site->instruction)
                             : describe_place(module, run_.launch.launch.image->kernel, first.site);
    const bool one = groups[i].threads.size() == 1;
    text += fmt::format("\n    {}{} {} {} {}{}{}", prefix, one ? "thread" : "threads", list_of(groups[i].threads),
                        one ? "waits" : "wait", what_for(first), where.empty() ? "" : ", at ", where);
  }
  if (groups.size() > kMaxGroups) text += fmt::format("\n    and {} more places", groups.size() - kMaxGroups);
  return text;
}

const FiberThread* FiberBlock::first_waiting() const {
  auto found = std::find_if(threads_.begin(), threads_.end(),
                            [](const FiberThread& t) { return t.state != FiberThread::State::Exited; });
  return found == threads_.end() ? nullptr : &*found;
}

std::string FiberBlock::what_for(const FiberThread& thread) const {
  switch (thread.state) {
    case FiberThread::State::AtBarrier: {
      const Barrier& barrier = barriers_[thread.barrier];
      return fmt::format("at barrier {}, where {} of {} have arrived", thread.barrier, barrier.arrived,
                         barrier.expected ? barrier.expected : live_);
    }
    case FiberThread::State::AtMbarrier: {
      uint64_t word = *reinterpret_cast<const uint64_t*>(thread.mbarrier + simt::kAliasOffset);
      uint64_t offset = thread.mbarrier - (run_.context.shared - simt::kAliasOffset);
      std::string place = offset < run_.context.total_shared_bytes
                              ? fmt::format("shared address {:#x}", offset)
                              : fmt::format("{:#x} (of another block)", thread.mbarrier);
      return fmt::format("at the mbarrier at {}, {}", place, describe_mbarrier(word));
    }
    case FiberThread::State::AtClusterBarrier:
      return "at the cluster's barrier";
    case FiberThread::State::AtColumns:
      return fmt::format("for {} columns of tensor memory, of which {} of {} are taken", thread.b,
                         run_.tensor->memory.allocated_columns(), numerics::TensorMemory::kColumns);
    case FiberThread::State::AtCollective:
      return fmt::format("for the lanes of mask {:#010x}", thread.mask);
    default:
      return "in vain";  // woken to ask its mbarrier again, as often before
  }
}

}  // namespace warpwise::exec
