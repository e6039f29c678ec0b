// C0208: accesses of what an asynchronous copy writes or reads before a thread has waited for the copy
// (async_copies.h).
#pragma once

#include "check/event_threads.h"
#include "check/race/access_sites.h"
#include "check/race/race_block.h"
#include "check/race/race_reporter.h"
#include "exec/observer_events.h"
#include "simt/instrument/events.h"

namespace warpwise::check {

class CopyRaces {
 public:
  explicit CopyRaces(RaceReporter& reporter) : reporter_(reporter) {}

  // An access by cp.async, or any access while copies are pending.
  void follow(const exec::ObservedEvent& event, const simt::MemoryAccess& what, const AccessSite& site,
              RaceBlock& block);

  // Threads make what they have issued a group.
  static void commit(const exec::ObservedEvent& event, bool bulk, AsyncCopies& copies) {
    if (copies.empty()) return;
    for (const auto [lane, thread] : threads_of(event)) bulk ? copies.commit_bulk(thread) : copies.commit(thread);
  }
  // Threads wait for groups. `written(thread, word)` is called for each word that a thread's copies have written now.
  template <class Written>
  static void wait(const exec::ObservedEvent& event, const simt::event::AsyncWait& wait, AsyncCopies& copies,
                   const Written& written) {
    if (copies.empty()) return;
    for (const auto [lane, thread] : threads_of(event)) {
      if (wait.bulk) {
        copies.wait_bulk(thread, event.values[lane]);
        continue;
      }
      for (device::Address word : copies.wait(thread, event.values[lane], wait.ungrouped)) written(thread, word);
    }
  }

 private:
  RaceReporter& reporter_;
};

}  // namespace warpwise::check
