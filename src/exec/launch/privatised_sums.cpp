#include "exec/launch/privatised_sums.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <span>

#include "exec/memory/arena.h"

namespace warpwise::exec {
namespace {

constexpr uint64_t kMostBytes = 64 << 10;
constexpr unsigned kMostSettled = 16;

void close(simt::BlockContext& context) { context.sums_first = context.sums_bytes = 0; }

// A word at a time, and most words are skipped eight at a time.
template <class T>
void add_all(uint64_t first, std::span<uint64_t> words) {
  constexpr size_t kStep = 8, kEach = sizeof(uint64_t) / sizeof(T);
  for (size_t at = 0; at < words.size(); at += kStep) {
    auto some = words.subspan(at, std::min(kStep, words.size() - at));
    uint64_t any = 0;
    for (uint64_t word : some) any |= word;
    if (any == 0) continue;
    T parts[kStep * kEach];
    std::memcpy(parts, some.data(), some.size_bytes());
    for (size_t i = 0; i < some.size() * kEach; ++i)
      if (parts[i] != 0)
        std::atomic_ref(reinterpret_cast<T*>(first)[at * kEach + i]).fetch_add(parts[i], std::memory_order_relaxed);
    std::fill(some.begin(), some.end(), 0);
  }
}

}  // namespace

void PrivatisedSums::begin(simt::BlockContext& context) {
  close(context);
  context.sums = context.sums_pending = 0;
  may_open_ = true;
  settled_ = 0;
}

void PrivatisedSums::open(simt::BlockContext& context, const Arena& arena, uint64_t address, uint32_t bytes) {
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
  if (unfinished_) std::fill(counters_.begin(), counters_.end(), 0);
  unfinished_ = true;
  if (counters_.size() < (last - first) / 8) counters_.resize((last - first) / 8);
  element_bytes_ = bytes;
  context.sums_first = first + simt::kAliasOffset;
  context.sums_bytes = last - first;
  context.sums = reinterpret_cast<uint64_t>(counters_.data());
}

void PrivatisedSums::settle(simt::BlockContext& context) {
  if (!context.sums_pending) return;
  context.sums_pending = 0;
  const std::span words(counters_.data(), context.sums_bytes / 8);
  if (element_bytes_ == 4)
    add_all<uint32_t>(context.sums_first, words);
  else
    add_all<uint64_t>(context.sums_first, words);
  if (++settled_ == kMostSettled) close(context);
}

void PrivatisedSums::finish(simt::BlockContext& context) {
  settle(context);
  unfinished_ = false;
}

}  // namespace warpwise::exec
