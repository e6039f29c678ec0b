#include "check/memory/annotated_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace warpwise::check {

using device::Address;
using device::MemoryAnnotation;
using Kind = MemoryAnnotation::Kind;

namespace {

// The entry whose range contains the address; entries do not overlap.
template <class Map>
auto entry_around(Map& map, Address address) {
  auto next = map.upper_bound(address);
  if (next == map.begin()) return map.end();
  auto entry = std::prev(next);
  return address - entry->first < entry->second.bytes ? entry : map.end();
}

// Those that begin or reach into [base, base + bytes).
template <class Map, class Visit>
void for_each_within(Map& map, Address base, size_t bytes, const Visit& visit) {
  auto entry = map.upper_bound(base);
  if (entry != map.begin() && base - std::prev(entry)->first < std::prev(entry)->second.bytes) --entry;
  while (entry != map.end() && entry->first < base + bytes) visit(*entry++);
}

uint8_t needed_for(simt::AccessKind kind) {
  switch (kind) {
    case simt::AccessKind::Load:
      return MemoryAnnotation::kRead;
    case simt::AccessKind::Store:
      return MemoryAnnotation::kWrite;
    case simt::AccessKind::Atomic:
      return MemoryAnnotation::kAtomic;
  }
  return 0;
}

}  // namespace

// --- what the program says ------------------------------------------------------------------------------

void AnnotatedMemory::take(const MemoryAnnotation& a, const HostPlace& host, const exec::Arena& arena,
                           FindingSink& sink) {
  std::lock_guard lock(mutex_);
  switch (a.kind) {
    case Kind::Pool: {
      auto region = arena.find(a.base);
      if (!region || !region->contains(a.base, a.bytes))
        return sink.note_unchecked(fmt::format("the pool at {:#x}, which is not in an allocation", a.base));
      pools_[a.base] = Pool{a.bytes, false, host, {}, {}};
      return shadow_.paint(a.base, a.bytes, simt::kNoMemory);
    }
    case Kind::Initialised:
      return shadow_.mark(a.base, a.bytes);
    case Kind::Name:
      names_[a.base] = a.name;
      return;
    case Kind::Permission:
    case Kind::PermissionReset:
      return permit(a, arena, sink);
    case Kind::PermissionsForgotten:
      for (auto& [base, restricted] : restricted_) restricted.allowed[size_t(a.scope)].reset();
      std::erase_if(restricted_, [](const auto& entry) { return !entry.second.any(); });
      return;
    default:
      break;
  }
  auto around = pool_around(a.base);
  if (around == pools_.end())
    return sink.note_unchecked(fmt::format("the suballocation at {:#x}, which is in no pool", a.base));
  Pool& pool = around->second;
  auto known = pool.suballocations.find(a.base);
  const bool lives = known != pool.suballocations.end() && !known->second.ended;
  switch (a.kind) {
    case Kind::PoolReset:
    case Kind::PoolEnds:
      for (auto& [base, suballocation] : pool.suballocations)
        if (!suballocation.ended) end_suballocation(suballocation, base, host);
      if (a.kind == Kind::PoolEnds) pool.ended = true, pool.ended_at = host;
      return;
    case Kind::Suballocation:
      if (a.bytes > pool.bytes - (a.base - around->first))
        return sink.note_unchecked(fmt::format("the suballocation at {:#x}, which reaches beyond its pool", a.base));
      return begin_suballocation(pool, a.base, a.bytes, host);
    case Kind::Resize:
      if (lives) resize(pool, a.base, a.bytes);
      return;
    case Kind::SuballocationEnds:
      if (lives) end_suballocation(known->second, a.base, host);
      return;
    default:
      return;
  }
}

void AnnotatedMemory::begin_suballocation(Pool& pool, Address base, size_t bytes, const HostPlace& host) {
  std::vector<Address> gone;
  for_each_within(pool.suballocations, base, bytes, [&](auto& entry) {
    if (entry.second.ended) gone.push_back(entry.first);
  });
  for (Address ended : gone) pool.suballocations.erase(ended);
  pool.suballocations[base] = Suballocation{bytes, false, host, {}};
  shadow_.paint(base, bytes, simt::kUninitialised);
}

