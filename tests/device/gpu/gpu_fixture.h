// A GpuDevice on the fake driver.
#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "device/gpu/gpu.h"
#include "fake_driver.h"

namespace warpwise::device::gpu::testing {

inline constexpr const char* kModule = R"(
.version 8.5
.target sm_90
.address_size 64
.visible .global .align 4 .u32 counter;
.global .attribute(.managed) .align 4 .u32 shared;
.visible .entry first(.param .u32 n, .param .u64 at, .param .u16 flag)
{ ret; }
// .entry in_a_comment(
.visible .entry second()
{ ret; }
)";

class OnFakeDriver : public ::testing::Test {
 protected:
  OnFakeDriver() {
    void* library = dlopen(WARPWISE_FAKE_DRIVER, RTLD_NOW | RTLD_LOCAL);
    EXPECT_TRUE(library) << dlerror();
    fake_ = reinterpret_cast<GetFakeDriver>(dlsym(library, "fake_driver"))();
    *fake_ = {};
    fake_->attributes = {{75, 9},        {76, 0},     {16, 132},   {13, 1980000}, {36, 2619000}, {37, 6016},
                         {38, 60 << 20}, {82, 65536}, {12, 65536}, {81, 233472},  {8, 49152},    {97, 232448},
                         {111, 1024},    {39, 2048},  {106, 32},   {40, 3},       {87, 2}};
    fake_->function_attributes = {{0, 1024}, {1, 256}, {2, 0}, {3, 16}, {4, 40}, {5, 90}, {6, 90}};
  }
  ~OnFakeDriver() override {
    gpu_.reset();
    EXPECT_EQ(fake_->live_in_all(), 0) << "something was not given back";
  }

  gpu::Setup setup() const { return {.driver = WARPWISE_FAKE_DRIVER}; }
  // The open device; what opening it called is not in the record.
  Device& gpu() {
    if (!gpu_) {
      auto opened = open(setup());
      EXPECT_TRUE(opened.ok());
      if (opened.ok()) gpu_ = std::move(opened).value();
      fake_->restart();
    }
    return *gpu_;
  }
  Address allocate(size_t bytes, MemoryKind kind = MemoryKind::Device) {
    Address address = 0;
    const Status status = gpu().allocate(bytes, kind, &address);
    EXPECT_TRUE(status.ok()) << status.detail;
    return address;
  }
  ModuleId load(const char* ptx = kModule) {
    ModuleId module = 0;
    EXPECT_TRUE(gpu().load_module(ptx, "test", &module).ok());
    return module;
  }
  Launch launch_of(const char* name) {
    Launch launch;
    const Status status = gpu().find_kernel(load(), name, &launch.kernel);
    EXPECT_TRUE(status.ok()) << status.detail;
    launch.parameters.resize(gpu().kernel_info(launch.kernel).parameter_bytes);
    return launch;
  }
  size_t count(const char* symbol) const {
    return static_cast<size_t>(std::count(fake_->calls.begin(), fake_->calls.end(), symbol));
  }
  static CopyShape row(size_t bytes) { return {.width = bytes, .dst_pitch = bytes, .src_pitch = bytes}; }

  FakeDriver* fake_;
  std::unique_ptr<Device> gpu_;
};

inline ::testing::AssertionResult succeeds(const Status& status) {
  return status.ok() ? ::testing::AssertionSuccess() : ::testing::AssertionFailure() << status.detail;
}
#define EXPECT_OK(expression) EXPECT_TRUE(succeeds(expression))

}  // namespace warpwise::device::gpu::testing
