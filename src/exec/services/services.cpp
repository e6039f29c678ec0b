#include "exec/services/services.h"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdio>
#include <string>
#include <utility>

#include "exec/launch/block_run.h"
#include "exec/launch/privatised_sums.h"
#include "exec/memory/arena.h"
#include "exec/memory/device_heap.h"
#include "exec/observer.h"
#include "exec/services/matrix.h"
#include "exec/services/printf.h"
#include "exec/services/service_call.h"
#include "simt/instrument/events.h"

namespace warpwise::exec {

using device::Failure;
using simt::BlockContext;

void service::trap(BlockContext* block, uint32_t warp, uint32_t mask, uint32_t site) {
  stop(run_of(block), Failure::LaunchFailure, "trap", warp, std::countr_zero(mask | 0x80000000u), site, CALLER,
       std::nullopt, Misuse::Trap);
}

void service::brkpt(BlockContext* block, uint32_t warp, uint32_t mask, uint32_t site) {
  stop(run_of(block), Failure::LaunchFailure, "breakpoint without a debugger", warp,
       std::countr_zero(mask | 0x80000000u), site, CALLER);
}

namespace {

// The words of CUDA's own message (CUDA C++ Programming Guide, "Assertion").
std::string assert_text(BlockRun& run, int64_t thread, const std::string& message, uint64_t file_text,
                        uint64_t function_text, uint32_t line) {
  const Arena& arena = *run.launch.machine.arena;
  std::string file, function;
  read_string(arena, file_text, file);
  read_string(arena, function_text, function);
  device::Dim3 b = run.launch.launch.block_at(run.block);
  device::Dim3 t = run.launch.launch.thread_at(static_cast<uint32_t>(thread));
  return fmt::format("{}:{}: {}: block: [{},{},{}], thread: [{},{},{}] Assertion `{}` failed.", file, line, function,
                     b.x, b.y, b.z, t.x, t.y, t.z, message);
}

}  // namespace

void service::assert_fail(BlockContext* block, uint32_t warp, uint32_t lane, uint64_t message, uint64_t file,
                          uint32_t line, uint64_t function, uint32_t site) {
  BlockRun& run = run_of(block);
  KernelFault fault;
  fault.failure = Failure::Assert;
  fault.thread = thread_of(run, warp, lane);
  fault.instruction = site;
  read_string(*run.launch.machine.arena, message, fault.asserted);
  fault.what = fmt::format("assertion `{}` failed", fault.asserted);
  fmt::print(stderr, "{}\n", assert_text(run, fault.thread, fault.asserted, file, function, line));
  run.fail(std::move(fault), CALLER);
}

int32_t service::vprintf(BlockContext* block, uint32_t, uint32_t, uint64_t format, uint64_t arguments) {
  BlockRun& run = run_of(block);
  std::string text;
  int32_t result = format_printf(*run.launch.machine.arena, format, arguments, text);
  run.launch.output.print(run.place, text);
  return result;
}

uint64_t service::device_malloc(BlockContext* block, uint64_t size) {
  BlockRun& run = run_of(block);
  const device::Address address = run.launch.machine.heap->allocate(size);
  if (Observer* observer = run.launch.machine.observer; observer && address)
    observer->heap_allocated_by(run, address, CALLER);
  return address;
}

void service::device_free(BlockContext* block, uint64_t address) {
  BlockRun& run = run_of(block);
  if (run.launch.machine.heap->free(address)) return;
  KernelFault fault;
  fault.failure = Failure::LaunchFailure;
  fault.misuse = Misuse::InvalidFree;
  fault.what = "free() of an address that malloc() did not return, or twice";
  fault.warp = run.running_warp();
  fault.address = address;
  run.fail(std::move(fault), CALLER);
}

namespace {

uint64_t nanoseconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

// When the launch began in modelled time.
std::optional<uint64_t> modelled_begin(BlockContext* block) {
  const LaunchRun& launch = run_of(block).launch;
  const TimeObserver* time = launch.machine.observer ? launch.machine.observer->time() : nullptr;
  return time ? time->modelled_begin(launch.launch) : std::nullopt;
}

}  // namespace

// Host time in units of the device's clock, or modelled time; compiled code adds what has passed since
// (simt/instrument/modelled_clocks.h).
uint64_t service::clock(BlockContext* block) {
  const device::Properties& properties = *run_of(block).launch.machine.properties;
  if (auto begin = modelled_begin(block))
    return static_cast<uint64_t>(static_cast<unsigned __int128>(*begin) * properties.core_clock_khz / 1'000'000);
  return static_cast<uint64_t>(static_cast<unsigned __int128>(nanoseconds(CLOCK_MONOTONIC)) *
                               properties.core_clock_khz / 1'000'000);
}

uint64_t service::globaltimer(BlockContext* block) {
  if (auto begin = modelled_begin(block)) return *begin;
  return nanoseconds(CLOCK_REALTIME);
}

void service::stack_overflow(BlockContext* block, uint32_t warp, uint32_t lane, uint32_t site) {
  const LaunchRun& launch = run_of(block).launch;
  const simt::Site* place = launch.site_at(CALLER);
  const uint32_t function = place ? place->function : launch.launch.image->kernel;
  stop(run_of(block), Failure::HardwareStackError, describe_stack_overflow(launch.launch, function), warp, lane, site,
       CALLER);
}

void service::poll(BlockContext* block, uint32_t warp, uint32_t) {
  BlockRun& run = run_of(block);
  // A thread that gives up its processor with each poll takes long for an interval: the watch makes it shorter.
  if (run.waits_until_check == 0 || run.guard.asked_to_leave()) {
    run.waits_until_check = kPollInterval;
    if (run.launch.launch.cooperative && run.launch.has_failed())
      run.abandon();  // the thread that it waits for may be gone
    run.check_progress(warp, CALLER);
  }
  --run.waits_until_check;
  if (run.wait) run.wait(run, run.wait_argument);
  block->warp = warp;
}

void service::multiply(BlockContext* block, uint64_t product, const uint32_t* inputs, uint32_t* outputs) {
  exec::multiply(run_of(block).launch.machine, numerics::Product::unpack(product), inputs, outputs);
}

uint64_t service::multimem(BlockContext* block, uint32_t warp, uint32_t lane, uint64_t address, uint32_t what,
                           uint32_t index, uint32_t site) {
  BlockRun& run = run_of(block);
  const uint32_t bytes = what & (simt::kMultimemWrites - 1);
  if (address % bytes != 0)
    stop(run, Failure::MisalignedAddress, fmt::format("misaligned multimem access of {} bytes", bytes), warp, lane,
         site, CALLER, address);
  Arena::Copy copy =
      run.known_copies.at(*run.launch.machine.arena, address, bytes, (what & simt::kMultimemWrites) != 0, index);
  if (!copy.why_not.empty())
    stop(run, Failure::IllegalAddress, std::move(copy.why_not), warp, lane, site, CALLER, address);
  return copy.address;
}

void service::open_sums(BlockContext* block, uint64_t address, uint32_t bytes) {
  BlockRun& run = run_of(block);
  if (run.sums) run.sums->open(*block, *run.launch.machine.arena, address, bytes);
}

void service::flush_sums(BlockContext* block) {
  BlockRun& run = run_of(block);
  if (!block->sums_pending) return;
  if (run.sum_log)
    run.sum_log->settle(run);
  else if (run.sums)
    run.sums->settle(*block);
}

uint32_t service::log_sums(BlockContext* block, uint32_t lanes, const uint64_t* addresses, const uint64_t* operands) {
  BlockRun& run = run_of(block);
  return run.sum_log->add(run, lanes, addresses, operands) ? 1 : 0;
}

namespace {

struct Range {
  uint64_t base = 0, size = 0;
  bool contains(uint64_t address, uint32_t bytes) const { return size >= bytes && address - base <= size - bytes; }
};

// The local memory of the block's threads.
Range local_memory(const BlockRun& run) {
  const BlockContext& c = run.context;
  return {c.local - simt::kAliasOffset, uint64_t{c.local_stride} * c.ntid[0] * c.ntid[1] * c.ntid[2]};
}

// Where a store may go that other threads see, so that reading there is safe: the block's shared memory, or an
// allocation. Nothing (an empty range) elsewhere. What a thread stores to its own memory is never deferred, as it may
// store there without an event as well.
Range shared_by_threads_at(BlockRun& run, uint64_t address, uint32_t bytes) {
  const Range shared{run.context.shared - simt::kAliasOffset, run.context.total_shared_bytes};
  if (shared.contains(address, bytes)) return shared;
  if (local_memory(run).contains(address, bytes)) return {};
  for (const Region& region : run.deferred_regions)
    if (region.contains(address, bytes)) return {region.base, region.size};
  const std::optional<Region> found = run.launch.machine.arena->find(address);
  if (!found || !found->contains(address, bytes)) return {};
  run.deferred_regions[run.next_deferred_region++ % run.deferred_regions.size()] = *found;
  return {found->base, found->size};
}

// A store that goes astray faults by itself.
uint32_t lanes_that_others_see(BlockRun& run, uint32_t mask, const uint64_t* addresses, uint32_t bytes) {
  // Mostly all of them in one piece: no lane waits for another one's comparison.
  const Range range = shared_by_threads_at(run, addresses[std::countr_zero(mask)], bytes);
  uint32_t seen = 0;
  if (mask == ~0u)
    for (uint32_t lane = 0; lane < simt::kLanes; ++lane)
      seen |= uint32_t(range.contains(addresses[lane], bytes)) << lane;
  else
    for (uint32_t lanes = mask; lanes; lanes &= lanes - 1)
      if (range.contains(addresses[std::countr_zero(lanes)], bytes)) seen |= lanes & -lanes;
  for (uint32_t lanes = mask & ~seen; lanes; lanes &= lanes - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(lanes));
    if (shared_by_threads_at(run, addresses[lane], bytes).size != 0) seen |= uint32_t{1} << lane;
  }
  return seen;
}

// A store is about to happen that other warps do not see yet. Under a shuffled schedule they see it at once, also where
// the code was compiled for both (CompiledKernel::any_order).
void defer(BlockRun& run, uint32_t warp, LanesStore store, const uint64_t* values) {
  if (run.launch.machine.options.schedule.shuffle) return;
  if (run.deferred.note_again(warp, store, values)) return;
  if (const Neighbours all = neighbours(store.mask, store.addresses, store.bytes);
      all.lanes != 0 && shared_by_threads_at(run, all.address, all.lanes * store.bytes).size != 0) {
    run.deferred.note_neighbours(warp, store, values);
    return;
  }
  const uint32_t all = std::exchange(store.mask, lanes_that_others_see(run, store.mask, store.addresses, store.bytes));
  if (store.mask != 0 && (store.mask == all || !run.deferred.note_again(warp, store, values)))
    run.deferred.note_lanes(warp, store, values);
}

// The engine's own events: of stores that other warps do not see yet.
void handle(BlockRun& run, uint32_t warp, uint32_t mask, uint32_t what, const uint64_t* addresses,
            const uint64_t* values, uint32_t site, uint64_t pc) {
  namespace event = simt::event;
  const simt::Overloaded by_kind{
      [&](const event::DeferStore& store) {
        defer(run, warp, {mask, addresses, simt::kAliasOffset, store.bytes, store.at_once}, values);
      },
      [&](const event::CommitStores&) { run.deferred.commit(warp); },
      [&](const event::HideStores&) { run.deferred.hide(warp); },
      [&](const event::PublishStores&) { run.deferred.publish(); },
      [&](const event::Misaligned& access) {
        const auto lane = static_cast<uint32_t>(std::countr_zero(mask));
        stop(run, Failure::MisalignedAddress, fmt::format("misaligned memory access of {} bytes", access.bytes), warp,
             lane, site, pc, addresses[lane]);
      },
      [](const auto&) {},
  };
  simt::visit_event(what, by_kind);
}

// Instrumented code may spend nearly all its time in these services, where the watch does not end it.
void leave_if_asked(BlockRun& run, uint32_t warp, uint64_t pc) {
  if (run.guard.asked_to_leave()) run.check_progress(warp, pc);
}

// Which is `pc` in compiled code.
void report(BlockContext* block, uint32_t warp, uint32_t mask, uint32_t what, const uint64_t* addresses,
            const uint64_t* values, uint32_t site, uint64_t pc) {
  BlockRun& run = run_of(block);
  if (is_for_engine(simt::kind_of(what))) return handle(run, warp, mask, what, addresses, values, site, pc);
  if (Observer* observer = run.launch.machine.observer)
    observer->on_event({run, warp, mask, what, addresses, values, pc, site});
  leave_if_asked(run, warp, pc);
}

void add_up(uint64_t base, const uint64_t* offsets, uint64_t* addresses) {
  for (unsigned lane = 0; lane < simt::kLanes; ++lane) addresses[lane] = base + offsets[lane];
}

}  // namespace