void AnnotatedMemory::resize(Pool& pool, Address base, size_t bytes) {
  Suballocation& suballocation = pool.suballocations[base];
  const size_t before = suballocation.bytes;
  suballocation.bytes = bytes;
  if (bytes < before)
    shadow_.paint(base + bytes, before - bytes, simt::kNoMemory);
  else
    shadow_.paint(base + before, bytes - before, simt::kUninitialised);
}

void AnnotatedMemory::end_suballocation(Suballocation& suballocation, Address base, const HostPlace& host) {
  suballocation.ended = true;
  suballocation.ended_at = host;
  shadow_.paint(base, suballocation.bytes, simt::kNoMemory);
  restricted_.erase(base);
  names_.erase(base);
}

void AnnotatedMemory::permit(const MemoryAnnotation& a, const exec::Arena& arena, FindingSink& sink) {
  size_t bytes = 0;
  if (auto pool = pool_around(a.base); pool != pools_.end()) {
    auto known = pool->second.suballocations.find(a.base);
    if (known != pool->second.suballocations.end() && !known->second.ended) bytes = known->second.bytes;
  }
  if (auto region = arena.find(a.base); bytes == 0 && region && region->base == a.base) bytes = region->size;
  if (bytes == 0)
    return sink.note_unchecked(fmt::format("the permissions of {:#x}, where no allocation begins", a.base));
  Restricted& restricted = restricted_[a.base];
  restricted.bytes = bytes;
  if (a.kind == Kind::Permission)
    restricted.allowed[size_t(a.scope)] = a.allowed;
  else
    restricted.allowed[size_t(a.scope)].reset();
  if (!restricted.any()) restricted_.erase(a.base);
}

void AnnotatedMemory::freed(Address base, size_t bytes) {
  std::lock_guard lock(mutex_);
  auto forget = [&](auto& map) { map.erase(map.lower_bound(base), map.lower_bound(base + bytes)); };
  forget(pools_), forget(restricted_), forget(names_);
}

// --- what the host does -----------------------------------------------------------------------------------

void AnnotatedMemory::written(Address to, size_t bytes) {
  std::lock_guard lock(mutex_);
  for_each_within(pools_, to, bytes, [&](auto& entry) {
    auto& [base, pool] = entry;
    Address closed = std::max(to, base);
    const Address end = std::min(to + bytes, base + pool.bytes);
    for_each_within(pool.suballocations, closed, end - closed, [&](auto& inside) {
      if (inside.second.ended) return;
      if (inside.first > closed) shadow_.paint(closed, inside.first - closed, simt::kNoMemory);
      closed = std::max(closed, inside.first + inside.second.bytes);
    });
    if (closed < end) shadow_.paint(closed, end - closed, simt::kNoMemory);
  });
}

void AnnotatedMemory::copied(Address to, Address from, size_t bytes) {
  {
    std::lock_guard lock(mutex_);
    bool from_pool = false;
    for_each_within(pools_, from, bytes, [&](auto&) { from_pool = true; });
    if (from_pool && ShadowMemory::covers(to, bytes))
      std::replace(ShadowMemory::at(to), ShadowMemory::at(to) + bytes, simt::kNoMemory, simt::kInitialised);
  }
  written(to, bytes);
}

// --- launches ---------------------------------------------------------------------------------------------

bool AnnotatedMemory::close_restricted() {
  std::lock_guard lock(mutex_);
  for (auto& [base, restricted] : restricted_) {
    if (!restricted.shadow.empty() || !ShadowMemory::covers(base, restricted.bytes)) continue;
    restricted.shadow.assign(ShadowMemory::at(base), ShadowMemory::at(base) + restricted.bytes);
    shadow_.paint(base, restricted.bytes, simt::kNoMemory);
  }
  return !restricted_.empty();
}

