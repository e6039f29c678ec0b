// What LLVM calls fatal is an error of one kernel (simt/codegen.h), and the next kernel is compiled.
#include <gtest/gtest.h>

#include <string>

#include "eased_code.h"

namespace warpwise::simt::test {
namespace {

const std::string kSound = "define i32 @f(i32 %x) {\n  %y = add i32 %x, 1\n  ret i32 %y\n}\n";
// An intrinsic of another machine.
const std::string kForeign = "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\ndefine i32 @f() {\n  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  ret i32 %x\n}\n";

TEST(Emission, WhatCannotBeSelectedIsAnErrorAndNotTheEnd) {
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(emission_error(kSound), "");
    const std::string error = emission_error(kForeign);
    EXPECT_TRUE(error.starts_with("X0002: LLVM cannot compile it: Cannot select")) << error;
  }
}

}  // namespace
}  // namespace warpwise::simt::test
