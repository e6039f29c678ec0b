#include "exec/postponed_sums.h"

#include <algorithm>
#include <atomic>

#include "exec/memory/arena.h"

namespace warpwise::exec {
namespace {

constexpr uint64_t kMostBytes = 64 << 10;
constexpr unsigned kMostSettled = 16;

void close(simt::BlockContext& context) { context.sums_first = context.sums_bytes = 0; }

template <class T>
void add_all(uint64_t first, T* counters, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (counters[i] == 0) continue;
    std::atomic_ref(reinterpret_cast<T*>(first)[i]).fetch_add(counters[i], std::memory_order_relaxed);
    counters[i] = 0;
  }
}

}  // namespace

void PostponedSums::begin(simt::BlockContext& context) {
  close(context);
  context.sums = context.sums_pending = 0;
  may_open_ = true;
  settled_ = 0;
}

void PostponedSums::open(simt::BlockContext& context, const Arena& arena, uint64_t address, uint32_t bytes) {
  if (!may_open_) return;
  may_open_ = false;
  auto region = arena.find(address - simt::kAliasOffset);
  if (!region || region->owner == Owner::Engine || region->kind != device::MemoryKind::Device) return;
  uint64_t first = (region->base + 7) / 8 * 8, last = (region->base + region->size) / 8 * 8;
  // Of a large allocation the part around the address.
  if (last - first > kMostBytes) {
    const uint64_t half = (address - simt::kAliasOffset) / (kMostBytes / 2) * (kMostBytes / 2);
    first = std::max(first, half);
    last = std::min(last, first + kMostBytes);
  }
  if (first >= last) return;
  counters_.assign((last - first) / 8, 0);
  element_bytes_ = bytes;
  context.sums_first = first + simt::kAliasOffset;
  context.sums_bytes = last - first;
  context.sums = reinterpret_cast<uint64_t>(counters_.data());
}

void PostponedSums::settle(simt::BlockContext& context) {
  if (!context.sums_pending) return;
  context.sums_pending = 0;
  if (element_bytes_ == 4) add_all(context.sums_first, reinterpret_cast<uint32_t*>(counters_.data()), context.sums_bytes / 4);
  else add_all(context.sums_first, counters_.data(), context.sums_bytes / 8);
  if (++settled_ == kMostSettled) close(context);
}

}  // namespace warpwise::exec
