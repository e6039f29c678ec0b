// How loads of scattered elements reach the processor's gathers (simt/vectorise/memory.cpp, gather_indexed).
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

TEST(Gathers, ABaseAndASignedIndexFillAVector) {
  if (!__builtin_cpu_supports("avx512f")) GTEST_SKIP() << "no AVX-512";
  const std::string word = "  ld.global.u32 %v, [%q+64];\n";
  EXPECT_EQ(count(loads("  mul.wide.s32 %q, %i, 4;\n", word), "call <16 x i32> @llvm.masked.gather"), 2u);
  const std::string wide = "  ld.global.u64 %w, [%q];\n  cvt.u32.u64 %v, %w;\n";
  EXPECT_EQ(count(loads("  cvt.s64.s32 %q, %i;\n  shl.b64 %q, %q, 3;\n", wide), "getelementptr i64"), 4u);
  // An unsigned one may be larger than the processor's indices, and not each factor can be had.
  EXPECT_EQ(count(loads("  mul.wide.u32 %q, %i, 4;\n", word), "call <8 x i32> @llvm.masked.gather"), 4u);
  EXPECT_EQ(count(loads("  mul.wide.s32 %q, %i, 12;\n", word), "call <8 x i32> @llvm.masked.gather"), 4u);
}

}  // namespace
}  // namespace warpwise::simt
