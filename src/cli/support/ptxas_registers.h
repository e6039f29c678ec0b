// Registers of a program's kernels as ptxas gives them, where an NVIDIA toolkit is installed: profiles without it have
// estimates.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "device/properties.h"
#include "perf/counters/launch_counts.h"

namespace warpwise::cli {

// What `ptxas -v` says of an entry function.
struct PtxasUse {
  uint32_t registers = 0;
  uint32_t stack_frame = 0;                    // bytes of local memory, of functions that it calls, too
  uint32_t spill_stores = 0, spill_loads = 0;  // bytes, each as often as it stands in the code
};
std::map<std::string, PtxasUse> uses_in(std::string_view ptxas_output);  // by name

// Asks ptxas about the kernels that were launched; `modules` as in device_code.h. Figures that it does not give stay
// estimates.
void ask_ptxas_for_registers(perf::Profile& profile, const std::string& program, const std::filesystem::path& modules,
                             const device::Properties& device);

}  // namespace warpwise::cli
