// C0204 and C0205: work of different streams, or of the host and the device, that nothing orders.
//
// What may race with the command that runs is in its history (command_history.h). Launches are found in the cells of
// the words that they have touched, by their numbers. Copies and fills are kept as ranges; when one runs, it searches
// the cells of its range. One finding is reported for each pair of commands.
//
// An access of the host comes as a command of its own (exec/queue/host_accesses.h): what ran before it and is not
// certain to be over when the host touched the memory is unordered with it. The volatile and atomic accesses of a
// kernel do not count there: a host that polls a flag does so on purpose.
#pragma once

#include <memory>

#include "base/finding.h"
#include "check/race/access_numbers.h"
#include "check/race/access_sites.h"
#include "check/race/cell_memory.h"
#include "check/race/command_history.h"
#include "check/race/race_reporter.h"
#include "exec/observer_events.h"
#include "simt/instrument/events.h"

namespace warpwise::check {

class StreamRaces {
 public:
  StreamRaces(CommandHistory& history, const CellMemory& cells, const AccessNumbers& numbers, const AccessSites& sites,
              RaceReporter& reporter)
      : history_(history), cells_(cells), numbers_(numbers), sites_(sites), reporter_(reporter) {}

  // The command that runs copies or fills a range, or the lifetime of memory of a pool begins or ends there. `host`:
  // where the host does so itself; empty: a stream does.
  void touch(device::Address base, size_t bytes, Touch touch, const HostPlace& host);
  // The host accesses a byte that it shares with the device.
  void host_access(device::Address address, bool writes, const HostPlace& place);
  // Threads of the launch that runs access what an unordered copy or fill has touched.
  void compare_with_copies(const exec::ObservedEvent& event, const simt::MemoryAccess& what, const AccessSite& site);
  // `now` accesses what `before`, of another launch, has accessed.
  void compare_with_launch(const exec::ObservedEvent& event, const RaceAccess& before, const RaceAccess& now,
                           device::Address address, uint8_t bytes);

 private:
  void compare_touch_with_launch(const PastCommand& past, device::Address base, size_t bytes, Touch touch,
                                 const HostPlace& host);
  void report_touch(Touch touch, const HostPlace& host, Party before, device::Address at, size_t bytes,
                    const PastCommand& past);
  Party party_of(const PastCommand& past, const RaceAccess& access) const;
  void report_streams(Party now, Party before, device::Address address, size_t bytes, const PastCommand& past);
  void report_host(Party host, Party device, device::Address address, size_t bytes, const PastCommand& past);

  CommandHistory& history_;
  const CellMemory& cells_;
  const AccessNumbers& numbers_;
  const AccessSites& sites_;
  RaceReporter& reporter_;
};

}  // namespace warpwise::check
