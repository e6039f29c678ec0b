#include "device/gpu/launch_times.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpwise::device::gpu {
namespace {

constexpr unsigned kBlock = 256, kBlocksOfSm = 8;

// Reads `count` vectors of 16 bytes. The sum is written where it is not zero, which it always is: without that the
// driver's compiler would drop the loads.
constexpr const char* kRead = R"(.version 6.0
.target sm_60
.address_size 64
.visible .entry warpwise_read_through(.param .u64 from, .param .u64 count)
{
  .reg .pred %p;
  .reg .b32 %x, %y, %z, %w, %sum, %id, %n, %m;
  .reg .b64 %base, %count, %at, %step, %i;
  ld.param.u64 %base, [from];
  ld.param.u64 %count, [count];
  cvta.to.global.u64 %base, %base;
  mov.u32 %id, %tid.x;
  mov.u32 %n, %ntid.x;
  mov.u32 %m, %ctaid.x;
  mul.wide.u32 %i, %m, %n;
  cvt.u64.u32 %at, %id;
  add.u64 %i, %i, %at;
  mov.u32 %m, %nctaid.x;
  mul.wide.u32 %step, %m, %n;
  mov.u32 %sum, 0;
  setp.ge.u64 %p, %i, %count;
  @%p bra done;
more:
  shl.b64 %at, %i, 4;
  add.u64 %at, %base, %at;
  ld.global.v4.u32 {%x, %y, %z, %w}, [%at];
  or.b32 %sum, %sum, %x;
  or.b32 %sum, %sum, %y;
  or.b32 %sum, %sum, %z;
  or.b32 %sum, %sum, %w;
  add.u64 %i, %i, %step;
  setp.lt.u64 %p, %i, %count;
  @%p bra more;
  setp.eq.u32 %p, %sum, 0;
  @%p bra done;
  st.global.u32 [%base], %sum;
done:
  ret;
}
)";

}  // namespace

Status LaunchTimes::prepare() {
  if (read_) return {};
  const Driver& driver = context_.driver();
  const size_t bytes = 2 * context_.description().properties.l2_bytes;
  if (Status s = context_.check(driver.load_module(&module_, kRead, 0, nullptr, nullptr), "compiling the cache flush");
      !s.ok())
    return s;
  if (Status s = context_.check(driver.allocate(&memory_, bytes),
                                fmt::format("allocating {} bytes to flush the L2 cache with", bytes));
      !s.ok())
    return s;
  if (Status s = context_.check(driver.fill_8(memory_, 0, bytes, nullptr), "clearing what flushes the L2 cache");
      !s.ok())
    return s;
  if (Status s = context_.check(driver.synchronise_stream(nullptr), "clearing what flushes the L2 cache"); !s.ok())
    return s;
  return context_.check(driver.get_function(&read_, module_, "warpwise_read_through"), "finding the cache flush");
}

Status LaunchTimes::flush(CUstream stream) const {
  CUdeviceptr from = memory_;
  uint64_t count = 2 * context_.description().properties.l2_bytes / 16;
  void* parameters[] = {&from, &count};
  const LaunchConfig config{
      context_.description().properties.sm_count * kBlocksOfSm, 1, 1, kBlock, 1, 1, 0, stream, nullptr, 0};
  return context_.check(context_.driver().launch(&config, read_, parameters, nullptr), "flushing the L2 cache");
}

Status LaunchTimes::make_pair(Pair* out) {
  if (!spare_.empty()) {
    *out = spare_.back();
    spare_.pop_back();
    return {};
  }
  const Driver& driver = context_.driver();
  if (Status s = context_.check(driver.create_event(&out->first, 0), "making an event"); !s.ok()) return s;
  Status s = context_.check(driver.create_event(&out->last, 0), "making an event");
  if (!s.ok()) (void)driver.destroy_event(out->first);
  return s;
}

Status LaunchTimes::before(CUstream stream, uint64_t* ticket) {
  *ticket = 0;
  if (!observer_) return {};
  std::lock_guard lock(mutex_);
  if (Status s = prepare(); !s.ok()) return s;
  collect_locked();
  Entry entry;
  if (Status s = make_pair(&entry.events); !s.ok()) return s;
  Status s = flush(stream);
  if (s.ok()) s = context_.check(context_.driver().record_event(entry.events.first, stream), "recording an event");
  if (!s.ok()) {
    spare_.push_back(entry.events);
    return s;
  }
  *ticket = entry.ticket = next_ticket_++;
  entries_.push_back(std::move(entry));
  return {};
}

Status LaunchTimes::after(CUstream stream, uint64_t ticket, TimedLaunch launch) {
  if (ticket == 0) return {};
  std::lock_guard lock(mutex_);
  const auto entry = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.ticket == ticket; });
  if (entry == entries_.end()) return {};  // the context has been reset meanwhile
  if (Status s = context_.check(context_.driver().record_event(entry->events.last, stream), "recording an event");
      !s.ok())
    return s;
  entry->submitted = true;
  entry->launch = std::move(launch);
  return {};
}

void LaunchTimes::drop(uint64_t ticket) {
  std::lock_guard lock(mutex_);
  const auto entry = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.ticket == ticket; });
  if (ticket == 0 || entry == entries_.end()) return;
  spare_.push_back(entry->events);
  entries_.erase(entry);
}

void LaunchTimes::collect_locked() {
  const Driver& driver = context_.driver();
  while (!entries_.empty() && entries_.front().submitted) {
    Entry& entry = entries_.front();
    if (driver.query_event(entry.events.last) != kSuccess) return;
    float milliseconds = 0;
    if (driver.elapsed(&milliseconds, entry.events.first, entry.events.last) != kSuccess) return;
    entry.launch.seconds = static_cast<double>(milliseconds) * 1e-3;
    observer_->launched(entry.launch);
    spare_.push_back(entry.events);
    entries_.pop_front();
  }
}

void LaunchTimes::collect() {
  if (!observer_) return;
  std::lock_guard lock(mutex_);
  collect_locked();
}

void LaunchTimes::end() {
  if (!observer_) return;
  std::lock_guard lock(mutex_);
  collect_locked();
  observer_->ended();
}

void LaunchTimes::destroy(const Pair& pair) const {
  (void)context_.driver().destroy_event(pair.first);
  (void)context_.driver().destroy_event(pair.last);
}

void LaunchTimes::clear() {
  {
    std::lock_guard lock(mutex_);
    if (observer_) collect_locked();
    for (const Entry& entry : entries_) destroy(entry.events);
    for (const Pair& pair : spare_) destroy(pair);
    if (memory_) (void)context_.driver().free(memory_);
    if (module_) (void)context_.driver().unload_module(module_);
  }
  forget();
}

void LaunchTimes::forget() {
  std::lock_guard lock(mutex_);
  entries_.clear(), spare_.clear();
  module_ = nullptr, read_ = nullptr, memory_ = 0;
}

}  // namespace warpwise::device::gpu
