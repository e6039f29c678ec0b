// C0201, C0202, C0203 and C0207 of threads that held the same lock without a fence behind taking it: follows which
// threads hold locks, and what they touch meanwhile (lock_discipline.h).
#pragma once

#include "check/race/access_sites.h"
#include "check/race/lock_discipline.h"
#include "check/race/race_reporter.h"
#include "exec/observer_events.h"
#include "simt/instrument/events.h"

namespace warpwise::check {

class LockRaces {
 public:
  explicit LockRaces(RaceReporter& reporter) : reporter_(reporter) {}

  void begin_launch() { locks_.launch_begins(); }
  // Whether some thread holds a lock: then every access matters.
  bool is_held() const { return locks_.is_held(); }

  // Threads of the block `serial` make a fence, or wait at a barrier, which is one.
  void fence(const exec::ObservedEvent& event, Serial serial, LockDiscipline::Fence fence);
  // All threads of a block do.
  void fence_all(Serial serial, uint32_t threads);
  // An access that is strong, or while is_held().
  void follow(const exec::ObservedEvent& event, const simt::MemoryAccess& what, const AccessSite& site, Serial serial);

 private:
  void report(const exec::ObservedEvent& event, const simt::MemoryAccess& what, const LockDiscipline::Broken& broken);

  RaceReporter& reporter_;
  LockDiscipline locks_;
};

}  // namespace warpwise::check
