// Where threads of a block synchronise, and findings about it: C04.. of base/rules.inc.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "base/finding.h"
#include "check/source/places.h"
#include "exec/engine.h"
#include "exec/loading/loaded_kernel.h"

namespace warpwise::check {

// A place in the program, and a thread that was there.
struct Arrival {
  const simt::Site* site = nullptr;
  uint32_t thread = 0;
};

// A block of a launch, for findings.
struct SyncBlock {
  const exec::KernelLaunch* launch = nullptr;
  const exec::LoadedKernel* kernel = nullptr;
  uint64_t index = 0;

  CodePlace place_of(const simt::Site& site) const {
    return code_place(*launch->image->module, site.function, site.instruction, kernel->calls_around(site.call));
  }
  Party party_of(const char* role, const Arrival& at) const {
    return thread_party(*launch, role, index, at.thread, place_of(*at.site));
  }
  // "thread (1,0,0)"
  std::string name_of(uint32_t thread) const;
};

class SyncReporter {
 public:
  explicit SyncReporter(FindingSink& sink) : sink_(sink) {}

  // A thread breaks a rule: one finding for each place. `note`: what else there is to say; "": nothing. `other`: who
  // else takes part.
  void at_place(const char* rule, std::string message, const SyncBlock& block, const char* role, const Arrival& by,
                std::string note, std::optional<Party> other = std::nullopt);
  // C0402: two threads wait at different barriers. One finding for each pair of places.
  void different_barriers(const SyncBlock& block, const Arrival& one, const Arrival& other);

 private:
  FindingSink& sink_;
  std::map<std::tuple<std::string, const ptx::Module*, uint32_t, uint32_t, uint32_t>, FindingSink::Cause>
      at_places_;  // by rule, and the site
  std::map<std::pair<std::string, std::string>, FindingSink::Cause> pairs_;
};

}  // namespace warpwise::check
