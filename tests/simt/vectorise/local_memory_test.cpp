// How a warp reaches the local arrays of its threads (simt/analysis/local_layout.h).
#include <gtest/gtest.h>

#include "../dumped_code.h"

namespace warpwise::simt {
namespace {

// a[k] with one k for all lanes, where the kernel also does what `more` says.
std::string row(const std::string& more, uint32_t threads, const std::string& load = "ld.local.u32 %v, [%l];") {
  return code_after("vectorise",
                    ".version 8.5\n.target sm_90a\n.address_size 64\n"
                    ".visible .entry t(.param .u64 d, .param .u32 k) {\n"
                    "  .reg .b64 %d, %p, %w;\n  .reg .b32 %k, %l, %v;\n  .local .align 8 .b8 a[256];\n"
                    "  ld.param.u64 %d, [d];\n  ld.param.u32 %k, [k];\n  mov.u32 %l, a;\n"
                    "  mad.lo.u32 %l, %k, 4, %l;\n  mov.u32 %v, %tid.x;\n  " +
                        more + "\n  " + load + "\n  st.global.u32 [%d], %v;\n  ret;\n}\n",
                    threads);
}

size_t gathers(const std::string& code) { return count(code, "@llvm.masked.gather"); }

TEST(LocalMemory, OneIndexOfAllLanesIsARow) {
  const std::string code = row("", 64);
  EXPECT_EQ(gathers(code), 0u);
  EXPECT_EQ(count(code, "load <16 x i32>"), 2u);
}

// What follows the pointer must find the memory of its thread in one piece.
TEST(LocalMemory, APointerNamesAPiece) {
  EXPECT_GT(gathers(row("mov.u64 %p, a;\n  cvta.local.u64 %p, %p;\n  st.global.u64 [%d+8], %p;", 64)), 0u);
}

// Few threads would touch a line of the cache for each word.
TEST(LocalMemory, OfFewThreadsIsInPieces) { EXPECT_GT(gathers(row("", 16)), 0u); }

// The unit is the largest access; a smaller one takes its part of each unit.
TEST(LocalMemory, SmallAccessesLieWithinLargeOnes) {
  const std::string code = row("ld.local.u64 %w, [a+8];\n  st.global.u64 [%d+8], %w;", 64);
  EXPECT_EQ(gathers(code), 0u);
  EXPECT_GT(count(code, "load <8 x i64>"), 0u);
}

}  // namespace
}  // namespace warpwise::simt
