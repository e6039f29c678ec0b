// Masked accesses that a host has no instruction for (simt/codegen/scalarise_masked_memory.h): none is left, and active
// lanes alone are accessed.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "selected_code.h"

namespace warpwise::simt::test {
namespace {

// Lane l of eight is active if bit l of the word at %in is set. %table holds 64 words, word k being 5 * k + 3.
std::string of(const std::string& body) {
  std::string text =
      "declare <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr>, i32, <8 x i1>, <8 x i32>)\n"
      "declare void @llvm.masked.scatter.v8i8.v8p0(<8 x i8>, <8 x ptr>, i32, <8 x i1>)\n"
      "declare <8 x i32> @llvm.masked.load.v8i32.p0(ptr, i32, <8 x i1>, <8 x i32>)\n"
      "declare void @llvm.masked.store.v8i32.p0(<8 x i32>, ptr, i32, <8 x i1>)\n"
      "declare i32 @llvm.vector.reduce.add.v8i32(<8 x i32>)\n"
      "define void @f(ptr %in, ptr %out) \"prefer-vector-width\"=\"512\" {\n  %mask = load <8 x i1>, ptr %in\n  %table "
      "= alloca [64 x i32]\n";
  for (int k = 0; k < 64; ++k) {
    const std::string n = std::to_string(k);
    text += "  %t" + n + " = getelementptr i32, ptr %table, i64 " + n + "\n  store i32 " + std::to_string(5 * k + 3) +
            ", ptr %t" + n + "\n";
  }
  return text + body + "  ret void\n}\n";
}

const std::string kLanes = "<8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>";
const std::string kSum = "  %sum = call i32 @llvm.vector.reduce.add.v8i32(<8 x i32> %r)\n  store i32 %sum, ptr %out\n";

class LaneLoops : public testing::TestWithParam<uint32_t> {
 protected:
  static bool active(unsigned lane) { return GetParam() >> lane & 1; }
};

// What one loop loads says where the next one goes, and is what its idle lanes keep.
TEST_P(LaneLoops, GathersOfWhatWasGathered) {
  SelectedCode code(
      of("  %p = getelementptr i32, ptr %table, " + kLanes +
         "\n  %a = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> %p, i32 4, <8 x i1> %mask, <8 x i32> splat "
         "(i32 1))\n"
         "  %q = getelementptr i32, ptr %table, <8 x i32> %a\n"
         "  %odd = trunc <8 x i32> %a to <8 x i1>\n"
         "  %r = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> %q, i32 4, <8 x i1> %odd, <8 x i32> %a)\n" +
         kSum),
      "x86-64");
  EXPECT_EQ(code.masked_accesses(), 0u);
  uint32_t sum = 0;
  for (unsigned lane = 0; lane < 8; ++lane) {
    const uint32_t first = active(lane) ? 5 * lane + 3 : 1;
    sum += first % 2 == 1 ? 5 * first + 3 : first;
  }
  EXPECT_EQ(code.run(GetParam()), sum);
}

TEST_P(LaneLoops, LoadsAndStores) {
  SelectedCode code(
      of("  %a = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr %t40, i32 4, <8 x i1> %mask, <8 x i32> "
         "zeroinitializer)\n"
         "  %idle = xor <8 x i1> %mask, splat (i1 true)\n"
         "  call void @llvm.masked.store.v8i32.p0(<8 x i32> %a, ptr %t8, i32 4, <8 x i1> %mask)\n"
         "  call void @llvm.masked.store.v8i32.p0(<8 x i32> splat (i32 1000), ptr %t8, i32 4, <8 x i1> %idle)\n"
         "  %r = load <8 x i32>, ptr %t8, align 4\n" +
         kSum),
      "x86-64");
  EXPECT_EQ(code.masked_accesses(), 0u);
  uint32_t sum = 0;
  for (unsigned lane = 0; lane < 8; ++lane) sum += active(lane) ? 5 * (40 + lane) + 3 : 1000;
  EXPECT_EQ(code.run(GetParam()), sum);
}

// No processor scatters bytes; the last of two lanes that store at one place wins.
TEST_P(LaneLoops, ScatteredBytes) {
  SelectedCode code(
      of("  %p = getelementptr i8, ptr %out, <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 0, i64 1, i64 2, i64 3>\n  "
         "store i32 0, ptr %out\n"
         "  call void @llvm.masked.scatter.v8i8.v8p0(<8 x i8> <i8 1, i8 2, i8 3, i8 4, i8 5, i8 6, i8 7, i8 8>, <8 x "
         "ptr> %p, i32 1, <8 x i1> %mask)\n"));
  EXPECT_EQ(code.masked_accesses(), 0u);
  uint32_t word = 0;
  for (unsigned lane = 0; lane < 8; ++lane)
    if (active(lane)) word = (word & ~(0xffu << lane % 4 * 8)) | (lane + 1) << lane % 4 * 8;
  EXPECT_EQ(code.run(GetParam()), word);
}

// A gather of eight addresses is one instruction with AVX-512, and two with AVX2, whose parts have their own places.
TEST_P(LaneLoops, WhatTheHostCanDoStays) {
  const std::string gather =
      of("  %p = getelementptr i32, ptr %table, " + kLanes +
         "\n  %r = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> %p, i32 4, <8 x i1> %mask, <8 x i32> "
         "zeroinitializer)\n" +
         kSum);
  SelectedCode whole(gather), parts(gather, "skylake");
  EXPECT_EQ(whole.masked_accesses(), 1u);
  EXPECT_EQ(parts.masked_accesses(), 2u);
  uint32_t sum = 0;
  for (unsigned lane = 0; lane < 8; ++lane) sum += active(lane) ? 5 * lane + 3 : 0;
  EXPECT_EQ(parts.run(GetParam()), sum);
}

INSTANTIATE_TEST_SUITE_P(Masks, LaneLoops, testing::Values(0u, 1u, 0x80u, 0x5au, 0xffu));

}  // namespace
}  // namespace warpwise::simt::test
