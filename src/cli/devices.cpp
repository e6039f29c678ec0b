// warpwise devices: the GPUs that can be modelled, with the figures that programs ask for most.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/terminal.h"
#include "device/properties.h"

namespace warpwise::cli {
namespace {

nlohmann::json as_json(const device::Properties& p) {
  return {{"id", p.id},
          {"name", p.name},
          {"compute_capability", fmt::format("{}.{}", p.major, p.minor)},
          {"multiprocessors", p.sm_count},
          {"core_clock_khz", p.core_clock_khz},
          {"memory_clock_khz", p.memory_clock_khz},
          {"memory_bus_bits", p.memory_bus_bits},
          {"memory_bytes", p.global_memory_bytes},
          {"l2_bytes", p.l2_bytes},
          {"shared_bytes_per_multiprocessor", p.shared_per_sm_bytes},
          {"shared_bytes_per_block", p.shared_per_block_bytes},
          {"shared_bytes_per_block_optin", p.shared_per_block_optin_bytes},
          {"threads_per_multiprocessor", p.threads_per_sm},
          {"blocks_per_multiprocessor", p.blocks_per_sm},
          {"default", p.id == device::default_device().id},
          {"source", p.source}};
}

class Devices : public Command {
 public:
  void declare(CLI::App& app) override {
    app.add_flag("--json", json_, "as JSON, with every figure and its source");
    app.footer("\nExamples:\n"
               "  warpwise devices\n"
               "  warpwise devices --json | jq '.[] | select(.default)'\n"
               "  warpwise run --device=a100 kernel.cu");
  }

  Result<int> run() override {
    if (json_) {
      nlohmann::json list = nlohmann::json::array();
      for (const device::Properties& p : device::all_devices()) list.push_back(as_json(p));
      fmt::print("{}\n", list.dump(2));
      return kSuccess;
    }
    Table table({"device", "name", "sm", "SMs", "clock", "memory", "bandwidth", "L2", "shared/block"});
    for (const device::Properties& p : device::all_devices()) {
      double bandwidth = 2.0 * p.memory_clock_khz * 1e3 * p.memory_bus_bits / 8;
      bool standard = p.id == device::default_device().id;
      table.add({fmt::format("{}{}", p.id, standard ? " *" : ""), std::string(p.name), fmt::format("{}.{}", p.major, p.minor),
                 fmt::format("{}", p.sm_count), fmt::format("{:.2f} GHz", p.core_clock_khz / 1e6),
                 fmt::format("{:.0f} GiB", p.global_memory_bytes / 1073741824.0), fmt::format("{:.0f} GB/s", bandwidth / 1e9),
                 fmt::format("{:.0f} MiB", p.l2_bytes / 1048576.0), fmt::format("{} KiB", p.shared_per_block_optin_bytes / 1024)});
    }
    table.print();
    fmt::print("* the default of --device\n");
    return kSuccess;
  }

 private:
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_devices() { return std::make_unique<Devices>(); }

}  // namespace warpwise::cli
