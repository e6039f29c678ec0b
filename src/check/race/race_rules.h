// The decision: whether two accesses of the same bytes are a race, and of which rule (C02.. of base/rules.inc).
//
// A race is two accesses by different threads, of which one writes and which nothing orders. What the threads did in
// this run does not matter, only what orders them. Strong accesses (atomics, volatile ones) may conflict without order:
// that is how threads signal. To ISO C++ `volatile` is no atomic [intro.races]: of volatile accesses this holds only
// where a thread decides by what it reads (source/value_uses.h). In shared memory, where barriers are at hand, the
// thread must be polling it: a flag that is raised and read once needs a barrier between, volatile or not.
//
//     C0207  strong, and of a scope that leaves the other thread out; or ordered by such accesses alone
//     C0206  one is atomic and the other is not
//     C0210  one is a compare-and-swap and the other a plain read
//     C0203  threads of different blocks
//     C0202  lanes of a warp
//     C0201  warps of a block
//     C0209  both write the same value
#pragma once

#include "check/race/access_sites.h"
#include "check/race/race_access.h"

namespace warpwise::check {

struct Conflict {
  const RaceAccess &before, &now;
  const AccessSite &before_site, &now_site;
  MemorySpace space = kGlobal;

  bool same_block() const { return before.serial == now.serial; }
  bool both_strong() const { return before.strong && now.strong; }
  // The scope of each, if it has one, takes in the other thread.
  bool scopes_match() const { return same_block() || !(before.block_scope || now.block_scope); }
  // One of them is volatile, and neither thread decides by what it reads.
  bool is_volatile_data() const {
    if (before.site == 0 || now.site == 0 || !(before_site.is_volatile || now_site.is_volatile)) return false;
    if (space == kShared) return !before_site.polled && !now_site.polled;
    return before_site.use != ValueUse::Decision && now_site.use != ValueUse::Decision;
  }
};

// The rule that is broken; null: none. `facts` are asked only as far as they matter, since finding them out takes time:
//
//     bool is_of_ended_block()      `before` was in shared memory that its block no longer has
//     bool is_ordered(Width)        `before` happened before `now`; kAnyScope: if scopes were wider
//     bool is_seen(Width)           `now` is a strong access after a strong read of what came after `before`
//     bool is_read()                `now`'s warp has read what `before` wrote
//     bool is_same_value()          both write, and the same value
template <class Facts>
const char* broken_rule(const Conflict& c, const Facts& facts) {
  const RaceAccess &before = c.before, &now = c.now;
  if (!before.writes && !now.writes) return nullptr;
  if (c.same_block() && before.thread == now.thread) return nullptr;
  if (!c.same_block() && facts.is_of_ended_block()) return nullptr;
  const bool both_strong = c.both_strong(), scopes_match = c.scopes_match();
  if (both_strong && scopes_match && !c.is_volatile_data()) return nullptr;
  if (facts.is_ordered(kDeviceWide)) return nullptr;
  if (both_strong && facts.is_seen(kDeviceWide)) return nullptr;
  // Threads take turns: each writes what the next one has read before it writes.
  if (both_strong && scopes_match && now.writes && before.writes && facts.is_read()) return nullptr;

  const char* rule = before.warp() == now.warp() ? "C0202" : "C0201";
  const bool ordered_if_wider =
      !c.same_block() && (facts.is_ordered(kAnyScope) || (both_strong && facts.is_seen(kAnyScope)));
  const bool compares = (now.atomic && c.now_site.compares) || (before.atomic && c.before_site.compares);
  if ((both_strong && !scopes_match) || ordered_if_wider)
    rule = "C0207";
  else if (before.atomic != now.atomic)
    rule = compares && !(before.atomic ? now.writes : before.writes) ? "C0210" : "C0206";
  else if (!c.same_block())
    rule = "C0203";
  if (!facts.is_same_value()) return rule;
  return both_strong ? nullptr : "C0209";  // several threads raise a volatile flag
}

}  // namespace warpwise::check
