// What a real GPU needed beside what the model says: which launch is which, and why the two differ.
#include "perf/measured/measured.h"

#include <gtest/gtest.h>

#include <cmath>

#include "perf/counters/records.h"
#include "perf/measured/difference.h"
#include "perf/measured/ncu.h"
#include "perf/report/analysis.h"
#include "perf/report/json.h"
#include "perf/timing/predict.h"

namespace warpwise::perf {
namespace {

using enum Counter;

const device::Properties& h200() { return *device::find_device("h200"); }

// 1 GiB read once: DRAM alone limits it.
LaunchCounts streaming(uint64_t index = 0) {
  LaunchCounts launch;
  launch.index = index;
  launch.kernel = "stream(float*)", launch.symbol = "_Z6streamPf";
  launch.grid = {1 << 17, 1, 1}, launch.block = {256, 1, 1};
  launch.registers = 32, launch.register_source = RegisterSource::Ptxas;
  launch.blocks = launch.counted_blocks = launch.cached_blocks = 1 << 17;
  const uint64_t warps = launch.warps(), loads = warps * 8;
  launch.totals[Instructions] = warps * 40;
  launch.totals[PipeLsu] = launch.totals[GlobalLoadRequests] = loads;
  launch.totals[GlobalLoadSectors] = launch.totals[GlobalLoadIdealSectors] = loads * 4;
  launch.totals[GlobalLoadBytes] = launch.totals[GlobalLoadRegisterBytes] = loads * 128;
  launch.totals[L1ReadSectors] = launch.totals[L2ReadSectors] = loads * 4;
  launch.totals[DramReadBytes] = loads * 128;
  launch.latency.chain.global = 1;
  return launch;
}
double modelled(const LaunchCounts& launch) {
  const auto p = predict(launch, h200());
  return p ? p->seconds - p->gap_seconds : 0;
}
HardwareCounts same_counts(const LaunchCounts& launch) {
  HardwareCounts gpu{{launch.symbol, launch.grid, launch.block}, {}};
  for (unsigned c = 0; c < kCounters; ++c) gpu.value[c] = double(launch.totals.value[c]);
  return gpu;
}

TEST(Measured, times_that_agree_need_no_explanation) {
  const LaunchCounts launch = streaming();
  EXPECT_TRUE(explain_difference(launch, h200(), 1.02 * modelled(launch), nullptr).empty());
}

TEST(Measured, a_count_explains_a_time) {
  const LaunchCounts launch = streaming();
  HardwareCounts gpu = same_counts(launch);
  gpu.value[size_t(DramReadBytes)] *= 2;
  LaunchCounts twice = launch;
  twice.totals[DramReadBytes] *= 2;
  const auto said = explain_difference(launch, h200(), modelled(twice), &gpu);
  ASSERT_EQ(said.size(), 1u);
  EXPECT_TRUE(said[0].starts_with("the counts differ in the traffic of DRAM: with the GPU's own the model says "))
      << said[0];
}

TEST(Measured, a_rate_explains_what_counts_do_not) {
  const LaunchCounts launch = streaming();
  const HardwareCounts gpu = same_counts(launch);
  const auto said = explain_difference(launch, h200(), 1.5 * modelled(launch), &gpu);
  ASSERT_EQ(said.size(), 2u);
  EXPECT_TRUE(said[0].starts_with("the counts do not explain it")) << said[0];
  EXPECT_TRUE(said[1].starts_with("the model would agree if DRAM were 1.5")) << said[1];
  EXPECT_EQ(explain_difference(launch, h200(), 1.5 * modelled(launch), nullptr).size(), 1u);
}

TEST(Measured, a_launch_is_found_by_its_shape_and_its_turn) {
  Profile profile;
  for (uint64_t i = 0; i < 2; ++i) profile.launches.push_back(streaming(i));
  profile.launches.push_back(streaming(2));
  profile.launches[2].grid = {7, 1, 1};
  profile.launches[2].totals = {};
  profile.launches[2].totals[Instructions] = 1000;
  const LaunchKey key{"_Z6streamPf", {1 << 17, 1, 1}, {256, 1, 1}};
  profile.measured_on = "NVIDIA H200";
  profile.measured = {{key, 0, 1e-3}, {key, 0, 3e-3}, {{"other", {1, 1, 1}, {32, 1, 1}}, 0, 1e-6}};
  profile.hardware = {same_counts(profile.launches[0])};
  profile.hardware[0].value[size_t(Instructions)] *= 3;
  const Analysis analysis = analyse(profile, h200());
  ASSERT_EQ(analysis.kernels.size(), 2u);
  ASSERT_TRUE(analysis.kernels[0].measured);
  const KernelMeasurement& m = *analysis.kernels[0].measured;
  EXPECT_EQ(m.launches, 2u);
  EXPECT_DOUBLE_EQ(m.seconds, 4e-3);
  EXPECT_DOUBLE_EQ(m.median, 2e-3);
  EXPECT_NEAR(m.modelled, 2 * modelled(profile.launches[0]), 1e-9);
  EXPECT_FALSE(m.in_range());
  EXPECT_EQ(m.counted_launches, 1u);
  ASSERT_FALSE(m.counters.empty());
  EXPECT_EQ(m.counters[0].counter, Instructions);
  EXPECT_DOUBLE_EQ(m.counters[0].gpu, 3 * m.counters[0].here);
  EXPECT_FALSE(analysis.kernels[1].measured);
  ASSERT_EQ(analysis.not_matched.size(), 2u);
  EXPECT_EQ(analysis.not_matched[0],
            "stream(float*) with a grid of (7, 1, 1) and blocks of (256, 1, 1) was launched 0 times on the GPU and 1 "
            "times here");
  const auto json = to_json(analysis);
  EXPECT_EQ(json["kernels"][0]["measured"]["launches"], 2);
  EXPECT_EQ(json["kernels"][0]["measured"]["counters"]["smsp__inst_executed.sum"]["gpu"], m.counters[0].gpu);
  EXPECT_EQ(json["measured"]["device"], "NVIDIA H200");
}

TEST(Measured, records_keep_what_was_measured) {
  Profile profile;
  profile.device = "h200", profile.measured_on = "NVIDIA H200", profile.why_no_hardware = "Why.";
  profile.launches = {streaming()};
  profile.measured = {{{"k", {2, 3, 4}, {5, 6, 7}}, 8, 1.25e-5}};
  profile.hardware = {same_counts(profile.launches[0])};
  profile.hardware[0].value[size_t(Branches)] = std::nan("");
  const Profile read = read_records(to_records(profile));
  EXPECT_TRUE(read.complete);
  EXPECT_EQ(read.measured_on, "NVIDIA H200");
  EXPECT_EQ(read.why_no_hardware, "Why.");
  ASSERT_EQ(read.measured.size(), 1u);
  EXPECT_EQ(read.measured[0].key.symbol, "k");
  EXPECT_EQ(read.measured[0].key.block.z, 7u);
  EXPECT_EQ(read.measured[0].dynamic_shared_bytes, 8u);
  EXPECT_EQ(read.measured[0].seconds, 1.25e-5);
  ASSERT_EQ(read.hardware.size(), 1u);
  EXPECT_EQ(read.hardware[0][DramReadBytes], profile.hardware[0][DramReadBytes]);
  EXPECT_TRUE(std::isnan(read.hardware[0][Branches]));
}

TEST(Ncu, its_table_is_read) {
  const NcuTable table = read_ncu(
      "==PROF== Connected to process 71\n"
      "\"ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"smsp__inst_executed.sum\",\"dram__bytes_read.sum\","
      "\"lts__t_sectors_op_red.sum\"\n"
      "\"\",\"\",\"\",\"\",\"inst\",\"byte\",\"sector\"\n"
      "\"0\",\"_Z1k\"\"Pf\",\"(256, 1, 1)\",\"(4, 2, 1)\",\"1,234,567\",\"4.5e+06\",\"n/a\"\r\n");
  EXPECT_EQ(table.why_not, "");
  ASSERT_EQ(table.launches.size(), 1u);
  const HardwareCounts& gpu = table.launches[0];
  EXPECT_EQ(gpu.key.symbol, "_Z1k\"Pf");
  EXPECT_EQ(gpu.key.grid.y, 2u);
  EXPECT_EQ(gpu.key.block.x, 256u);
  EXPECT_EQ(gpu[Instructions], 1234567);
  EXPECT_EQ(gpu[DramReadBytes], 4.5e6);
  EXPECT_TRUE(std::isnan(gpu[L2ReductionSectors]));
  EXPECT_TRUE(std::isnan(gpu[Branches]));  // it has no such column
}

TEST(Ncu, what_it_says_instead_is_kept) {
  const NcuTable table = read_ncu("==PROF== Connected\n==ERROR== ERR_NVGPUCTRPERM: no permission\n");
  EXPECT_TRUE(table.launches.empty());
  EXPECT_EQ(table.why_not, "==ERROR== ERR_NVGPUCTRPERM: no permission");
  EXPECT_EQ(read_ncu("").why_not, "it has written no table");
}

TEST(Ncu, it_is_asked_for_all_of_its_counters) {
  const std::string metrics = ncu_options("log", 5).back();
  EXPECT_NE(metrics.find("smsp__inst_executed.sum,"), metrics.npos);
  EXPECT_NE(metrics.find(",dram__bytes_write.sum"), metrics.npos);
  EXPECT_EQ(metrics.find("warpwise__"), metrics.npos);
}

}  // namespace
}  // namespace warpwise::perf
