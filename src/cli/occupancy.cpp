// warpwise occupancy: how many warps an SM holds for a block size, registers and shared memory, what limits that, and
// what would change it. A calculator: it runs nothing.
#include <fmt/format.h>

#include <algorithm>

#include "cli/command.h"
#include "cli/support/device_option.h"
#include "cli/support/terminal.h"
#include "perf/occupancy/json.h"
#include "perf/occupancy/what_if.h"

namespace warpwise::cli {
namespace {

using device::BlockResources;
using device::OccupancyLimit;

std::string percent(const device::Occupancy& o) { return fmt::format("{:.0f} %", 100 * o.fraction); }
std::string count(size_t n, std::string_view one) { return fmt::format("{} {}{}", n, one, n == 1 ? "" : "s"); }

// How much of a resource a block needs, and how much there is.
std::string use_of(OccupancyLimit limit, const device::Properties& p, const BlockResources& block,
                   const device::Occupancy& o) {
  switch (limit) {
    case OccupancyLimit::BlockSlots:
      return fmt::format("{} block slots", p.blocks_per_sm);
    case OccupancyLimit::Warps:
      return fmt::format("{} of {} warps per block", o.warps_per_block, p.warps_per_sm());
    case OccupancyLimit::Registers:
      return fmt::format("{} of {} per block ({} per thread; warps get multiples of 256)", o.registers_per_block,
                         p.registers_per_sm, block.registers);
    case OccupancyLimit::SharedMemory:
      return fmt::format("{} of {} bytes per block{}", o.shared_per_block, o.shared_per_sm,
                         p.reserved_shared_per_block_bytes
                             ? fmt::format(" ({} of them for the system)", p.reserved_shared_per_block_bytes)
                             : std::string());
    case OccupancyLimit::Barriers:
      return fmt::format("{} per block", count(block.barriers, "barrier"));
  }
  return "";
}

void print_steps(const char* head, const std::vector<perf::OccupancyStep>& steps, size_t chosen) {
  if (steps.size() < 2) return;
  fmt::print("\n");
  Table table({head, "blocks", "warps", "occupancy", ""});
  for (const perf::OccupancyStep& step : steps)
    table.add({fmt::format("{}", step.value), fmt::format("{}", step.occupancy.blocks),
               fmt::format("{}", step.occupancy.warps()), percent(step.occupancy),
               step.value == chosen ? "<- now" : ""});
  table.print();
}

class Occupancy : public Command {
 public:
  void declare(CLI::App& app) override {
    declare_device(app, device_);
    app.add_option("--block", block_.threads, "threads per block")
        ->type_name("N")
        ->required()
        ->check(CLI::Range(1u, 1024u));
    app.add_option("--registers", block_.registers,
                   "registers per thread, as `nvcc -Xptxas -v` reports; without it registers do not limit")
        ->type_name("N")
        ->check(CLI::Range(0u, 255u));
    app.add_option("--shared", block_.dynamic_shared, "shared memory per block, static and dynamic: 8192, 48KiB")
        ->type_name("BYTES")
        ->transform(CLI::AsSizeValue(false));
    app.add_option("--barriers", block_.barriers, "named barriers per block (1)")
        ->type_name("N")
        ->check(CLI::Range(0u, 16u));
    app.add_option(
           "--carveout", block_.carveout_percent,
           "cudaFuncAttributePreferredSharedMemoryCarveout: the share of the combined L1 and shared memory that is "
           "shared memory")
        ->type_name("PERCENT")
        ->check(CLI::Range(0, 100));
    app.add_flag("--json", json_, "as JSON");
    app.footer(
        "\nExamples:\n"
        "  warpwise occupancy --block=256 --registers=40\n"
        "  warpwise occupancy --device=a6000 --block=1024 --registers=37 --shared=8KiB\n"
        "  warpwise occupancy --block=128 --registers=168 --json | jq .limited_by");
  }

  Result<int> run() override {
    const device::Properties* p = TRY(chosen_device(device_));
    if (block_.dynamic_shared > p->shared_per_block_optin_bytes)
      return Error{"U0005", fmt::format("--shared={}: a block on {} can have at most {} bytes", block_.dynamic_shared,
                                        p->name, p->shared_per_block_optin_bytes)};
    block_.shared_limit = p->shared_per_block_optin_bytes;
    if (json_)
      fmt::print("{}\n", perf::occupancy_to_json(*p, block_));
    else
      print_text(*p);
    return kSuccess;
  }

 private:
  void print_text(const device::Properties& p) const {
    device::Occupancy o = occupancy_of(p, block_);
    fmt::print("{} (sm_{}{}): blocks of {}, {}, {} of shared memory\n\n", p.name, p.major, p.minor,
               count(block_.threads, "thread"),
               block_.registers ? count(block_.registers, "register") + " per thread" : "registers not given",
               count(block_.dynamic_shared, "byte"));
    if (o.blocks == 0)
      fmt::print("occupancy 0: a block of this kind cannot run\n\n");
    else
      fmt::print("occupancy {}: each SM holds {} of {}, {} of {} warps\n\n", percent(o), count(o.blocks, "block"),
                 count(o.warps_per_block, "warp"), o.warps(), p.warps_per_sm());
    Table table({"resource", "blocks", "", "what a block needs"});
    for (OccupancyLimit limit : device::kOccupancyLimits) {
      bool free = o.by(limit) == device::Occupancy::kNoLimit;
      table.add({std::string(name_of(limit)), free ? "-" : fmt::format("{}", o.by(limit)),
                 o.limited_by(limit) ? "<- limits" : "", free ? "no limit" : use_of(limit, p, block_, o)});
    }
    table.print();
    print_changes(p);
    print_steps("block size", perf::block_size_steps(p, block_), block_.threads);
    if (block_.registers) print_steps("registers up to", perf::register_steps(p, block_), 0);
    if (block_.dynamic_shared) print_steps("shared bytes up to", perf::shared_steps(p, block_), 0);
  }

  void print_changes(const device::Properties& p) const {
    std::vector<perf::OccupancyChange> changes = perf::better_occupancies(p, block_);
    if (changes.empty()) {
      fmt::print("\nno single change of block size, registers or shared memory raises the occupancy\n");
      return;
    }
    fmt::print("\nsingle changes that would raise it\n");
    for (const perf::OccupancyChange& change : changes) {
      const char* what = change.resource == OccupancyLimit::Registers      ? "registers per thread"
                         : change.resource == OccupancyLimit::SharedMemory ? "bytes of shared memory"
                                                                           : "threads per block";
      fmt::print("  {} instead of {} {}: {} of {}, {}\n", change.to, change.from, what,
                 count(change.occupancy.blocks, "block"), count(change.occupancy.warps_per_block, "warp"),
                 percent(change.occupancy));
    }
  }

  std::string device_;
  BlockResources block_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_occupancy() { return std::make_unique<Occupancy>(); }

}  // namespace warpwise::cli
