// Energy of launches whose joules follow from a few products, and what advice says of a launch after the change.
#include "perf/timing/energy.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "perf/report/analysis.h"
#include "perf/report/json.h"

namespace warpwise::perf {
namespace {

using enum Counter;

TEST(Energy, is_bytes_and_operations_times_figures) {
  const device::EnergyFigures figures{
      .dram = 100, .l2 = 40, .l1 = 10, .fp32 = 9, .fp64 = 20, .tensor = 0.5, .idle_watts = 60, .measured_on = "test"};
  Counts counts;
  counts[DramReadBytes] = 3'000'000, counts[DramWriteBytes] = 1'000'000;
  counts[L2ReadSectors] = 100'000, counts[L2WriteSectors] = 25'000;
  counts[GlobalLoadSectors] = 200'000, counts[GlobalStoreSectors] = 50'000;
  counts[SharedLoadWavefronts] = 10'000, counts[SharedStoreWavefronts] = 2'500;
  counts[Ffma] = 1'000'000, counts[Fadd] = 500'000, counts[Dfma] = 1000, counts[TensorF16Ops] = 4'000'000;
  const Energy energy = energy_of(counts, 1e-5, figures);
  EXPECT_NEAR(energy.dram, 4e-4, 1e-12);
  EXPECT_NEAR(energy.l2, 32 * 125e3 * 40e-12, 1e-12);
  EXPECT_NEAR(energy.l1, 32 * 250e3 * 10e-12, 1e-12);
  EXPECT_NEAR(energy.shared, 128 * 12.5e3 * 10e-12, 1e-12);
  EXPECT_NEAR(energy.arithmetic, 2.5e6 * 9e-12 + 2e3 * 20e-12 + 4e6 * 0.5e-12, 1e-12);
  EXPECT_NEAR(energy.idle, 6e-4, 1e-12);
  EXPECT_NEAR(energy.joules(), energy.dram + energy.l2 + energy.l1 + energy.shared + energy.arithmetic + energy.idle,
              1e-15);
}

// A copy at the bandwidth of an H200 and a product at full rate stay within what such boards take.
TEST(Energy, of_full_boards_is_what_they_can_take) {
  const device::EnergyFigures& h200 = *device::energy_figures("h200");
  Counts copy;
  copy[DramReadBytes] = copy[DramWriteBytes] = 2'050'000'000'000;
  copy[L2ReadSectors] = copy[L2WriteSectors] = copy[GlobalLoadSectors] = copy[GlobalStoreSectors] =
      2'050'000'000'000 / 32;
  EXPECT_NEAR(energy_of(copy, 1, h200).joules(), 660, 40);
  Counts product;
  product[TensorF16Ops] = 700'000'000'000'000;
  EXPECT_NEAR(energy_of(product, 1, h200).joules(), 434, 40);
}

TEST(Energy, is_known_of_boards_that_were_measured) {
  for (const char* id : {"a100", "h100", "h200"}) {
    ASSERT_TRUE(device::find_device(id));
    EXPECT_TRUE(device::energy_figures(id)) << id;
  }
  EXPECT_FALSE(device::energy_figures("t4"));
  EXPECT_FALSE(device::energy_figures("file.toml"));
}

// Loads of which a quarter is wanted.
LaunchCounts scattered() {
  LaunchCounts launch;
  launch.kernel = launch.symbol = "k";
  launch.grid = {1 << 15, 1, 1}, launch.block = {256, 1, 1}, launch.registers = 32;
  launch.blocks = launch.counted_blocks = launch.cached_blocks = launch.grid.count();
  const uint64_t loads = launch.warps() * 8;
  launch.totals[Instructions] = launch.warps() * 40;
  launch.totals[PipeLsu] = launch.totals[GlobalLoadRequests] = loads;
  launch.totals[GlobalLoadSectors] = launch.totals[L1ReadSectors] = launch.totals[L2ReadSectors] = loads * 16;
  launch.totals[GlobalLoadIdealSectors] = loads * 4;
  launch.totals[GlobalLoadBytes] = launch.totals[GlobalLoadRegisterBytes] = loads * 128;
  launch.totals[DramReadBytes] = loads * 16 * 32;
  launch.latency.chain.global = 1;
  return launch;
}

TEST(Energy, stands_in_the_report_with_what_advice_would_change) {
  Profile profile;
  profile.launches = {scattered(), scattered()};
  profile.launches[1].index = 1;
  const nlohmann::json json = to_json(analyse(profile, *device::find_device("h100")));
  EXPECT_EQ(json["energy_figures"]["measured_on"], "GH200");
  const nlohmann::json& launch = json["launches"][1];
  EXPECT_GT(launch["energy"]["joules"].get<double>(), launch["energy"]["dram"].get<double>());
  const nlohmann::json& advice = json["kernels"][0]["advice"];
  const auto loads = std::find_if(advice.begin(), advice.end(),
                                  [](const nlohmann::json& one) { return one["rule"] == "uncoalesced-loads"; });
  ASSERT_NE(loads, advice.end());
  const nlohmann::json& then = (*loads)["then"];
  EXPECT_NEAR(then["shares"]["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"].get<double>(), 0.25, 1e-9);
  EXPECT_FALSE(then["shares"].contains("smsp__sass_data_bytes_mem_global_op_ld.sum"));
  EXPECT_LT(then["seconds"].get<double>(), launch["seconds"].get<double>());
  EXPECT_LT(then["energy"]["joules"].get<double>(), launch["energy"]["joules"].get<double>());
  const nlohmann::json t4 = to_json(analyse(profile, *device::find_device("t4")));
  EXPECT_FALSE(t4.contains("energy_figures"));
  EXPECT_FALSE(t4["launches"][0].contains("energy"));
}

}  // namespace
}  // namespace warpwise::perf
