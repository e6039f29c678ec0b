// Does a module use asynchronous barriers: mbarriers, clusters, bulk copies, arrivals without waiting, tensor memory?
//
// Such kernels order their accesses by themselves, in ways that warps and lanes which wait for each other at other
// places would disturb. The rule for unordered accesses (docs/internals/unordered_accesses.md) leaves them alone.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "ptx/module.h"

namespace warpwise::ptx {

inline bool uses_asynchronous_barriers(const Module& module) {
  // Rows of isa/instructions.inc by the beginning of their names.
  constexpr std::array<std::string_view, 12> kRows{
      "mbarrier",
      "cp_async_mbarrier",
      "cp_async_bulk",
      "barrier_cluster",
      "bar_arrive",
      "barrier_arrive",
      "st_async",
      "red_async",
      "tcgen05",
      "mapa",
      "clusterlaunchcontrol",
      "fence_mbarrier",
  };
  return std::any_of(module.functions.begin(), module.functions.end(), [&](const Function& f) {
    return std::any_of(f.instructions.begin(), f.instructions.end(), [&](const Instruction& i) {
      return std::any_of(kRows.begin(), kRows.end(), [&](auto row) { return i.spec().name.starts_with(row); });
    });
  });
}

}  // namespace warpwise::ptx