// Interleaved warps report together: those that have nothing to report, with a mask of 0.
void service::event(BlockContext* block, uint32_t warp, uint32_t mask, uint32_t what, const uint64_t* addresses,
                    const uint64_t* values, uint32_t site) {
  if (mask != 0) report(block, warp, mask, what, addresses, values, site, CALLER);
}

void service::event_at(BlockContext* block, uint32_t warp, uint32_t mask, uint32_t what, uint64_t base,
                       const uint64_t* offsets, const uint64_t* values, uint32_t site) {
  if (mask == 0) return;
  uint64_t addresses[simt::kLanes];
  add_up(base, offsets, addresses);
  report(block, warp, mask, what, addresses, values, site, CALLER);
}

// The version that counts may run other blocks as well.
void service::count_access(BlockContext* block, uint32_t warp, uint32_t mask, uint32_t cell, uint32_t what,
                           const uint64_t* addresses) {
  BlockRun& run = run_of(block);
  if (run.counts)
    run.launch.machine.observer->counted(
        CountedLanes{run, warp, mask, cell, simt::CountedAccess::unpack(what), addresses});
  leave_if_asked(run, warp, CALLER);
}

void service::count_access_at(BlockContext* block, uint32_t warp, uint32_t mask, uint32_t cell, uint32_t what,
                              uint64_t base, const uint64_t* offsets) {
  BlockRun& run = run_of(block);
  if (run.counts) {
    Observer& observer = *run.launch.machine.observer;
    const auto access = simt::CountedAccess::unpack(what);
    if (offsets) {
      uint64_t addresses[simt::kLanes];
      add_up(base, offsets, addresses);
      observer.counted(CountedLanes{run, warp, mask, cell, access, addresses});
    } else {
      observer.counted_one(CountedAddress{run, warp, mask, cell, access, base});
    }
  }
  leave_if_asked(run, warp, CALLER);
}

void service::count_thread(simt::ThreadContext* thread, uint32_t mark, uint32_t cell, uint32_t what, uint64_t value) {
  BlockRun& run = run_of(thread->block);
  run.launch.machine.observer->counted(
      CountedThread{run, thread->thread, mark, cell, simt::CountedAccess::unpack(what), value});
}

const simt::Services& services() {
  static constexpr simt::Services kTable{
#define SERVICE(name, result, parameters) service::name,
#include "simt/services.inc"
#undef SERVICE
  };
  return kTable;
}

}  // namespace warpwise::exec
