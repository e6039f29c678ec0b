// What LLVM calls fatal is an error of one kernel (simt/codegen/llvm_errors.h), and the next kernel is compiled: on the
// same thread, beside other threads, and without a C++ exception in LLVM's frames. The size of the frames that a
// kernel's functions need on a stack is reported.
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "counted_exceptions.h"
#include "selected_code.h"

namespace warpwise::simt::test {
namespace {

const std::string kSound = "define i32 @f(i32 %x) {\n  %y = add i32 %x, 1\n  ret i32 %y\n}\n";
// An intrinsic of another machine.
const std::string kForeign =
    "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\ndefine i32 @f() {\n  %x = call i32 "
    "@llvm.nvvm.read.ptx.sreg.tid.x()\n  ret i32 %x\n}\n";

TEST(Emission, WhatCannotBeSelectedIsAnErrorAndNotTheEnd) {
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(emission_error(kSound), "");
    const std::string error = emission_error(kForeign);
    EXPECT_TRUE(error.starts_with("X0002: LLVM cannot compile it: Cannot select")) << error;
  }
}

TEST(Emission, NoExceptionCrossesLlvm) {
  const unsigned before = thrown_exceptions();
  EXPECT_NE(emission_error(kForeign), "");
  EXPECT_EQ(thrown_exceptions(), before);
  // The counter counts.
  EXPECT_THROW(throw std::string("counted"), std::string);
  EXPECT_EQ(thrown_exceptions(), before + 1);
}

TEST(Emission, ErrorsOfOneThreadLeaveTheOthersAlone) {
  std::atomic<unsigned> sound = 0, refused = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int round = 0; round < 5; ++round) {
        const std::string error = emission_error(t % 2 == 0 ? kSound : kForeign);
        sound += error.empty();
        refused += error.starts_with("X0002");
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(sound, 10u);
  EXPECT_EQ(refused, 10u);
}

TEST(Emission, ReportsTheFramesOfAllFunctions) {
  auto function = [](const std::string& name, int bytes) {
    return "define void @" + name + "(i64 %x) {\n  %a = alloca [" + std::to_string(bytes) +
           " x i8]\n  %p = getelementptr i8, ptr %a, i64 %x\n" + "  store volatile i8 1, ptr %p\n  ret void\n}\n";
  };
  EXPECT_LT(emitted_frame_bytes(kSound), 64u);
  const uint32_t both = emitted_frame_bytes(function("f", 100'000) + function("g", 20'000));
  EXPECT_GE(both, 119'000u);  // but what a leaf keeps below its stack pointer
  EXPECT_LT(both, 121'000u);
}

}  // namespace
}  // namespace warpwise::simt::test
