// include/warpwise/trace.h: a launch is recorded, its steps are read, and its file is read again.
#include "warpwise/trace.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <numeric>

namespace warpwise {
namespace {

constexpr const char* kSource = R"(extern "C" __global__ void spread(float* out, const float* in, int n) {
  __shared__ float tile[64];
  int i = threadIdx.x;
  tile[i] = in[i];
  __syncthreads();
  if (i < n) out[8 * i] = tile[63 - i];
}
)";

TEST(Trace, a_launch_is_recorded) {
  auto device = Device::open({.recording = true});
  ASSERT_TRUE(device.ok());
  auto module = device->compile(kSource, {.compiler = Compiler::Clang});
  ASSERT_TRUE(module.ok()) << module.error().message;
  auto kernel = module->kernel("spread");
  ASSERT_TRUE(kernel.ok());
  std::vector<float> values(64);
  std::iota(values.begin(), values.end(), 0.0f);
  auto in = device->upload(values), out = device->allocate(64 * 8 * sizeof(float));
  // Launches that are not recorded run as they always do.
  ASSERT_TRUE(kernel->launch({.grid = {3}, .block = {64}}, *out, *in, 40).ok());

  auto trace = kernel->record({.grid = {3}, .block = {64}}, {.block = {1, 0, 0}, .value_lines = {6}}, *out, *in, 40);
  ASSERT_TRUE(trace.ok()) << trace.error().message;
  EXPECT_EQ(trace->info().kernel, "spread");
  EXPECT_EQ(trace->info().block.x, 1u);
  ASSERT_EQ(trace->info().warps.size(), 2u);

  const auto check = [&](const Trace& t) {
    auto steps = t.steps(1, 0, 1'000'000);
    ASSERT_TRUE(steps.ok());
    ASSERT_EQ(steps->size(), t.info().warps[1].steps);
    unsigned stores = 0, barriers = 0;
    for (const TraceStep& step : *steps) {
      barriers += step.kind == "barrier";
      if (step.kind != "store" || step.accesses[0].space != TraceSpace::Global) continue;
      ++stores;
      EXPECT_EQ(step.line, 6u);
      EXPECT_EQ(step.phase, 1u);
      EXPECT_EQ(step.on, 0xffu);  // threads 32 to 39
      EXPECT_EQ(step.accesses[0].addresses[1] - step.accesses[0].addresses[0], 32u);
      EXPECT_EQ(step.sectors, 8u);
      EXPECT_EQ(step.ideal_sectors, 1u);
      ASSERT_EQ(step.values.size(), 1u);
      float value = 0;
      const uint32_t bits = uint32_t(step.values[0].bits[2]);
      std::memcpy(&value, &bits, sizeof value);
      EXPECT_EQ(value, 63 - 34);
    }
    EXPECT_EQ(stores, 1u);
    EXPECT_EQ(barriers, 1u);
  };
  check(*trace);
  const std::string path =
      (std::filesystem::temp_directory_path() / ("warpwise-api-" + std::to_string(getpid()) + ".wwt")).string();
  ASSERT_TRUE(trace->save(path).ok());
  auto again = Trace::open(path);
  ASSERT_TRUE(again.ok());
  check(*again);
  std::filesystem::remove(path);

  auto result = out->download<float>();
  ASSERT_TRUE(result.ok());
  EXPECT_EQ((*result)[8 * 39], 63 - 39);
}

TEST(Trace, what_cannot_be_recorded_is_said) {
  auto plain = Device::open();
  auto module = plain->compile(kSource, {.compiler = Compiler::Clang});
  auto kernel = module->kernel("spread");
  auto memory = plain->allocate(4096);
  auto none = kernel->record({.grid = {1}, .block = {64}}, {}, *memory, *memory, 1);
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().code, "U0005");

  auto device = Device::open({.recording = true});
  auto its = device->compile(kSource, {.compiler = Compiler::Clang})->kernel("spread");
  auto space = device->allocate(4096);
  auto outside = its->record({.grid = {1}, .block = {64}}, {.block = {1, 0, 0}}, *space, *space, 1);
  ASSERT_FALSE(outside.ok());
  EXPECT_EQ(outside.error().code, "V0007");
  EXPECT_EQ(Trace::open("/nonexistent.wwt").error().code, "U0001");
}

}  // namespace
}  // namespace warpwise
