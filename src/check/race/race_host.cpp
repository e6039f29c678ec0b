// The part of the race checker that compares what the host does with what the device may do at the same time: C0205.
//
// The host's access comes as a command of its own (exec/queue/host_accesses.h): what ran before it and is not certain
// to be over when the host touched the memory is unordered with it. Kernels are found in the cells of the word, copies
// and fills among their ranges. A kernel's volatile and atomic accesses are let be: a host that polls a flag does so on
// purpose.
#include <fmt/format.h>

#include "check/memory/shadow_memory.h"
#include "check/race/race_checker.h"
#include "check/source/places.h"

namespace warpwise::check {

using device::Address;

void RaceChecker::host_touched(Address address, bool writes, const HostPlace& place) {
  if (!cells_.is_mapped() || !history_.now()) return;
  Party host{.role = writes ? "write" : "read", .detail = "the host", .host = place};
  for (const PastCommand* past : history_.unordered()) {
    for (const TouchedRange& range : past->ranges)
      if (address - range.base < range.bytes && (writes || range.writes()))
        return report_host(std::move(host), copy_party(*past->order, range.touch), address, 1, *past);
    const Address word = address / 4 * 4;
    if (!past->is_launch() || !ShadowMemory::covers(word, 4)) continue;
    const ByteCell cell = cells_.bytes_at(address)[address % 4];
    for (const bool wrote : {true, false}) {
      if (!wrote && !writes) continue;
      const Number number = wrote ? cell.write : cell.read;
      if (!past->numbers.has(number)) continue;
      const Entry entry = entry_of(kGlobal, number);
      if (entry.strong) continue;
      return report_host(std::move(host), party_of(*past, entry, wrote), address, 1, *past);
    }
  }
}

void RaceChecker::report_host(Party host, Party device, Address address, size_t bytes, const PastCommand& past) {
  if (!history_.report_once(past)) return;
  Finding finding = make_finding(
      "C0205", fmt::format("{} by the host and {} by the device of the same memory, and the host has not waited",
                           host.role, device.role));
  finding.parties.push_back(std::move(host));
  finding.parties.push_back(std::move(device));
  finding.memory = memory_place(*arena_, address, bytes, nullptr);
  if (past.is_launch()) name_global(*finding.memory, *past.launch.image);
  sink_.report(std::move(finding));
}

}  // namespace warpwise::check
