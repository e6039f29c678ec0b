#include "lab/judge/access_counter.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "base/clones.h"
#include "check/source/places.h"
#include "ptx/layout.h"
#include "simt/instrument/events.h"

namespace warpwise::lab {
namespace {

using simt::AccessKind;
using simt::EventKind;

// The rows of counters.inc begin with what is counted per thread; the totals follow in the same order.
static_assert(size_t(Counter::GlobalReadsTotal) == size_t(Counter::UnorderedReads) + 1 &&
              size_t(Counter::UnorderedReadsTotal) == 2 * size_t(Counter::UnorderedReads) + 1);

constexpr size_t kNarrow = 4,
                 kWide = 8;  // bytes that count as one access, for element types of up to 4 bytes, and of 8

// A range of addresses.
struct Range {
  device::Address first = 0;
  uint64_t bytes = 0;
  bool has(device::Address address) const { return address - first < bytes; }
};

Range shared_memory(const exec::BlockRun& run) {
  return {run.context.shared - simt::kAliasOffset, run.context.total_shared_bytes};
}

// Objects whose address is taken live there: a struct that is passed by reference, a tile of cooperative groups.
Range local_memory(const exec::BlockRun& run) {
  const simt::BlockContext& c = run.context;
  return {c.local - simt::kAliasOffset, uint64_t{c.local_stride} * c.ntid[0] * c.ntid[1] * c.ntid[2]};
}

struct AddressSpan {
  device::Address first, last;
};
WARPWISE_CLONES AddressSpan span_of(const uint64_t* addresses) {
  AddressSpan span{addresses[0], addresses[0]};
  for (unsigned lane = 1; lane < simt::kLanes; ++lane) {
    span.first = std::min(span.first, addresses[lane]);
    span.last = std::max(span.last, addresses[lane]);
  }
  return span;
}

// As the source declares it: code for checkers keeps its arrays apart with guard bytes.
uint32_t declared_shared_bytes(const exec::KernelLaunch& launch) {
  return ptx::lay_out_kernel(*launch.image->module, launch.image->kernel).static_shared_bytes +
         launch.dynamic_shared_bytes;
}

}  // namespace

uint32_t AccessCounter::watch() const { return simt::kWatchOrder | simt::kWatchEvery; }

void AccessCounter::launch_begins(const exec::KernelLaunch& launch) {
  ++launches_;
  blocks_.clear();
  site_by_pc_.clear();
  auto& shared = measured_.value[size_t(Counter::SharedBytes)];
  shared = std::max<uint64_t>(shared, declared_shared_bytes(launch));
}

void AccessCounter::launch_ends(const exec::KernelLaunch&) {
  for (auto& [run, block] : blocks_) add_up(block);
  blocks_.clear();
}

void AccessCounter::block_begins(exec::BlockRun& run) {
  Block& block = blocks_[&run];
  add_up(block);
  const simt::BlockContext& c = run.context;
  block.index = run.block;
  block.threads.assign(size_t{c.ntid[0]} * c.ntid[1] * c.ntid[2], {});
  block.stored_after.assign(c.total_shared_bytes / kNarrow + 1, 0);
}

void AccessCounter::add_up(Block& block) {
  for (size_t thread = 0; thread < block.threads.size(); ++thread)
    for (size_t k = 0; k < kPerThread; ++k) {
      const uint32_t count = block.threads[thread][k];
      if (count > measured_.value[k])
        measured_.value[k] = count, measured_.block[k] = block.index, measured_.thread[k] = thread;
      measured_.value[k + kPerThread] += count;
    }
  block.threads.clear();
}

const CountedArray* AccessCounter::array_at(device::Address address) const {
  for (const CountedArray& array : arrays_)
    if (array.has(address)) return &array;
  return nullptr;
}

uint16_t AccessCounter::site_of(const exec::ObservedEvent& access) {
  auto [found, fresh] = site_by_pc_.try_emplace(access.pc, 0);
  if (!fresh) return found->second;
  const exec::KernelLaunch& launch = access.run.launch.launch;
  const simt::Site* site = access.run.launch.kernel.site_at(access.pc);
  if (!site) return 0;
  const SiteKey key{launch.image->module.get(),
                    site->function,
                    site->instruction,
                    {launch.grid.x, launch.grid.y, launch.grid.z, launch.block.x, launch.block.y, launch.block.z}};
  auto [known, first] = site_by_key_.try_emplace(key, 0);
  if (first && sites_.size() < std::numeric_limits<uint16_t>::max()) {
    sites_.push_back({check::code_place(*launch.image->module, site->function, site->instruction),
                      {launch.grid.x, launch.grid.y, launch.grid.z},
                      {launch.block.x, launch.block.y, launch.block.z}});
    known->second = uint16_t(sites_.size());
  }
  return found->second = known->second;
}

void AccessCounter::host_wrote(device::Address to, size_t bytes, uint32_t as) {
  if (bytes == 0) return;
  for (const CountedArray& array : arrays_) {
    if (array.writers.empty() || to >= array.base + array.bytes || to + bytes <= array.base) continue;
    const size_t first = to <= array.base ? 0 : (to - array.base) / array.element_bytes;
    const size_t last = std::min((to + bytes - 1 - array.base) / array.element_bytes, array.writers.size() - 1);
    for (size_t i = first; i <= last; ++i) array.writers[i] = {.block = as};
  }
}

// Most accesses are loads of a whole warp from global memory. False: the access is of another kind.
bool AccessCounter::count_global_loads(const exec::ObservedEvent& access, const simt::MemoryAccess& event,
                                       Block& block) const {
  const size_t first_thread = size_t{access.warp} * simt::kLanes;
  if (access.mask != ~0u || event.shared || access.run.running_thread >= 0 ||
      first_thread + simt::kLanes > block.threads.size())
    return false;
  const AddressSpan span = span_of(access.addresses);
  const auto lies_apart = [&](const Range& range) {
    return span.last < range.first || (span.first >= range.first && span.first - range.first >= range.bytes);
  };
  if (!lies_apart(shared_memory(access.run)) || !lies_apart(local_memory(access.run))) return false;
  const CountedArray* array = array_at(span.first);
  if (array != array_at(span.last)) return false;
  // Addresses outside all arrays may lie around one.
  if (!array && std::any_of(arrays_.begin(), arrays_.end(),
                            [&](const CountedArray& a) { return span.first < a.base && a.base <= span.last; }))
    return false;
  const size_t unit = array && array->element_bytes == kWide ? kWide : kNarrow;
  const auto times = uint32_t((event.bytes + unit - 1) / unit);
  for (size_t lane = 0; lane < simt::kLanes; ++lane)
    block.threads[first_thread + lane][size_t(Counter::GlobalReads)] += times;
  return true;
}

void AccessCounter::on_event(const exec::ObservedEvent& access) {
  const EventKind kind = simt::kind_of(access.what);
  const bool barrier = kind == EventKind::Barrier || kind == EventKind::BarrierArrive;
  if (!barrier && kind != EventKind::Access && kind != EventKind::Rows) return;
  simt::MemoryAccess event;
  if (kind == EventKind::Access) event = simt::unpack<simt::event::Access>(access.what).access;
  if (kind == EventKind::Rows) event = simt::unpack<simt::event::Rows>(access.what).access();
  auto found = blocks_.find(&access.run);
  if (found == blocks_.end()) return;
  Block& block = found->second;
  if (event.kind == AccessKind::Load && !barrier && count_global_loads(access, event, block)) return;
  const Range shared_range = shared_memory(access.run), local_range = local_memory(access.run);
  const CountedArray* array = nullptr;  // mostly the one of the lane before
  for (uint32_t left = access.mask; left != 0; left &= left - 1) {
    const unsigned lane = unsigned(std::countr_zero(left));
    const size_t thread =
        access.run.running_thread >= 0 ? size_t(access.run.running_thread) : size_t{access.warp} * simt::kLanes + lane;
    if (thread >= block.threads.size()) continue;
    ThreadCounts& counts = block.threads[thread];
    auto add = [&](Counter counter, uint32_t times) { counts[size_t(counter)] += times; };
    if (barrier) {
      add(Counter::Barriers, 1);
      continue;
    }
    const device::Address address = access.addresses[lane];
    const bool shared = event.shared || shared_range.has(address);
    if (!shared && local_range.has(address)) continue;
    if (shared)
      array = nullptr;
    else if (!array || !array->has(address))
      array = array_at(address);
    const size_t unit = array && array->element_bytes == kWide ? kWide : kNarrow;
    const uint32_t times = uint32_t((event.bytes + unit - 1) / unit);
    if (event.kind != AccessKind::Store) add(shared ? Counter::SharedReads : Counter::GlobalReads, times);
    if (event.kind != AccessKind::Load) add(shared ? Counter::SharedWrites : Counter::GlobalWrites, times);
    if (event.kind == AccessKind::Atomic) add(Counter::Atomics, 1);
    if (const uint64_t word = (address - shared_range.first) / kNarrow; shared && word < block.stored_after.size()) {
      const uint32_t stored = block.stored_after[word], passed = counts[size_t(Counter::Barriers)];
      if (event.kind != AccessKind::Store && stored != 0)
        add(stored <= passed ? Counter::OrderedReads : Counter::UnorderedReads, times);
      if (event.kind != AccessKind::Load)
        std::fill_n(block.stored_after.begin() + ptrdiff_t(word),
                    std::min<uint64_t>(times, block.stored_after.size() - word), passed + 1);
    }
    if (event.kind == AccessKind::Load || !array || array->writers.empty()) continue;
    const Writer writer{uint32_t(block.index + 1), uint16_t(thread), site_of(access)};
    const size_t first = (address - array->base) / array->element_bytes,
                 last = (address - array->base + event.bytes - 1) / array->element_bytes;
    for (size_t i = first; i <= std::min(last, array->writers.size() - 1); ++i) {
      Writer& before = array->writers[i];
      const bool other = before.block != 0 && before.block < kHostPassedOn &&
                         (before.block != writer.block || before.thread != writer.thread);
      if (other && launches_ == 1 && !double_store_ && event.kind == AccessKind::Store)
        double_store_ = {size_t(array - arrays_.data()), i, before, writer};
      before = writer;
    }
  }
}

}  // namespace warpwise::lab
