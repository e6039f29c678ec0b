#include "exec/launch/deferred_stores.h"

#include <algorithm>
#include <cstring>

namespace warpwise::exec {

DeferredStores::Log& DeferredStores::log_of(uint32_t warp) {
  if (warp >= logs_.size()) logs_.resize(warp + 1);
  return logs_[warp];
}

void DeferredStores::swap(Entry& entry) {
  std::array<std::byte, 16> now;
  std::memcpy(now.data(), entry.address, entry.bytes);
  std::memcpy(entry.address, entry.other.data(), entry.bytes);
  entry.other = now;
}

void DeferredStores::note(uint32_t warp, std::byte* address, uint32_t bytes) {
  Log& log = log_of(warp);
  const uint64_t key = reinterpret_cast<uint64_t>(address) << 5 | bytes;
  if (!log.known.try_emplace(key, uint32_t(log.entries.size())).second) return;
  Entry entry{address, {}, uint8_t(bytes)};
  std::memcpy(entry.other.data(), address, bytes);
  log.entries.push_back(entry);
  ++noted_;
}

// Backwards: of entries that overlap the first has the oldest bytes.
void DeferredStores::hide(uint32_t warp) {
  Log& log = log_of(warp);
  if (log.hidden) return;
  log.hidden = true;
  std::for_each(log.entries.rbegin(), log.entries.rend(), swap);
}

void DeferredStores::show(uint32_t warp) {
  Log& log = log_of(warp);
  if (!log.hidden) return;
  log.hidden = false;
  std::for_each(log.entries.begin(), log.entries.end(), swap);
}

void DeferredStores::commit(uint32_t warp) {
  Log& log = log_of(warp);
  noted_ -= log.entries.size();
  log.entries.clear();
  log.known.clear();
}

void DeferredStores::publish() {
  for (uint32_t warp = 0; warp < logs_.size(); ++warp) hide(warp);
  for (uint32_t warp = 0; warp < logs_.size(); ++warp) {
    show(warp);
    commit(warp);
  }
}

bool DeferredStores::read_hidden(uint32_t warp, const std::byte* address, uint32_t bytes, void* to) const {
  if (warp >= logs_.size() || !logs_[warp].hidden) return false;
  const auto found = logs_[warp].known.find(reinterpret_cast<uint64_t>(address) << 5 | bytes);
  if (found == logs_[warp].known.end()) return false;
  std::memcpy(to, logs_[warp].entries[found->second].other.data(), bytes);
  return true;
}

void DeferredStores::clear() {
  logs_.clear();
  noted_ = 0;
}

}  // namespace warpwise::exec
