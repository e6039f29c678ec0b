// What is made of NVML's figures, with a library of ours in its place (fake_nvml.cpp). bench_on_gpu has the stories.
#include "bench/measure/gpu_monitor.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace warpwise::bench {
namespace {

TEST(GpuMonitor, a_library_that_is_not_there_is_no_failure_of_measuring) {
  setenv(kNvmlVariable, "/nowhere/libnvidia-ml.so.1", 1);
  auto none = GpuMonitor::open("00000000:3b:00.0");
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().code, "U0008");
  Watch watch(nullptr);
  EXPECT_TRUE(watch.look_before().ok());
  EXPECT_TRUE(watch.look_between().ok());
  ASSERT_EQ(watch.notes().size(), 1u);
  EXPECT_NE(watch.notes()[0].find("were not watched"), std::string::npos);
}

TEST(GpuMonitor, samples_have_what_the_library_tells) {
  setenv(kNvmlVariable, WARPWISE_FAKE_NVML, 1);
  setenv("FAKE_NVML", "limited", 1);
  auto opened = GpuMonitor::open("00000000:3b:00.0");
  ASSERT_TRUE(opened.ok()) << opened.error().message;
  EXPECT_EQ((*opened)->driver_version(), "580.0");
  const Sample sample = (*opened)->sample();
  EXPECT_GT(sample.core_mhz, 1900u);
  EXPECT_EQ(sample.memory_mhz, 2619u);
  EXPECT_EQ(sample.celsius, 61u);
  EXPECT_EQ(sample.processes, std::set<unsigned>{4000});
  EXPECT_EQ(held_back_by(sample.held_back), "the power limit");
}

TEST(GpuMonitor, heat_comes_before_the_power_limit) {
  EXPECT_EQ(held_back_by(0), "");
  EXPECT_EQ(held_back_by(0x1), "");  // idle
  EXPECT_EQ(held_back_by(kPowerLimit | kTooHot), "heat");
  EXPECT_EQ(held_back_by(kHardwareSlowdown), "the board's protection");
}

}  // namespace
}  // namespace warpwise::bench
