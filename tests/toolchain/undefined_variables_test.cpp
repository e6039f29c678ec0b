#include "toolchain/undefined_variables.h"

#include <gtest/gtest.h>

namespace warpwise::toolchain {
namespace {

std::string marked(const std::string& line) {
  return keep_undefined_variables("define void @k() {\n" + line +
                                  "\n}\n!12 = !{!\"auto-init\"}\n!120 = !{!\"other\"}\n");
}
std::string with_mark(const std::string& code) {
  return "define void @k() {\n" + code + "}\n!12 = !{!\"auto-init\"}\n!120 = !{!\"other\"}\n";
}

TEST(UndefinedVariables, ANumberIsARegisterThatNothingWrites) {
  EXPECT_EQ(marked("  store float 0xFFFFFFFFE0000000, ptr %8, align 4, !dbg !17, !annotation !12"),
            with_mark("  %undefined.0 = call i32 asm \"{ .reg .b32 $$undefined_0; mov.b32 $0, $$undefined_0; }\", "
                      "\"=r\"(), !dbg !17\n"
                      "  store i32 %undefined.0, ptr %8, align 4, !dbg !17\n"));
}

TEST(UndefinedVariables, AByteIsPartOfARegister) {
  EXPECT_EQ(marked("  store i8 -86, ptr %7, align 1, !annotation !12"),
            with_mark("  %undefined.0 = call i16 asm \"{ .reg .b16 $$undefined_0; mov.b16 $0, $$undefined_0; }\", "
                      "\"=h\"()\n"
                      "  %undefined.0.byte = trunc i16 %undefined.0 to i8\n"
                      "  store i8 %undefined.0.byte, ptr %7, align 1\n"));
}

TEST(UndefinedVariables, AnObjectIsMadeOfWords) {
  const std::string code = marked(
      "  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %18, ptr align 8 @__const.k.q, i64 12, i1 false), !annotation "
      "!12");
  EXPECT_NE(code.find("store i64 %undefined.0, ptr %18, align 8\n"), code.npos) << code;
  EXPECT_NE(code.find("%undefined.1.at = getelementptr i8, ptr %18, i64 8\n"), code.npos) << code;
  EXPECT_NE(code.find("store i32 %undefined.1, ptr %undefined.1.at, align 4\n"), code.npos) << code;
  EXPECT_EQ(code.find("@__const"), code.npos) << code;
}

TEST(UndefinedVariables, PointersAreNumbers) {
  const std::string code =
      marked("  store ptr inttoptr (i64 -6148914691236517206 to ptr), ptr %12, align 8, !dbg !1, !annotation !12");
  EXPECT_NE(code.find("store i64 %undefined.0, ptr %12, align 8, !dbg !1\n"), code.npos) << code;
}

TEST(UndefinedVariables, LargeObjectsStayInMemory) {
  EXPECT_EQ(marked("  call void @llvm.memset.p0.i64(ptr align 1 %24, i8 -86, i64 100, i1 false), !annotation !12"),
            with_mark(""));
}

TEST(UndefinedVariables, OtherCodeStaysAsItIs) {
  for (const char* line :
       {"  store float 1.000000e+00, ptr %8, align 4, !dbg !17",
        "  store float 0xFFFFFFFFE0000000, ptr %8, align 4, !annotation !120", "  %9 = load float, ptr %8, align 4"})
    EXPECT_EQ(marked(line), with_mark(std::string(line) + "\n"));
  EXPECT_EQ(keep_undefined_variables("define void @k() {\n}\n"), "define void @k() {\n}\n");
}

}  // namespace
}  // namespace warpwise::toolchain