bool AnnotatedMemory::open_restricted() {
  std::lock_guard lock(mutex_);
  for (auto& [base, restricted] : restricted_) {
    if (restricted.shadow.empty()) continue;
    std::memcpy(ShadowMemory::at(base), restricted.shadow.data(), restricted.shadow.size());
    restricted.shadow.clear();
  }
  return !restricted_.empty();
}

// --- questions --------------------------------------------------------------------------------------------

std::optional<std::string> AnnotatedMemory::rule_of(Address address, uint64_t bytes, simt::AccessKind kind,
                                                    bool reads) {
  std::lock_guard lock(mutex_);
  auto entry = entry_around(restricted_, address);
  if (entry == restricted_.end() || entry->second.shadow.empty()) return std::nullopt;
  Restricted& restricted = entry->second;
  const uint64_t first = address - entry->first;
  if (bytes > restricted.bytes - first) return std::nullopt;  // past its end
  uint8_t* shadow = restricted.shadow.data() + first;
  const bool uninitialised = std::find(shadow, shadow + bytes, simt::kUninitialised) != shadow + bytes;
  if (std::find(shadow, shadow + bytes, simt::kNoMemory) != shadow + bytes) return std::nullopt;
  if (kind != simt::AccessKind::Load) std::replace(shadow, shadow + bytes, simt::kUninitialised, simt::kInitialised);
  if ((restricted.now() & needed_for(kind)) == 0) return "C0117";
  return uninitialised && reads ? "C0301" : "";
}

std::string AnnotatedMemory::allowed_at(Address address) const {
  std::lock_guard lock(mutex_);
  auto entry = entry_around(restricted_, address);
  const uint8_t allowed = entry == restricted_.end() ? 0 : entry->second.now();
  std::string out;
  for (const auto& [bit, what] : {std::pair{MemoryAnnotation::kRead, "reads"},
                                  {MemoryAnnotation::kWrite, "writes"},
                                  {MemoryAnnotation::kAtomic, "atomics"}})
    if (allowed & bit) out += fmt::format("{}{}", out.empty() ? "" : " and ", what);
  return out.empty() ? "nothing" : out;
}

void AnnotatedMemory::find_suballocation(MemoryPlace& place) const {
  std::lock_guard lock(mutex_);
  auto around = pool_around(place.address);
  if (around == pools_.end()) return;
  const auto& [start, pool] = *around;
  // The one that it is in, or else the living one that ends or begins nearest.
  const std::pair<const Address, Suballocation>* best = nullptr;
  auto distance = [&](const auto& s) {
    return place.address < s.first                    ? s.first - place.address
           : place.address - s.first < s.second.bytes ? 0
                                                      : place.address - s.first - s.second.bytes + 1;
  };
  for (const auto& s : pool.suballocations) {
    if (s.second.ended && distance(s) != 0) continue;
    if (!best || distance(s) < distance(*best)) best = &s;
  }
  auto named = names_.find(best ? best->first : start);
  place.allocated = true;
  if (best) {
    place.name = named != names_.end() ? named->second : fmt::format("pool+{}", best->first - start);
    place.base = best->first, place.size = best->second.bytes, place.freed = best->second.ended;
    place.allocated_at = best->second.at, place.allocated_by = "nvtxMemRegionsRegister",
    place.freed_at = best->second.ended_at;
  } else {
    place.name = named != names_.end() ? named->second : "pool";
    place.base = start, place.size = pool.bytes, place.freed = pool.ended;
    place.allocated_at = pool.at, place.allocated_by = "nvtxMemHeapRegister", place.freed_at = pool.ended_at;
  }
}

AnnotatedMemory::Pools::iterator AnnotatedMemory::pool_around(Address address) { return entry_around(pools_, address); }
AnnotatedMemory::Pools::const_iterator AnnotatedMemory::pool_around(Address address) const {
  return entry_around(pools_, address);
}

}  // namespace warpwise::check
