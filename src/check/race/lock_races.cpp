#include "check/race/lock_races.h"

#include <cstring>

#include "check/event_threads.h"
#include "check/memory/shadow_memory.h"
#include "check/race/race_block.h"
#include "exec/memory/arena.h"

namespace warpwise::check {

using device::Address;
using exec::ObservedEvent;
using simt::AccessKind;

namespace {

constexpr const char* kNoFenceBehindLock =
    "both held the same lock, but no fence that reaches the other thread stands between taking it and the access: what "
    "is done under the lock may "
    "begin before it is held (put __threadfence() behind the loop that takes the lock)";

RaceAccess access_of(const LockDiscipline::Touch& touch) {
  return {.serial = touch.thread.block, .thread = touch.thread.index, .site = touch.site, .writes = touch.writes};
}

}  // namespace

void LockRaces::fence(const ObservedEvent& event, Serial serial, LockDiscipline::Fence fence) {
  if (!locks_.is_held()) return;
  for (const auto [lane, thread] : threads_of(event)) locks_.fence({serial, thread}, fence);
}

void LockRaces::fence_all(Serial serial, uint32_t threads) {
  if (!locks_.is_held()) return;
  for (uint32_t thread = 0; thread < threads; ++thread) locks_.fence({serial, thread}, LockDiscipline::kDeviceFence);
}

void LockRaces::follow(const ObservedEvent& event, const simt::MemoryAccess& what, const AccessSite& site,
                       Serial serial) {
  const bool atomic = what.kind == AccessKind::Atomic, writes = what.writes();
  const bool takes = atomic && (site.compares || site.exchanges) && site.use == ValueUse::Decision;
  if (!takes && !locks_.is_held()) return;
  const simt::BlockContext& block = event.run.context;
  Address taken = 0;  // of lanes that try to take one lock the first has it
  for (const auto [lane, index] : threads_of(event)) {
    const Address address = event.addresses[lane];
    if (!ShadowMemory::covers(address, what.bytes) || is_own_local(block, address)) continue;
    const LockDiscipline::Thread thread{serial, index};
    if (writes && locks_.holds(thread, address)) {
      // What a compare-and-swap or a sum writes is not reported. A holder that changes the word otherwise releases the
      // lock.
      const bool known = what.kind == AccessKind::Store || site.exchanges;
      for (const LockDiscipline::Broken& broken :
           locks_.give_back(thread, address, is_own_shared(block, address), known, event.values[lane]))
        report(event, what, broken);
      continue;
    }
    if (takes && what.bytes <= 8 && address != taken) {
      uint64_t there = 0;
      std::memcpy(&there, exec::engine_view(address), what.bytes);
      if ((there == event.values[lane]) == site.compares) locks_.take(thread, taken = address, there);
    }
    if ((!what.strong || site.is_volatile) && !atomic && site.index != 0)
      locks_.touch(thread, address, site.index, writes);
  }
}

void LockRaces::report(const ObservedEvent& event, const simt::MemoryAccess& what,
                       const LockDiscipline::Broken& broken) {
  const RaceAccess unfenced = access_of(broken.unfenced), other = access_of(broken.other);
  const char* rule = broken.unfenced.fence == LockDiscipline::kBlockFence ? "C0207"
                     : unfenced.serial != other.serial                    ? "C0203"
                     : unfenced.warp() == other.warp()                    ? "C0202"
                                                                          : "C0201";
  reporter_.race(event.run, rule, other, unfenced, broken.unfenced.word, what.bytes, kNoFenceBehindLock);
}

}  // namespace warpwise::check
