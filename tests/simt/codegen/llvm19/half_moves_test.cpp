// Choices between halves and changes of their sign move bits (simt/codegen/llvm19/half_moves.cpp): signalling NaNs stay
// signalling.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "../selected_code.h"

namespace warpwise::simt::test {
namespace {

class HalfMoves : public testing::TestWithParam<uint32_t> {};

// The bits of the lower half of the word at %in, or of the upper one where the word is negative, after `step`, which
// makes %r of %h.
std::string moved(const std::string& step) {
  return "define void @f(ptr %in, ptr %out) {\n  %upper = getelementptr i8, ptr %in, i64 2\n  %word = load i32, ptr "
         "%in\n"
         "  %c = icmp slt i32 %word, 0\n  %x = load half, ptr %in\n  %y = load half, ptr %upper\n"
         "  %h = select i1 %c, half %y, half %x\n" +
         step +
         "  %bits = bitcast half %r to i16\n  %all = zext i16 %bits to i32\n  store i32 %all, ptr %out\n  ret void\n}\n"
         "declare half @llvm.fabs.f16(half)\ndeclare half @llvm.copysign.f16(half, half)\n";
}

// 0x7d01 and 0xfc01 are signalling NaNs.
TEST_P(HalfMoves, ChangeNoOtherBits) {
  for (const uint32_t word : {GetParam(), 0x7d01u, 0xfc01'7d01u}) {
    const uint32_t h = int32_t(word) < 0 ? word >> 16 : word & 0xffff;
    const auto check = [&](const std::string& step, uint32_t expected) {
      SelectedCode code(moved(step));
      EXPECT_EQ(code.half_operations(), 0u) << step;
      EXPECT_EQ(code.run(word), expected) << step;
    };
    check("  %r = select i1 %c, half %h, half %x\n", h);
    check("  %r = fneg half %h\n", h ^ 0x8000);
    check("  %r = call half @llvm.fabs.f16(half %h)\n", h & 0x7fff);
    check("  %r = call half @llvm.copysign.f16(half %h, half %x)\n", (h & 0x7fff) | (word & 0x8000));
  }
}

INSTANTIATE_TEST_SUITE_P(Words, HalfMoves, testing::Values(0u, ~0u, 0x8000'0001u, 0x5a5a'a5a5u, 0xffff'0000u));

}  // namespace
}  // namespace warpwise::simt::test
