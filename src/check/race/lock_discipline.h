// Locks that are taken, but not fenced.
//
//     while (atomicCAS(&lock, 0, 1) != 0) {}
//     data++;                                  // may be done before the lock is taken: a fence is missing above
//     __threadfence();
//     atomicExch(&lock, 0);
//
// In a run in which this thread is the first to hold the lock, all that it did happens before what the next one does:
// the clocks (race_clocks.h) see no race, although the next run may have one. So what threads touch while they hold a
// lock is remembered, with the fence that came in between. Two threads that held one lock and touched one word, of
// which one wrote it, are a race where one of them had no fence, or none that reaches the other.
//
// A lock is a word that a thread changes by a compare-and-swap or an exchange on whose result it decides, and that it
// changes back. What is never changed back (a slot that is claimed, a loop that computes a maximum) guards nothing.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "check/race/race_clocks.h"

namespace warpwise::check {

class LockDiscipline {
 public:
  struct Thread {
    Serial block;
    uint32_t index;
    auto operator<=>(const Thread&) const = default;
  };
  enum Fence : uint8_t { kNoFence, kBlockFence, kDeviceFence };
  // An access by the holder of a lock.
  struct Touch {
    Thread thread;
    device::Address word;
    uint32_t site;
    bool writes;
    Fence fence;  // between taking the lock and this
  };
  struct Broken {
    device::Address lock;
    Touch unfenced, other;
  };

  void launch_begins() { held_.clear(), guarded_.clear(); }
  bool is_held() const { return !held_.empty(); }
  bool holds(Thread thread, device::Address lock) const;
  // `free`: the value that the lock had before.
  void take(Thread thread, device::Address lock, uint64_t free);
  void fence(Thread thread, Fence fence);
  void touch(Thread thread, device::Address word, uint32_t site, bool writes);
  // The holder writes the word. Where that gives the lock back, what it touched is compared with what others did; of a
  // lock in shared memory, with what others of the block did.
  std::vector<Broken> give_back(Thread thread, device::Address lock, bool shared, bool value_known, uint64_t value);

 private:
  struct Held {
    device::Address lock;
    uint64_t free;
    Fence fence = kNoFence;
    std::vector<Touch> touches;
  };
  std::map<Thread, std::vector<Held>> held_;
  // By lock (with its block, if it is one's own) and word.
  std::map<std::pair<device::Address, Serial>, std::unordered_map<device::Address, std::vector<Touch>>> guarded_;
};

}  // namespace warpwise::check
