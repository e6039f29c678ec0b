// What LLVM calls fatal is an error of one kernel (simt/codegen/codegen.h), and the next kernel is compiled. What a
// kernel's functions take of a stack is told.
#include <gtest/gtest.h>

#include <string>

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

TEST(Emission, TellsWhatFramesTakeOfAStack) {
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
