// What the instructions are that access memory, for the race checker: found out once for each place in a program, and
// known by a number from then on.
//
//     const uint32_t n = sites.index_of(module, access, calls);
//     sites[n].acquires ...                                   // sites[0] is a place of which nothing is known
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "base/finding.h"
#include "check/source/value_uses.h"
#include "ptx/module.h"
#include "simt/compiler.h"

namespace warpwise::check {

struct AccessSite {
  std::shared_ptr<const ptx::Module> module;
  int64_t function = -1, instruction = -1;
  std::vector<simt::InlinedCall> calls;  // that it stands in, as far as they are known
  bool strong = false, atomic = false;
  bool block_scope = false, acquires = false, releases = false, compares = false, exchanges = false;
  bool is_volatile = false, copies_later = false;
  ValueUse use = ValueUse::None;  // of what a volatile or an atomic access reads
  bool polled = false;            // of a volatile one
  uint32_t index = 0;

  CodePlace place() const;
};

class AccessSites {
 public:
  AccessSites() : sites_(1) {}
  const AccessSite& operator[](uint32_t index) const { return sites_[index]; }
  // `calls`: those that the instruction stands in (LoadedKernel::calls_around).
  uint32_t index_of(const std::shared_ptr<const ptx::Module>& module, const simt::RaceSite& access,
                    std::vector<simt::InlinedCall> calls);

 private:
  using CallPlaces = std::vector<std::pair<uint32_t, uint32_t>>;  // functions and instructions
  std::vector<AccessSite> sites_;
  std::map<std::tuple<const ptx::Module*, uint32_t, uint32_t, uint8_t, CallPlaces>, uint32_t> known_;
};

}  // namespace warpwise::check
