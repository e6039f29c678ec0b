#include "device/gpu/deferred_frees.h"

#include <fmt/format.h>

namespace warpwise::device::gpu {

Status DeferredFrees::add(const CUstream* stream, Address base, size_t bytes) {
  const Driver& driver = context_.driver();
  CUevent event = nullptr;
  if (stream) {
    if (Status status = context_.check(driver.create_event(&event, 0), "making an event"); !status.ok()) return status;
    if (Status status = context_.check(driver.record_event(event, *stream), "recording an event"); !status.ok()) {
      (void)driver.destroy_event(event);
      return status;
    }
  }
  std::lock_guard lock(mutex_);
  blocks_[bytes].push_back({base, event});
  return {};
}

Address DeferredFrees::take(size_t bytes) {
  const Driver& driver = context_.driver();
  std::lock_guard lock(mutex_);
  auto found = blocks_.find(bytes);
  if (found == blocks_.end()) return 0;
  std::vector<Block>& blocks = found->second;
  for (size_t i = 0; i < blocks.size(); ++i) {
    const Block block = blocks[i];
    if (block.last_use && driver.query_event(block.last_use) != kSuccess) continue;
    if (block.last_use) (void)context_.check(driver.destroy_event(block.last_use), "destroying an event");
    blocks.erase(blocks.begin() + static_cast<std::ptrdiff_t>(i));
    if (blocks.empty()) blocks_.erase(found);
    return block.base;
  }
  return 0;
}

Status DeferredFrees::give_back() {
  const Driver& driver = context_.driver();
  std::lock_guard lock(mutex_);
  Status first;
  for (const auto& [bytes, blocks] : blocks_)
    for (const Block& block : blocks) {
      Status status = context_.check(driver.free(block.base), fmt::format("freeing {:#x}", block.base));
      if (first.ok()) first = std::move(status);
      if (!block.last_use) continue;
      status = context_.check(driver.destroy_event(block.last_use), "destroying an event");
      if (first.ok()) first = std::move(status);
    }
  blocks_.clear();
  return first;
}

}  // namespace warpwise::device::gpu
