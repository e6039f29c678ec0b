// What the tests of the runtime share: a fresh device per test and kernels to launch.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "cuda/runtime/api.h"
#include "cuda/runtime/module/fatbinary.h"
#include "fake_device.h"

namespace warpwise::cuda::testing {

class RuntimeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    fake();
    ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
  }
  static size_t logged(std::string_view text) {
    auto& log = fake().log;
    return static_cast<size_t>(std::count_if(
        log.begin(), log.end(), [&](const std::string& line) { return line.find(text) != std::string::npos; }));
  }
};

// Registers `ptx` the way a program does and takes it out again.
class Program {
 public:
  explicit Program(const char* ptx) : wrapper_{kWrapperMagic, 1, ptx, nullptr} {
    handle_ = __cudaRegisterFatBinary(&wrapper_);
    __cudaRegisterFatBinaryEnd(handle_);
  }
  ~Program() {
    if (handle_) __cudaUnregisterFatBinary(handle_);
  }
  Program(const Program&) = delete;

  void kernel(const void* host, const char* name) {
    __cudaRegisterFunction(handle_, static_cast<const char*>(host), nullptr, name, -1, nullptr, nullptr, nullptr,
                           nullptr, nullptr);
  }
  void variable(void* host, const char* name, size_t size) {
    __cudaRegisterVar(handle_, static_cast<char*>(host), nullptr, name, 0, size, 0, 0);
  }
  void managed(void** host, const char* name, size_t size) {
    __cudaRegisterManagedVar(handle_, host, nullptr, name, 0, size, 0, 0);
  }
  void** handle() const { return handle_; }

 private:
  FatBinaryWrapper wrapper_;
  void** handle_;
};

}  // namespace warpwise::cuda::testing
