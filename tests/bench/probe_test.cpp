// Readings of probes as figures of a device, and as a file that --device= takes.
#include "bench/probe/probe.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "device/device_file.h"
#include "perf/timing/model_constants.h"

namespace warpwise::bench {
namespace {

Reading rate(double per_second, double hertz) {
  Reading r;
  r.per_second = spread_of({per_second});
  r.hertz = spread_of({hertz});
  return r;
}
Reading clocks(double value) {
  Reading r;
  r.clocks = spread_of({value, value + 2, value + 1});
  return r;
}
Reading seconds(double value, double hertz) {
  Reading r;
  r.seconds = spread_of({value});
  r.hertz = spread_of({hertz});
  return r;
}
double figure(const std::vector<MeasuredFigure>& all, const std::string& name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const MeasuredFigure& m) { return m.name == name; });
  return found == all.end() ? -1 : found->value.median;
}

TEST(Probe, rates_are_those_of_a_clock) {
  const device::Properties& a100 = *device::find_device("a100");
  Readings r;
  r.probes["fp32"] = rate(64.0 * 108 * 1e9, 1e9);
  r.probes["tensor_f16"] = rate(1000.0 * 108 * 1e9, 1e9);
  r.probes["l2"] = rate(3e12, 1e9);
  r.probes["dram_read"] = rate(0.9 * a100.dram_bytes_per_second(), 1e9);
  r.probes["atomic_sectors"] = rate(80 / (4 * perf::kSliceTurnNs * 1e-9), 1e9);  // four turns a sector
  r.probes["fp64"] = rate(-1, 1e9);                                              // cannot be
  const auto figures = figures_of(r, a100);
  EXPECT_DOUBLE_EQ(figure(figures, "fp32_lanes"), 64);
  EXPECT_DOUBLE_EQ(figure(figures, "tensor_f16"), 1000);
  EXPECT_DOUBLE_EQ(figure(figures, "l2_bytes_per_clock"), 3000);
  EXPECT_DOUBLE_EQ(figure(figures, "dram_read_fraction"), 0.9);
  EXPECT_DOUBLE_EQ(figure(figures, "l2_atomics_per_clock"), 80);
  EXPECT_EQ(figure(figures, "fp64_lanes"), -1);
  EXPECT_EQ(figure(figures, "mma_share"), -1);
}

// Multiprocessors that cannot send more say nothing about the slices of L2.
TEST(Probe, atomics_that_multiprocessors_limit_are_no_figure) {
  const device::Properties& h100 = *device::find_device("h100");
  Readings r;
  for (const double part : {0.9, 1.0, 1.1}) {
    r.probes["atomic_sectors"] = rate(132 / perf::kPartStore * part * 1e9, 1e9);
    EXPECT_EQ(figure(figures_of(r, h100), "l2_atomics_per_clock"), -1);
  }
  r.probes["atomic_sectors"] = rate(132 / perf::kPartStore * 0.8 * 1e9, 1e9);
  EXPECT_GT(figure(figures_of(r, h100), "l2_atomics_per_clock"), 0);
}

// The tensor cores of Hopper are made for warpgroups: `mma` reaches a share of them.
TEST(Probe, mma_is_a_share_of_what_warpgroups_reach) {
  const device::Properties& h100 = *device::find_device("h100");
  Readings r;
  r.probes["tensor_f16"] = rate(0.6 * 4096 * 132 * 1e9, 1e9);
  const auto figures = figures_of(r, h100);
  EXPECT_NEAR(figure(figures, "mma_share"), 0.6, 1e-9);
  EXPECT_EQ(figure(figures, "tensor_f16"), -1);
}

TEST(Probe, latencies) {
  Readings r;
  r.probes["fma_latency"] = clocks(4);
  r.probes["l2_latency"] = clocks(249);
  r.probes["l1_load"] = seconds(64 * 34e-9, 1e9);
  r.probes["new_memory"] = seconds(450e-9, 1e9);
  const auto figures = figures_of(r, *device::find_device("a100"));
  EXPECT_DOUBLE_EQ(figure(figures, "fma_latency"), 5);  // the median of 4, 5, 6
  EXPECT_DOUBLE_EQ(figure(figures, "l1_latency"), 34);
  EXPECT_NEAR(figure(figures, "dram_latency_ns"), 450 - 250, 1e-9);
}

TEST(Probe, the_file_is_one_of_a_device) {
  device::gpu::Description gpu;
  gpu.name = "NVIDIA A100", gpu.source = "the GPU itself", gpu.modelled = "a100";
  gpu.properties = *device::find_device("a100");
  gpu.properties.name = gpu.name;
  gpu.properties.sm_count = 98;
  Readings r;
  r.probes["fma_latency"] = clocks(4.23456);
  r.idle_watts = 50;
  r.loads = {{"fp32", 8e12, 1.3e9, 250}};
  const auto text = device_file_of(r, gpu, "2026-01-31 12:00 UTC");
  ASSERT_TRUE(text.ok());
  EXPECT_NE(text->find("fma_latency = 5.235"), text->npos) << *text;
  EXPECT_NE(text->find("# 4.235 to 6.235 in 3 runs"), text->npos) << *text;
  EXPECT_NE(text->find("# 250 W with fp32: 8.00 T multiply-adds a second at 1300 MHz, 25 pJ each beyond idling"),
            text->npos)
      << *text;
  device::DeviceFile file;
  file.path = "mine.toml";
  ASSERT_TRUE(device::read_device_file(*text, file).ok());
  EXPECT_EQ(file.properties.sm_count, 98u);
  EXPECT_EQ(file.properties.machine.fma_latency, 5.235);
  EXPECT_EQ(file.properties.machine.sustained_khz, 1300000);
  EXPECT_EQ(file.properties.machine.l2_latency, gpu.properties.machine.l2_latency);
}

}  // namespace
}  // namespace warpwise::bench
