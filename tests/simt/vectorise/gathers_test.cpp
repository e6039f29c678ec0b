// How loads of scattered elements reach the processor's gathers (simt/vectorise/gathers.cpp, gather_indexed).
#include <gtest/gtest.h>

#include "../dumped_code.h"

namespace warpwise::simt {
namespace {

// x[i], where `index` makes the byte offset %q of the number %i that was loaded.
std::string loads(const std::string& index, const std::string& load) {
  return code_after(
      "vectorise",
      ".version 8.5\n.target sm_90a\n.address_size 64\n.visible .entry t(.param .u64 a, .param .u64 i) {\n"
      "  .reg .b64 %a, %q, %w;\n  .reg .b32 %t, %i, %v;\n"
      "  mov.u32 %t, %tid.x;\n  ld.param.u64 %a, [i];\n  mad.wide.u32 %q, %t, 4, %a;\n"
      "  ld.global.u32 %i, [%q];\n  ld.param.u64 %a, [a];\n" +
          index + "  add.s64 %q, %a, %q;\n" + load + "  st.global.u32 [%a], %v;\n  ret;\n}\n",
      64);
}

constexpr const char* kWord = "  ld.global.u32 %v, [%q+64];\n";

size_t whole_vectors(const std::string& index) {
  return count(loads(index, kWord), "call <16 x i32> @llvm.masked.gather");
}

TEST(Gathers, ABaseAndAnIndexFillAVector) {
  if (!__builtin_cpu_supports("avx512f")) GTEST_SKIP() << "no AVX-512";
  EXPECT_EQ(whole_vectors("  mul.wide.s32 %q, %i, 4;\n"), 2u);
  EXPECT_EQ(whole_vectors("  mul.wide.u32 %q, %i, 4;\n"), 2u);
  EXPECT_EQ(whole_vectors("  cvt.s64.s32 %q, %i;\n  add.s64 %q, %q, %a;\n  shl.b64 %q, %q, 3;\n"), 2u);
  const std::string wide = "  ld.global.u64 %w, [%q];\n  cvt.u32.u64 %v, %w;\n";
  EXPECT_EQ(count(loads("  cvt.s64.s32 %q, %i;\n  shl.b64 %q, %q, 3;\n", wide), "getelementptr i64"), 4u);
}

// Other factors than the processor's are multiplied in 32 bits, where all indices are small.
TEST(Gathers, AFactorThatTheProcessorLacks) {
  if (!__builtin_cpu_supports("avx512f")) GTEST_SKIP() << "no AVX-512";
  EXPECT_EQ(whole_vectors("  mul.wide.s32 %q, %i, 12;\n"), 0u);
  EXPECT_EQ(whole_vectors("  mul.wide.s32 %q, %i, 16;\n"), 0u);
  EXPECT_EQ(whole_vectors("  bfe.s32 %i, %i, 0, 9;\n  mul.wide.s32 %q, %i, 12;\n"), 2u);
  EXPECT_EQ(whole_vectors("  and.b32 %i, %i, 1023;\n  mul.wide.u32 %q, %i, 16;\n"), 2u);
  EXPECT_EQ(whole_vectors("  cvt.s64.s32 %q, %i;\n  mul.lo.s64 %q, %q, %a;\n"), 0u);
}

// Small numbers come out of the words around them, also where all lanes are active.
TEST(Gathers, BytesAndHalvesAreTakenFromWords) {
  if (!__builtin_cpu_supports("avx512f")) GTEST_SKIP() << "no AVX-512";
  for (const char* type : {"u8", "u16"}) {
    const std::string code = loads("  mul.wide.s32 %q, %i, 2;\n", std::string("  ld.global.") + type + " %v, [%q];\n");
    EXPECT_EQ(count(code, "call <8 x i32> @llvm.masked.gather"), 4u) << type;
    EXPECT_EQ(count(code, "@llvm.masked.gather.v8i8") + count(code, "@llvm.masked.gather.v8i16"), 0u) << type;
  }
}

// The sum of x[i] over rows of a loop: `lanes` makes %i of threadIdx.x, in the loop if `in_loop`.
std::string rows(const std::string& lanes, const std::string& in_loop = "", const std::string& in_turn = "") {
  return code_after(
      "vectorise",
      ".version 8.5\n.target sm_90a\n.address_size 64\n.visible .entry t(.param .u64 a, .param .u32 n) {\n"
      "  .reg .b64 %a, %q, %d;\n  .reg .b32 %t, %i, %j, %k, %v, %s, %n;\n  .reg .pred %p;\n"
      "  mov.u32 %t, %tid.x;\n  ld.param.u64 %a, [a];\n  ld.param.u32 %n, [n];\n" +
          lanes + "  mov.u32 %k, 0;\n  mov.u32 %s, 0;\nturn:\n" + in_loop +
          "  mad.lo.u32 %j, %k, 18, %i;\n  mul.wide.s32 %q, %j, 4;\n  add.u64 %q, %a, %q;\n"
          "  ld.global.u32 %v, [%q];\n  add.u32 %s, %s, %v;\n  add.u32 %k, %k, 1;\n" +
          in_turn +
          "  setp.lt.u32 %p, %k, %n;\n  @%p bra turn;\n  mad.wide.u32 %d, %t, 4, %a;\n"
          "  st.global.u32 [%d], %s;\n  ret;\n}\n",
      64);
}

TEST(Gathers, RowsOfALoopAreLoadedWhereLanesLieSideBySide) {
  if (!__builtin_cpu_supports("avx512f")) GTEST_SKIP() << "no AVX-512";
  const std::string column = "  rem.u32 %i, %t, 18;\n";
  auto questions = [](const std::string& code) { return count(code, "\nside_by_side"); };
  EXPECT_EQ(questions(rows(column)), 1u);
  EXPECT_EQ(questions(rows("", "  ld.global.u32 %i, [%a];\n  add.u32 %i, %i, %t;\n  rem.u32 %i, %i, 18;\n")), 1u)
      << "other lanes in each turn, of a division";
  EXPECT_EQ(questions(rows("", "  mad.wide.u32 %d, %t, 4, %a;\n  ld.global.u32 %i, [%d];\n")), 0u)
      << "other lanes in each turn, of memory";
  EXPECT_EQ(questions(rows(column, "", "  add.u32 %n, %n, %i;\n")), 1u) << "lanes leave in different turns";
  EXPECT_EQ(questions(rows("  mov.u32 %i, %t;\n")), 0u) << "known to lie side by side";
}

// Stores ask as loads do.
TEST(Gathers, RowsOfADivisionAreStoredWhereLanesLieSideBySide) {
  if (!__builtin_cpu_supports("avx512f")) GTEST_SKIP() << "no AVX-512";
  auto stores = [](const std::string& index) {
    return code_after(
        "vectorise",
        ".version 8.5\n.target sm_90a\n.address_size 64\n.visible .entry t(.param .u64 a, .param .u32 n) {\n"
        "  .reg .b64 %a, %q;\n  .reg .b32 %t, %i, %n;\n"
        "  mov.u32 %t, %tid.x;\n  ld.param.u64 %a, [a];\n  ld.param.u32 %n, [n];\n" +
            index + "  mad.wide.s32 %q, %i, 4, %a;\n  st.global.u32 [%q], %t;\n  ret;\n}\n",
        64);
  };
  EXPECT_EQ(count(stores("  rem.u32 %i, %t, %n;\n"), "\nside_by_side"), 1u) << "by a parameter";
  EXPECT_EQ(count(stores("  mul.hi.u32 %i, %t, 954437177;\n  shr.u32 %i, %i, 2;\n  mad.lo.u32 %i, %i, -18, %t;\n"),
                  "\nside_by_side"),
            1u)
      << "by 18, as a compiler writes it";
  EXPECT_EQ(count(stores("  xor.b32 %i, %t, %n;\n"), "\nside_by_side"), 0u);
}

}  // namespace
}  // namespace warpwise::simt
