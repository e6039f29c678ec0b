#include "check/race/stream_races.h"

#include <algorithm>
#include <utility>

#include "check/event_threads.h"
#include "check/memory/shadow_memory.h"
#include "check/source/places.h"

namespace warpwise::check {

using device::Address;
using exec::ObservedEvent;

namespace {

constexpr size_t kMostWords = 1 << 24;  // of a copy, that are compared

Party copy_party(const exec::StreamOrder::Command& order, Touch touch) {
  switch (touch) {
    case Touch::Read:
      return {.role = "read", .detail = "a copy or fill", .host = order.submitted_at};
    case Touch::Write:
      return {.role = "write", .detail = "a copy or fill", .host = order.submitted_at};
    case Touch::Allocation:
      return {.role = "allocation", .detail = "memory of a pool", .host = order.submitted_at};
    case Touch::Free:
      return {.role = "free", .detail = "memory of a pool", .host = order.submitted_at};
  }
  return {};
}

}  // namespace

void StreamRaces::touch(Address base, size_t bytes, Touch touch, const HostPlace& host) {
  const bool writes = touch != Touch::Read;
  for (const PastCommand* past : history_.unordered()) {
    for (const TouchedRange& range : past->ranges)
      if (base < range.base + range.bytes && range.base < base + bytes && (writes || range.writes()) &&
          (host.empty() || range.touch != Touch::Allocation))
        report_touch(touch, host, copy_party(*past->order, range.touch), std::max(base, range.base), 1, *past);
    if (past->is_launch() && ShadowMemory::covers(base, bytes) && bytes / 4 <= kMostWords &&
        !history_.is_reported(*past))
      compare_touch_with_launch(*past, base, bytes, touch, host);
  }
  history_.add_touch(base, bytes, touch);
}

// Up to the first word that the launch has accessed so that the two conflict.
void StreamRaces::compare_touch_with_launch(const PastCommand& past, Address base, size_t bytes, Touch touch,
                                            const HostPlace& host) {
  for (Address at = base / 4 * 4; at < base + bytes; at += 4) {
    const CellMemory::Word parts = cells_.bytes_at(at);
    for (const bool wrote : {true, false}) {
      if (!wrote && touch == Touch::Read) continue;
      for (const CellMemory::ByteCell& part : parts) {
        const RaceNumbers::Number number = wrote ? part.write : part.read;
        if (!past.numbers.has(number)) continue;
        const RaceAccess access = numbers_.access_of(kGlobal, number, wrote);
        return report_touch(touch, host, party_of(past, access), at, 4, past);
      }
    }
  }
}

void StreamRaces::report_touch(Touch touch, const HostPlace& host, Party before, Address at, size_t bytes,
                               const PastCommand& past) {
  Party now = copy_party(*history_.now(), touch);
  if (host.empty()) return report_streams(std::move(now), std::move(before), at, bytes, past);
  now.host = host;
  report_host(std::move(now), std::move(before), at, bytes, past);
}

void StreamRaces::host_access(Address address, bool writes, const HostPlace& place) {
  Party host{.role = writes ? "write" : "read", .detail = "the host", .host = place};
  for (const PastCommand* past : history_.unordered()) {
    for (const TouchedRange& range : past->ranges)
      if (address - range.base < range.bytes && (writes || range.writes()))
        return report_host(std::move(host), copy_party(*past->order, range.touch), address, 1, *past);
    if (!past->is_launch() || !ShadowMemory::covers(address / 4 * 4, 4)) continue;
    const CellMemory::ByteCell cell = cells_.bytes_at(address)[address % 4];
    for (const bool wrote : {true, false}) {
      if (!wrote && !writes) continue;
      const RaceNumbers::Number number = wrote ? cell.write : cell.read;
      if (!past->numbers.has(number)) continue;
      const RaceAccess access = numbers_.access_of(kGlobal, number, wrote);
      if (access.strong) continue;
      return report_host(std::move(host), party_of(*past, access), address, 1, *past);
    }
  }
}

void StreamRaces::compare_with_copies(const ObservedEvent& event, const simt::MemoryAccess& what,
                                      const AccessSite& site) {
  const bool writes = what.writes();
  for (const PastCommand* past : history_.unordered()) {
    for (const TouchedRange& range : past->ranges) {
      if (!writes && !range.writes()) continue;
      for (const auto [lane, thread] : threads_of(event)) {
        const Address address = event.addresses[lane];
        if (address >= range.base + range.bytes || range.base >= address + what.bytes) continue;
        Party party =
            thread_party(event.run.launch.launch, writes ? "write" : "read", event.run.block, thread, site.place());
        report_streams(std::move(party), copy_party(*past->order, range.touch), address, what.bytes, *past);
        break;
      }
    }
  }
}

void StreamRaces::compare_with_launch(const ObservedEvent& event, const RaceAccess& before, const RaceAccess& now,
                                      Address address, uint8_t bytes) {
  const PastCommand* past = history_.launch_of(before.number);
  if (!past || (before.strong && now.strong)) return;
  Party party =
      thread_party(event.run.launch.launch, now.role(), event.run.block, now.thread, sites_[now.site].place());
  report_streams(std::move(party), party_of(*past, before), address, bytes, *past);
}

Party StreamRaces::party_of(const PastCommand& past, const RaceAccess& access) const {
  const uint64_t index = access.serial < past.first ? ~uint64_t{0} : access.serial - past.first;
  const bool known = index < past.blocks.size();
  Party party = thread_party(past.launch, access.role(), known ? past.blocks[index] : 0, access.thread,
                             sites_[access.site].place());
  if (!known) party.block.reset();
  return party;
}

void StreamRaces::report_streams(Party now, Party before, Address address, size_t bytes, const PastCommand& past) {
  if (history_.report_once(past))
    reporter_.streams(std::move(now), std::move(before), address, bytes, past, *history_.now());
}

void StreamRaces::report_host(Party host, Party device, Address address, size_t bytes, const PastCommand& past) {
  if (history_.report_once(past)) reporter_.host(std::move(host), std::move(device), address, bytes, past);
}

}  // namespace warpwise::check
