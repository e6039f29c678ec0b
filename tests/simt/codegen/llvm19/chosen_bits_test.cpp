// Choices between the bits of two values and one of them (simt/codegen/llvm19/chosen_bits.cpp). Without the workaround
// a machine with AVX-512 computes wrong bits.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>

#include "../selected_code.h"

namespace warpwise::simt::test {
namespace {

class ChosenBits : public testing::TestWithParam<uint32_t> {};

// The sum over sixteen lanes of m ? bits of x and y : one of them, for x = in, y = ~in and the mask m of in's lower
// bits.
std::string bits_chosen(const std::string& bits, const std::string& choice) {
  return "define void @f(ptr %in, ptr %out) {\n  %m = load <16 x i1>, ptr %in\n  %word = load i32, ptr %in\n"
         "  %one = insertelement <16 x i32> poison, i32 %word, i32 0\n  %x = shufflevector <16 x i32> %one, <16 x i32> "
         "poison, <16 x i32> zeroinitializer\n"
         "  %y = xor <16 x i32> %x, splat (i32 -1)\n  %fx = bitcast <16 x i32> %x to <16 x float>\n  %fy = bitcast <16 "
         "x i32> %y to <16 x float>\n" +
         bits + choice +
         "  %sum = call i32 @llvm.vector.reduce.add(<16 x i32> %r)\n  store i32 %sum, ptr %out\n  ret void\n}\n"
         "declare i32 @llvm.vector.reduce.add(<16 x i32>)\ndeclare <16 x float> @llvm.copysign.v16f32(<16 x float>, "
         "<16 x float>)\n";
}

constexpr uint32_t kMagnitude = 0x7fff'ffff;
const std::string kBits =
    "  %a = and <16 x i32> %x, splat (i32 2147483647)\n  %b = and <16 x i32> %y, splat (i32 -2147483648)\n  %bits = or "
    "<16 x i32> %a, %b\n";
const std::string kCopysign =
    "  %signed = call <16 x float> @llvm.copysign.v16f32(<16 x float> %fx, <16 x float> %fy)\n";

// m ? bits : kept; or the other way round.
uint32_t sum(uint32_t in, uint32_t kept, bool bits_if_true) {
  const uint32_t bits = (in & kMagnitude) | (~in & ~kMagnitude), lanes = uint32_t(__builtin_popcount(in & 0xffff));
  return bits_if_true ? lanes * bits + (16 - lanes) * kept : lanes * kept + (16 - lanes) * bits;
}

TEST_P(ChosenBits, BitsOfTwoOrTheFirst) {
  EXPECT_EQ(
      SelectedCode(bits_chosen(kBits, "  %r = select <16 x i1> %m, <16 x i32> %bits, <16 x i32> %x\n")).run(GetParam()),
      sum(GetParam(), GetParam(), true));
  EXPECT_EQ(
      SelectedCode(bits_chosen(kBits, "  %r = select <16 x i1> %m, <16 x i32> %x, <16 x i32> %bits\n")).run(GetParam()),
      sum(GetParam(), GetParam(), false));
}

TEST_P(ChosenBits, BitsOfTwoOrTheSecond) {
  EXPECT_EQ(
      SelectedCode(bits_chosen(kBits, "  %r = select <16 x i1> %m, <16 x i32> %bits, <16 x i32> %y\n")).run(GetParam()),
      sum(GetParam(), ~GetParam(), true));
  EXPECT_EQ(
      SelectedCode(bits_chosen(kBits, "  %r = select <16 x i1> %m, <16 x i32> %y, <16 x i32> %bits\n")).run(GetParam()),
      sum(GetParam(), ~GetParam(), false));
}

TEST_P(ChosenBits, ASignCopiedOrNot) {
  for (const auto& [kept, value] : {std::pair("%fx", GetParam()), std::pair("%fy", ~GetParam())}) {
    const std::string choice = std::string("  %rf = select <16 x i1> %m, <16 x float> %signed, <16 x float> ") + kept +
                               "\n  %r = bitcast <16 x float> %rf to <16 x i32>\n";
    EXPECT_EQ(SelectedCode(bits_chosen(kCopysign, choice)).run(GetParam()), sum(GetParam(), value, true)) << kept;
  }
}

INSTANTIATE_TEST_SUITE_P(Words, ChosenBits, testing::Values(0u, ~0u, 0x8000'0001u, 0x5a5a'a5a5u, 0xffff'0000u));

}  // namespace
}  // namespace warpwise::simt::test
