// Guard versioning (simt/scalar/version_full_blocks.h): for which kernels the block tests the guard, and what the
// version for full blocks does without. Read from the dumps.
#include <gtest/gtest.h>

#include "../dumped_code.h"
#include "simt/instrument/events.h"

namespace warpwise::simt {
namespace {

constexpr const char* kLoop =
    "next:\n  add.u32 %s, %s, %i;\n  sub.u32 %k, %k, 1;\n  setp.ne.u32 %q, %k, 0;\n  @%q bra next;\n  st.global.u32 "
    "[%at], %s;\n";

// A kernel that begins with `before`, which may jump to `away`, and continues with `behind`.
std::string kernel(const std::string& before, const std::string& behind = kLoop) {
  return ".version 8.5\n.target sm_90a\n.address_size 64\n.visible .entry t(.param .u64 a, .param .u32 n) {\n"
         "  .reg .b64 %a, %at;\n  .reg .b32 %i, %n, %s, %k;\n  .reg .pred %p, %q;\n"
         "  ld.param.u64 %a, [a];\n  ld.param.u32 %n, [n];\n  mov.u32 %i, %tid.x;\n  mul.wide.u32 %at, %i, 4;\n  "
         "add.u64 %at, %a, %at;\n"
         "  mov.u32 %s, 0;\n  mov.u32 %k, %n;\n" +
         before + behind + "away:\n  ret;\n}\n";
}

constexpr const char* kLeave = "  setp.ge.u32 %p, %i, %n;\n  @%p bra away;\n";

size_t questions(const std::string& ptx, uint32_t threads = 256, uint32_t watch = 0) {
  return count(code_after("version_full_blocks", ptx, threads, watch), "@ww.barrier.red(i32 0");
}

TEST(VersionFullBlocks, is_asked_where_threads_leave_before_a_loop) {
  EXPECT_EQ(questions(kernel(kLeave)), 1u);
  EXPECT_EQ(questions(kernel("  setp.lt.u32 %p, %i, %n;\n  @!%p bra away;\n")), 1u) << "turned round";
  EXPECT_EQ(questions(kernel("")), 0u) << "no thread leaves";
  EXPECT_EQ(questions(kernel("  setp.eq.u32 %p, %n, 0;\n  @%p bra away;\n")), 0u) << "all leave together";
  EXPECT_EQ(questions(kernel(kLeave, "  st.global.u32 [%at], %s;\n")), 0u) << "no loop";
  EXPECT_EQ(questions(kernel(kLeave), 32), 0u) << "one warp";
  EXPECT_EQ(questions(kernel(kLeave, std::string("  bar.sync 0;\n") + kLoop)), 0u) << "a barrier of the program's own";
  EXPECT_EQ(questions(kernel(kLeave), 256, kWatchAddresses), 0u) << "every access is checked";
  std::string long_one = kLoop;
  for (int k = 0; k < 200; ++k) long_one += "  st.volatile.global.u32 [%at], %s;\n";
  EXPECT_EQ(questions(kernel(kLeave, long_one)), 0u) << "too much code";
}

// The loop is there twice. In the version for full blocks no access has a mask.
TEST(VersionFullBlocks, no_mask_is_left_where_all_stay) {
  const std::string loads =
      "next:\n  ld.global.u32 %s, [%at];\n  sub.u32 %k, %k, %s;\n  setp.gt.s32 %q, %n, 3;\n  @%q bra next;\n  "
      "st.global.u32 [%at], %k;\n";
  const std::string code = code_after("hoist_block_constants", kernel(kLeave, loads), 64);
  EXPECT_GE(count(code, "store <16 x i32>"), 1u) << code;
  EXPECT_GE(count(code, "@llvm.masked.store.v16i32"), 1u);
  EXPECT_EQ(count(code_after("hoist_block_constants", kernel(kLeave, loads), 32), "store <16 x i32>"), 0u)
      << "one warp: the mask stays";
}

}  // namespace
}  // namespace warpwise::simt
