#include "exec/services/services.h"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdio>
#include <string>

#include "exec/launch/block_run.h"
#include "exec/launch/privatised_sums.h"
#include "exec/memory/arena.h"
#include "exec/memory/device_heap.h"
#include "exec/observer.h"
#include "exec/services/image_services.h"
#include "exec/services/matrix.h"
#include "exec/services/printf.h"
#include "exec/services/rounding.h"
#include "exec/services/service_call.h"
#include "simt/instrument/events.h"

namespace warpwise::exec {
namespace {

using device::Failure;
using simt::BlockContext;

void trap(BlockContext* block, uint32_t warp, uint32_t mask, uint32_t site) {
  stop(run_of(block), Failure::LaunchFailure, "trap", warp, std::countr_zero(mask | 0x80000000u), site, CALLER,
       std::nullopt, Misuse::Trap);
}

void brkpt(BlockContext* block, uint32_t warp, uint32_t mask, uint32_t site) {
  stop(run_of(block), Failure::LaunchFailure, "breakpoint without a debugger", warp,
       std::countr_zero(mask | 0x80000000u), site, CALLER);
}

// The words of CUDA's own message (CUDA C++ Programming Guide, "Assertion").
std::string assert_text(BlockRun& run, int64_t thread, const std::string& message, const uint64_t texts[3],
                        uint32_t line) {
  const Arena& arena = *run.launch.machine.arena;
  std::string file, function;
  read_string(arena, texts[1], file);
  read_string(arena, texts[2], function);
  device::Dim3 b = run.launch.launch.block_at(run.block);
  device::Dim3 t = run.launch.launch.thread_at(static_cast<uint32_t>(thread));
  return fmt::format("{}:{}: {}: block: [{},{},{}], thread: [{},{},{}] Assertion `{}` failed.", file, line, function,
                     b.x, b.y, b.z, t.x, t.y, t.z, message);
}

void assert_fail(BlockContext* block, uint32_t warp, uint32_t lane, const uint64_t texts[3], uint32_t line,
                 uint32_t site) {
  BlockRun& run = run_of(block);
  KernelFault fault;
  fault.failure = Failure::Assert;
  fault.thread = thread_of(run, warp, lane);
  fault.instruction = site;
  {
    read_string(*run.launch.machine.arena, texts[0], fault.asserted);
    std::string text = assert_text(run, fault.thread, fault.asserted, texts, line);
    fmt::print(stderr, "{}\n", text);
    fault.what = text;
  }
  run.fail(std::move(fault), CALLER);
}

int32_t vprintf(BlockContext* block, uint32_t, uint32_t, uint64_t format, uint64_t arguments) {
  BlockRun& run = run_of(block);
  std::string text;
  int32_t result = format_printf(*run.launch.machine.arena, format, arguments, text);
  run.launch.output.print(run.place, text);
  return result;
}

uint64_t device_malloc(BlockContext* block, uint64_t size) {
  BlockRun& run = run_of(block);
  const device::Address address = run.launch.machine.heap->allocate(size);
  if (Observer* observer = run.launch.machine.observer; observer && address)
    observer->heap_allocated_by(run, address, CALLER);
  return address;
}

void device_free(BlockContext* block, uint64_t address) {
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

// Host time in units of the device's clock, or modelled time; compiled code adds what has passed since
// (simt/instrument/modelled_clocks.h).
uint64_t clock(BlockContext* block) {
  const device::Properties& properties = *run_of(block).launch.machine.properties;
  if (auto begin = modelled_begin(block))
    return static_cast<uint64_t>(static_cast<unsigned __int128>(*begin) * properties.core_clock_khz / 1'000'000);
  return static_cast<uint64_t>(static_cast<unsigned __int128>(nanoseconds(CLOCK_MONOTONIC)) *
                               properties.core_clock_khz / 1'000'000);
}

uint64_t globaltimer(BlockContext* block) {
  if (auto begin = modelled_begin(block)) return *begin;
  return nanoseconds(CLOCK_REALTIME);
}

void stack_overflow(BlockContext* block, uint32_t warp, uint32_t lane, uint32_t site) {
  const LaunchRun& launch = run_of(block).launch;
  const simt::Site* place = launch.site_at(CALLER);
  const uint32_t function = place ? place->function : launch.launch.image->kernel;
  stop(run_of(block), Failure::HardwareStackError, describe_stack_overflow(launch.launch, function), warp, lane, site,
       CALLER);
}

void poll(BlockContext* block, uint32_t warp, uint32_t) {
  BlockRun& run = run_of(block);
  if (run.waits_until_check == 0) {
    run.waits_until_check = kPollInterval;
    if (run.launch.launch.cooperative && run.launch.has_failed())
      run.abandon();  // the thread that it waits for may be gone
    run.check_progress(warp, CALLER);
  }
  --run.waits_until_check;
  if (run.wait) run.wait(run, run.wait_argument);
  block->warp = warp;
}

void multiply(BlockContext* block, uint64_t product, const uint32_t* inputs, uint32_t* outputs) {
  exec::multiply(run_of(block).launch.machine, numerics::Product::unpack(product), inputs, outputs);
}

uint64_t multimem(BlockContext* block, uint32_t warp, uint32_t lane, uint64_t address, uint32_t what, uint32_t index,
                  uint32_t site) {
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

void open_sums(BlockContext* block, uint64_t address, uint32_t bytes) {
  BlockRun& run = run_of(block);
  if (run.sums) run.sums->open(*block, *run.launch.machine.arena, address, bytes);
}

void flush_sums(BlockContext* block) {
  if (PrivatisedSums* sums = run_of(block).sums) sums->settle(*block);
}

constexpr uint64_t kAllInOnePiece = uint64_t{1} << 30;

// Where a store may go, so that reading there is safe: the block's shared memory, or an allocation.
bool is_readable(BlockRun& run, uint64_t address, uint32_t bytes) {
  const uint64_t shared = run.context.shared - simt::kAliasOffset;
  if (address >= shared && address + bytes <= shared + run.context.total_shared_bytes) return true;
  if (!run.deferred_region || !run.deferred_region->contains(address, bytes))
    run.deferred_region = run.launch.machine.arena->find(address);
  return run.deferred_region && run.deferred_region->contains(address, bytes);
}

// A store that goes astray faults by itself.
uint32_t readable_lanes(BlockRun& run, uint32_t mask, const uint64_t* addresses, uint32_t bytes) {
  uint64_t first = ~uint64_t{0}, last = 0;
  for (uint32_t lanes = mask; lanes; lanes &= lanes - 1) {
    const uint64_t address = addresses[std::countr_zero(lanes)];
    first = std::min(first, address), last = std::max(last, address);
  }
  // Mostly all of them in one piece.
  if (last - first < kAllInOnePiece && is_readable(run, first, uint32_t(last - first) + bytes)) return mask;
  uint32_t readable = 0;
  for (uint32_t lanes = mask; lanes; lanes &= lanes - 1)
    if (is_readable(run, addresses[std::countr_zero(lanes)], bytes)) readable |= lanes & -lanes;
  return readable;
}

// What the engine itself hears of stores that other warps do not see yet.
void defer(BlockRun& run, uint32_t warp, uint32_t mask, simt::Event what, const uint64_t* addresses) {
  switch (what.kind) {
    case simt::EventKind::DeferStore:
      if (const uint32_t readable = readable_lanes(run, mask, addresses, what.bytes))
        run.deferred.note_lanes(warp, readable, addresses, simt::kAliasOffset, what.bytes);
      return;
    case simt::EventKind::CommitStores:
      return run.deferred.commit(warp);
    case simt::EventKind::HideStores:
      return run.deferred.hide(warp);
    default:
      return run.deferred.publish();
  }
}

void event(BlockContext* block, uint32_t warp, uint32_t mask, uint32_t what, const uint64_t* addresses,
           const uint64_t* values, uint32_t site) {
  BlockRun& run = run_of(block);
  if (mask == 0) return;  // interleaved warps report together
  const simt::EventKind kind = simt::Event::unpack(what).kind;
  if (kind >= simt::EventKind::DeferStore) return defer(run, warp, mask, simt::Event::unpack(what), addresses);
  if (Observer* observer = run.launch.machine.observer)
    observer->on_event({run, warp, mask, what, addresses, values, CALLER, site});
}

void count_access(BlockContext* block, uint32_t warp, uint32_t mask, uint32_t cell, uint32_t what,
                  const uint64_t* addresses) {
  BlockRun& run = run_of(block);
  run.launch.machine.observer->counted(
      CountedLanes{run, warp, mask, cell, simt::CountedAccess::unpack(what), addresses});
}

void count_thread(simt::ThreadContext* thread, uint32_t mark, uint32_t cell, uint32_t what, uint64_t value) {
  BlockRun& run = run_of(thread->block);
  run.launch.machine.observer->counted(
      CountedThread{run, thread->thread, mark, cell, simt::CountedAccess::unpack(what), value});
}

simt::Services make_services() {
  simt::Services table{};
  table.trap = trap;
  table.brkpt = brkpt;
  table.assert_fail = assert_fail;
  table.vprintf = vprintf;
  table.device_malloc = device_malloc;
  table.device_free = device_free;
  table.clock = clock;
  table.globaltimer = globaltimer;
  table.stack_overflow = stack_overflow;
  table.add_f64 = warpwise_add_f64;
  table.mul_f64 = warpwise_mul_f64;
  table.fma_f64 = warpwise_fma_f64;
  table.div_f64 = warpwise_div_f64;
  table.sqrt_f64 = warpwise_sqrt_f64;
  table.poll = poll;
  add_async_services(table);
  table.multiply = multiply;
  table.open_sums = open_sums;
  table.multimem = multimem;
  table.flush_sums = flush_sums;
  table.event = event;
  table.count_access = count_access;
  table.count_thread = count_thread;
  add_split_services(table);
  add_tensor_services(table);
  add_image_services(table);
  return table;
}

}  // namespace

const simt::Services& services() {
  static const simt::Services table = make_services();
  return table;
}

}  // namespace warpwise::exec
