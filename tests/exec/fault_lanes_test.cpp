// A fault in a gather names the thread, on processors that gather fewer lanes at a time than others, too.
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "exec/virtual_device.h"

namespace warpwise::exec {
namespace {

// Lane after lane elsewhere, and thread 37 of 64 where no memory is.
constexpr const char* kGather = R"(
.version 8.5
.target sm_90
.address_size 64
.visible .entry gather(.param .u64 data) {
  .reg .b64 %data, %at; .reg .b32 %i, %k; .reg .pred %p;
  ld.param.u64 %data, [data];
  mov.u32 %i, %tid.x; mul.lo.u32 %k, %i, 13; and.b32 %k, %k, 63; mad.wide.u32 %at, %k, 4, %data;
  setp.eq.u32 %p, %i, 37; selp.b64 %at, 0x40, %at, %p;
  ld.global.u32 %k, [%at];
  mad.wide.u32 %at, %i, 4, %data; st.global.u32 [%at+256], %k;
  ret;
}
)";

std::string fault_on(const std::string& cpu) {
  DeviceSetup setup;
  setup.options.tiers = TierChoice::Compiled;
  setup.options.cpu = cpu;
  auto device = VirtualDevice::create(std::move(setup)).value();
  device::ModuleId module = 0;
  device::Launch launch;
  device::Address data = 0;
  EXPECT_TRUE(device->load_module(kGather, "gather.ptx", &module).ok());
  EXPECT_TRUE(device->find_kernel(module, "gather", &launch.kernel).ok());
  EXPECT_TRUE(device->allocate(512, device::MemoryKind::Device, &data).ok());
  launch.grid = {1}, launch.block = {64};
  launch.parameters.resize(sizeof data);
  std::memcpy(launch.parameters.data(), &data, sizeof data);
  const device::Status submitted = device->submit(0, launch);
  return submitted.ok() ? device->wait(0).detail : submitted.detail;
}

TEST(FaultLanes, are_found_in_gathers) {
  EXPECT_NE(fault_on("").find("thread (37,0,0)"), std::string::npos) << fault_on("");
}

TEST(FaultLanes, are_found_in_gathers_of_narrower_registers) {
  if (!__builtin_cpu_supports("avx2")) GTEST_SKIP() << "this processor has no AVX2";
  EXPECT_NE(fault_on("skylake").find("thread (37,0,0)"), std::string::npos) << fault_on("skylake");
}

// Whose gathers are slow, and who has none: a load for each lane.
TEST(FaultLanes, are_found_in_loads_of_one_lane_each) {
  if (!__builtin_cpu_supports("avx2")) GTEST_SKIP() << "this processor has no AVX2";
  for (const char* cpu : {"x86-64-v3", "x86-64-v2", "x86-64"})
    EXPECT_NE(fault_on(cpu).find("thread (37,0,0)"), std::string::npos) << cpu << ": " << fault_on(cpu);
}

}  // namespace
}  // namespace warpwise::exec
