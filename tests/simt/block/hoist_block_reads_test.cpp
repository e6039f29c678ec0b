// Which words of shared memory are read before any warp runs (simt/block/hoist_block_reads.h), so that no warp reads
// what another one has overwritten.
#include <gtest/gtest.h>

#include "../dumped_code.h"

namespace warpwise::simt {
namespace {

// The block function of a kernel of four warps that wait at a barrier and continue with `then`.
std::string behind_barrier(const std::string& then) {
  const std::string ptx =
      ".version 8.5\n.target sm_90a\n.address_size 64\n.visible .entry t(.param .u64 a) {\n"
      "  .shared .align 4 .b8 s[128];\n  .reg .b64 %a, %at;\n  .reg .b32 %i, %w, %v;\n  .reg .f32 %f;\n  .reg .pred "
      "%p;\n"
      "  ld.param.u64 %a, [a];\n  mov.u32 %i, %tid.x;\n  mul.wide.u32 %at, %i, 4;\n  add.u64 %a, %a, %at;\n"
      "  shr.u32 %w, %i, 5;\n  shl.b32 %w, %w, 2;\n  mov.u32 %v, s;\n  add.u32 %w, %w, %v;\n  setp.lt.u32 %p, %i, 40;\n"
      "  mov.f32 %f, 0f3f800000;\n  st.shared.f32 [%w], %f;\n  bar.sync 0;\n" +
      then + "  st.global.f32 [%a], %f;\n  ret;\n}\n";
  return code_after("hoist_block_constants", ptx, 128);
}

// What runs before the warps of the region behind the barrier.
std::string head(const std::string& code) {
  const size_t begin = code.find("\nregion1:");
  if (begin == code.npos) return "";
  size_t end = code.find(".head.exit:", begin);  // where it has a condition
  if (end == code.npos) end = code.find("\n\n", begin);
  return code.substr(begin, end - begin);
}

TEST(HoistBlockReads, AWordThatAllWarpsReadFirst) {
  EXPECT_EQ(count(head(behind_barrier("  ld.shared.f32 %f, [s];\n  st.shared.f32 [%w], %f;\n")), "load float"), 1u);
}

TEST(HoistBlockReads, SeveralWords) {
  const std::string code = behind_barrier(
      "  .reg .f32 %g;\n  ld.shared.f32 %f, [s];\n  ld.shared.f32 %g, [s+4];\n  add.f32 %f, %f, %g;\n  st.shared.f32 "
      "[%w], %f;\n");
  EXPECT_EQ(count(head(code), "load float"), 2u);
}

TEST(HoistBlockReads, NotBehindAWrite) {
  EXPECT_EQ(count(head(behind_barrier("  st.shared.f32 [%w], %f;\n  ld.shared.f32 %f, [s];\n")), "load float"), 0u);
}

// Global memory is elsewhere.
TEST(HoistBlockReads, BehindAWriteToGlobalMemory) {
  EXPECT_EQ(
      count(
          head(behind_barrier("  st.global.f32 [%a+512], %f;\n  ld.shared.f32 %f, [s];\n  st.shared.f32 [%w], %f;\n")),
          "load float"),
      1u);
}

// Some warps leave where others reconverge: the word is hoisted when all of them have come.
TEST(HoistBlockReads, WhereWarpsMayDiverge) {
  const std::string code = behind_barrier(
      "  .reg .pred %q;\nnext:\n  ld.shared.f32 %f, [s];\n  setp.gt.f32 %q, %f, 0f40000000;\n  @%q bra done;\n  "
      "st.shared.f32 [%w], %f;\n  bar.sync 0;\n  bra next;\ndone:\n");
  EXPECT_NE(code.find("begin"), std::string::npos) << "warps may diverge here";
  EXPECT_EQ(count(head(code), "load float"), 1u);
}

TEST(HoistBlockReads, NotWhereThePlaceDependsOnTheWarp) {
  EXPECT_EQ(count(head(behind_barrier("  ld.shared.f32 %f, [%w];\n")), "load float"), 0u);
}

// It reads what the warps before have added.
TEST(HoistBlockReads, NotWhatAnAtomicReads) {
  EXPECT_EQ(count(head(behind_barrier("  atom.shared.add.u32 %v, [s], 1;\n  cvt.rn.f32.u32 %f, %v;\n")), "load i32"),
            0u);
}

// Neighbouring lanes' words, at `s[threadIdx.x % 32]`: the same 32 for each warp, which overwrites one of them
// afterwards.
const char* const kByLane = "  .reg .b32 %l;\n  and.b32 %l, %i, 31;\n  shl.b32 %l, %l, 2;\n  add.u32 %l, %l, %v;\n";

TEST(HoistBlockReads, WordsByLane) {
  const std::string code =
      behind_barrier(std::string(kByLane) + "  ld.shared.f32 %f, [%l];\n  st.shared.f32 [%w], %f;\n");
  EXPECT_EQ(count(head(code), "load <16 x float>"), 2u);
}

// Some of the words: the others may lie outside of shared memory. That is tested, and the warps keep their load.
TEST(HoistBlockReads, WordsOfSomeLanes) {
  const std::string code =
      behind_barrier(std::string(kByLane) +
                     "  .reg .pred %q;\n  and.b32 %i, %i, 31;\n  setp.lt.u32 %q, %i, 4;\n  mov.f32 %f, 0f00000000;\n" +
                     "  @%q ld.shared.f32 %f, [%l];\n  st.shared.f32 [%w], %f;\n");
  EXPECT_EQ(count(head(code), "load <16 x float>"), 2u);
  EXPECT_NE(head(code).find("icmp uge"), std::string::npos);
}

// A row of a tile that all warps read and none writes stays where it is.
TEST(HoistBlockReads, NotLanesThatNoWarpOverwrites) {
  const std::string code = behind_barrier(std::string(kByLane) + "  ld.shared.f32 %f, [%l];\n  bar.sync 0;\n");
  EXPECT_EQ(count(head(code), "load <16 x float>"), 0u);
}

// Under a condition the word is read early only where it lies inside shared memory, and the warps keep their load.
TEST(HoistBlockReads, UnderAConditionWithABound) {
  const std::string code = behind_barrier("  @!%p bra on;\n  ld.shared.f32 %f, [s];\n  st.shared.f32 [%w], %f;\non:\n");
  EXPECT_EQ(count(head(code), "load float"), 1u);
  // Of the early word, or of its own, in each warp: once in a loop over warps.
  EXPECT_EQ(count(code, "load float"), 1u + 2u);
  EXPECT_NE(head(code).find("icmp uge"), std::string::npos);
}

}  // namespace
}  // namespace warpwise::simt
