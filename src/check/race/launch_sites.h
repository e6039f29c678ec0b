// The instructions of the launch that runs, as compiled code names them: accesses by index (ObservedEvent::site), and
// by number within global or shared memory (simt/instrument/race_cells.h); fences by their place in the machine code.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "check/race/access_sites.h"
#include "check/race/race_access.h"
#include "exec/loading/loaded_kernel.h"
#include "exec/observer_events.h"
#include "ptx/module.h"
#include "simt/compiler.h"

namespace warpwise::check {

class LaunchSites {
 public:
  explicit LaunchSites(AccessSites& sites) : sites_(sites) {}

  // The first block of a launch is about to run.
  void begin_launch(const exec::LoadedKernel& kernel, const std::shared_ptr<const ptx::Module>& module);

  bool has(uint32_t index) const { return index < of_launch_.size(); }
  const AccessSite& operator[](uint32_t index) const { return sites_[of_launch_[index]]; }
  // Its number in that space; RaceSite::kNone: it has none.
  uint32_t number(uint32_t index, MemorySpace space) const { return accesses_[index].number[space]; }
  // Indices into AccessSites, by number in that space.
  const std::vector<uint32_t>& by_number(MemorySpace space) const { return by_number_[space]; }
  // Whether some atomic has a scope that leaves out threads of other blocks.
  bool has_atomics_of_block_scope() const { return has_atomics_of_block_scope_; }

  // Whether a fence orders the threads of its block alone.
  bool has_block_scope(const exec::ObservedEvent& fence);

 private:
  AccessSites& sites_;
  std::shared_ptr<const ptx::Module> module_;
  std::vector<simt::RaceSite> accesses_;
  std::vector<uint32_t> of_launch_;  // indices into sites_, in step with accesses_
  std::vector<uint32_t> by_number_[kSpaces];
  bool has_atomics_of_block_scope_ = false;
  std::unordered_map<uint64_t, bool> fences_;  // by pc
};

}  // namespace warpwise::check
