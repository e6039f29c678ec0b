// The part of the race checker that compares commands of different streams: C0204.
//
// What may race with the command that runs is in its history (command_history.h). Blocks of such a launch are found in
// the cells of the words they touched, by their serials; copies and fills are kept as ranges, and the cells of theirs
// are searched.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "check/memory/shadow_memory.h"
#include "check/race/race_checker.h"
#include "check/source/places.h"

namespace warpwise::check {

using device::Address;
using exec::ObservedEvent;
using exec::StreamOrder;

namespace {

constexpr size_t kMostWords = 1 << 24;  // of a copy, that are compared

}  // namespace

void RaceChecker::command_begins(const std::shared_ptr<const StreamOrder::Command>& command) {
  forget_freed();
  history_.begin(command);
}

void RaceChecker::launch_ends(const exec::KernelLaunch& launch) {
  for (const auto& [run, state] : states_) block_ends(*state);
  launch_ = nullptr;
  if (!cells_.is_mapped() || !history_.now() || serial_ < first_serial_) return;
  history_.add_launch({{}, {}, launch, first_serial_, block_of_, numbers_[kGlobal], numbered_[kGlobal]});
}

// A copy or a fill, or a row of one, or a lifetime; what asynchronous copies of a kernel do belongs to the kernel.
// `host`: the host's own act.
void RaceChecker::copied(Address base, size_t bytes, Touch touch, const HostPlace& host) {
  if (!cells_.is_mapped() || !history_.now() || launch_ || bytes == 0) return;
  const bool writes = touch != Touch::Read;
  auto report = [&](Party before, Address at, size_t met, const PastCommand& past) {
    Party now = copy_party(*history_.now(), touch);
    if (host.empty()) return report_streams(std::move(now), std::move(before), at, met, past);
    now.host = host;
    report_host(std::move(now), std::move(before), at, met, past);
  };
  for (const PastCommand* past : history_.unordered()) {
    for (const TouchedRange& range : past->ranges)
      if (base < range.base + range.bytes && range.base < base + bytes && (writes || range.writes()) &&
          (host.empty() || range.touch != Touch::Allocation))
        report(copy_party(*past->order, range.touch), std::max(base, range.base), 1, *past);
    if (!past->is_launch() || !ShadowMemory::covers(base, bytes) || bytes / 4 > kMostWords ||
        history_.is_reported(*past))
      continue;
    for (Address at = base / 4 * 4; at < base + bytes; at += 4) {
      const CellMemory::Word parts = cells_.bytes_at(at);
      auto met = [&](bool wrote) {
        return std::find_if(parts.begin(), parts.end(),
                            [&](const ByteCell& part) { return past->numbers.has(wrote ? part.write : part.read); });
      };
      for (const bool wrote : {true, false}) {
        if (!wrote && !writes) continue;
        const auto part = met(wrote);
        if (part == parts.end()) continue;
        report(party_of(*past, entry_of(kGlobal, wrote ? part->write : part->read), wrote), at, 4, *past);
        at = base + bytes;
        break;
      }
    }
  }
  history_.add_touch(base, bytes, touch);
}

void RaceChecker::compare_with_copies(const ObservedEvent& access, const simt::MemoryAccess& what, const Site& site) {
  const bool writes = what.writes();
  for (const PastCommand* past : history_.unordered()) {
    for (const TouchedRange& range : past->ranges) {
      if (!writes && !range.writes()) continue;
      for (uint32_t left = access.mask; left != 0; left &= left - 1) {
        const unsigned lane = static_cast<unsigned>(std::countr_zero(left));
        const Address address = access.addresses[lane];
        if (address >= range.base + range.bytes || range.base >= address + what.bytes) continue;
        const int64_t alone = access.run.running_thread;
        Party party = thread_party(access.run.launch.launch, writes ? "write" : "read", access.run.block,
                                   alone >= 0 ? alone : int64_t{access.warp} * simt::kLanes + lane, site.place());
        report_streams(std::move(party), copy_party(*past->order, range.touch), address, what.bytes, *past);
        break;
      }
    }
  }
}

void RaceChecker::compare_with_stream(const ObservedEvent& access, const Entry& before, bool before_writes,
                                      const Entry& entry, bool writes, Address address) {
  const PastCommand* past = history_.launch_of(before.number);
  if (!past || (before.strong && entry.strong)) return;
  const Site& site = sites_[entry.site];
  Party party = thread_party(access.run.launch.launch,
                             entry.atomic ? "atomic"
                             : writes     ? "write"
                                          : "read",
                             access.run.block, entry.thread, site.place());
  report_streams(std::move(party), party_of(*past, before, before_writes), address,
                 simt::unpack<simt::event::Access>(access.what).access.bytes, *past);
}

Party RaceChecker::party_of(const PastCommand& past, const Entry& entry, bool writes) const {
  const Site& site = sites_[entry.site];
  const uint64_t index = entry.serial < past.first ? ~uint64_t{0} : entry.serial - past.first;
  Party party = thread_party(past.launch,
                             entry.atomic ? "atomic"
                             : writes     ? "write"
                                          : "read",
                             index < past.blocks.size() ? past.blocks[index] : 0, entry.thread, site.place());
  if (index >= past.blocks.size()) party.block.reset();
  return party;
}

Party RaceChecker::copy_party(const StreamOrder::Command& order, Touch touch) const {
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

void RaceChecker::report_streams(Party now, Party before, Address address, size_t bytes, const PastCommand& past) {
  if (!history_.report_once(past)) return;
  Finding finding = make_finding(
      "C0204", fmt::format("{} and {} of the same memory by work of different streams, and nothing orders the two",
                           before.role, now.role));
  if (now.host.empty()) now.host = history_.now()->submitted_at;
  if (before.host.empty()) before.host = past.order->submitted_at;
  finding.parties.push_back(std::move(now));
  finding.parties.push_back(std::move(before));
  finding.memory = memory_place(*arena_, address, bytes, nullptr);
  sink_.report(std::move(finding));
}

}  // namespace warpwise::check
