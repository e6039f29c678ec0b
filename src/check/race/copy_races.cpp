#include "check/race/copy_races.h"

#include "check/memory/shadow_memory.h"

namespace warpwise::check {

using device::Address;
using simt::AccessKind;

void CopyRaces::follow(const exec::ObservedEvent& event, const simt::MemoryAccess& what, const AccessSite& site,
                       RaceBlock& block) {
  const bool writes = what.writes();
  for (const auto [lane, thread] : threads_of(event)) {
    const Address address = event.addresses[lane];
    if (!ShadowMemory::covers(address, what.bytes)) continue;
    for (Address word = address / 4 * 4; word < address + what.bytes; word += 4) {
      if (site.copies_later) {
        if (what.kind == AccessKind::Store) block.copies.issue(thread, word, site.index);
        continue;
      }
      const AsyncCopies::Pending* written = block.copies.find(word);
      const AsyncCopies::Pending* pending = written || !writes ? written : block.copies.find_reader(word);
      if (!pending) continue;
      const RaceAccess copy{.serial = block.clocks.serial,
                            .thread = pending->thread,
                            .site = pending->site,
                            .writes = written != nullptr};
      const RaceAccess now{.serial = block.clocks.serial, .thread = thread, .site = site.index, .writes = writes};
      reporter_.race(event.run, "C0208", copy, now, word, what.bytes,
                     written ? "the copy may still be on its way: no thread has waited for it"
                             : "the copy may still have to read it: its thread has not waited for the bulk group "
                               "(cp.async.bulk.wait_group.read)");
      break;
    }
  }
}

}  // namespace warpwise::check
