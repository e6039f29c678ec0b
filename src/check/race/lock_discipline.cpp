#include "check/race/lock_discipline.h"

#include <algorithm>

namespace warpwise::check {

namespace {

// Bounds of what is remembered: locks a thread holds at once, words it touches under one, threads that hold something,
// and holders that are remembered for each word.
constexpr size_t kMostLocks = 4, kMostTouches = 64, kMostHolders = 1 << 14, kMostOthers = 4;

}  // namespace

bool LockDiscipline::holds(Thread thread, device::Address lock) const {
  auto found = held_.find(thread);
  return found != held_.end() &&
         std::any_of(found->second.begin(), found->second.end(), [&](const Held& h) { return h.lock == lock; });
}

void LockDiscipline::take(Thread thread, device::Address lock, uint64_t free) {
  auto found = held_.find(thread);
  if (found == held_.end()) {
    if (held_.size() >= kMostHolders) return;
    found = held_.try_emplace(thread).first;
  }
  std::erase_if(found->second, [&](const Held& h) { return h.lock == lock; });
  if (found->second.size() == kMostLocks) found->second.erase(found->second.begin());
  found->second.push_back({lock, free, kNoFence, {}});
}

void LockDiscipline::fence(Thread thread, Fence fence) {
  auto found = held_.find(thread);
  if (found == held_.end()) return;
  for (Held& h : found->second) h.fence = std::max(h.fence, fence);
}

void LockDiscipline::touch(Thread thread, device::Address word, uint32_t site, bool writes) {
  auto found = held_.find(thread);
  if (found == held_.end()) return;
  for (Held& h : found->second) {
    if (h.touches.size() == kMostTouches || word == h.lock) continue;
    const bool known = std::any_of(h.touches.begin(), h.touches.end(), [&](const Touch& t) {
      return t.word == word && t.site == site && t.fence == h.fence;
    });
    if (!known) h.touches.push_back({thread, word, site, writes, h.fence});
  }
}

std::vector<LockDiscipline::Broken> LockDiscipline::give_back(Thread thread, device::Address lock, bool shared,
                                                              bool value_known, uint64_t value) {
  auto found = held_.find(thread);
  if (found == held_.end()) return {};
  auto held = std::find_if(found->second.begin(), found->second.end(), [&](const Held& h) { return h.lock == lock; });
  if (held == found->second.end() || (value_known && value != held->free)) return {};
  std::vector<Broken> broken;
  auto& words = guarded_[{lock, shared ? thread.block : 0}];
  for (const Touch& mine : held->touches) {
    std::vector<Touch>& others = words[mine.word];
    for (const Touch& other : others) {
      if (other.thread == thread || !(mine.writes || other.writes)) continue;
      const Fence needed = other.thread.block == thread.block ? kBlockFence : kDeviceFence;
      if (mine.fence < needed)
        broken.push_back({lock, mine, other});
      else if (other.fence < needed)
        broken.push_back({lock, other, mine});
    }
    const bool known = std::any_of(others.begin(), others.end(), [&](const Touch& t) {
      return t.site == mine.site && t.fence == mine.fence && t.thread.block == thread.block;
    });
    if (!known && others.size() < kMostOthers) others.push_back(mine);
  }
  found->second.erase(held);
  if (found->second.empty()) held_.erase(found);
  return broken;
}

}  // namespace warpwise::check
