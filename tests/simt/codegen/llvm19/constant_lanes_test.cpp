// Shuffles of masks that take lanes from a constant become logic (simt/codegen/llvm19/constant_lanes.cpp): no shuffle
// is left that selection would turn into a zero-extending move of a mask register, and the lanes are the same.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "../selected_code.h"

namespace warpwise::simt::test {
namespace {

// A function that stores a mask of 32 lanes, made of the masks at %in by `body` (its last value is %r).
std::string of(const std::string& body) {
  return "define void @f(ptr %in, ptr %out) {\n  %a = load <32 x i1>, ptr %in\n  %half = load <16 x i1>, ptr %in\n" +
         body + "\n  store <32 x i1> %r, ptr %out\n  ret void\n}\n";
}

// "i32 FIRST, i32 FIRST + 1, ..."
std::string lanes(unsigned first, unsigned count) {
  std::string list;
  for (unsigned k = 0; k < count; ++k) list += (k ? ", i32 " : "i32 ") + std::to_string(first + k);
  return list;
}

std::string shuffled(const std::string& type, const std::string& operands, const std::string& mask) {
  const std::string a = operands.substr(0, operands.find(';')), b = operands.substr(operands.find(';') + 1);
  return "  %r = shufflevector " + type + " " + a + ", " + type + " " + b + ", <32 x i32> <" + mask + ">";
}

class ConstantLanes : public testing::TestWithParam<uint32_t> {};

TEST_P(ConstantLanes, LowerLanesAndZeros) {
  SelectedCode code(of(shuffled("<32 x i1>", "%a;zeroinitializer", lanes(0, 16) + ", " + lanes(48, 16))));
  EXPECT_EQ(code.shuffles_with_constants(), 0u);
  EXPECT_EQ(code.run(GetParam()), GetParam() & 0xffffu);
}

TEST_P(ConstantLanes, OnesBesideLanesThatMove) {
  SelectedCode code(of(shuffled("<32 x i1>", "splat (i1 true);%a", lanes(48, 16) + ", " + lanes(0, 16))));
  EXPECT_EQ(code.shuffles_with_constants(), 0u);
  EXPECT_EQ(code.run(GetParam()), GetParam() >> 16 | 0xffff0000u);
}

TEST_P(ConstantLanes, HalfAMaskExtended) {
  SelectedCode code(of(shuffled("<16 x i1>", "%half;zeroinitializer", lanes(0, 32))));
  EXPECT_EQ(code.shuffles_with_constants(), 0u);
  EXPECT_EQ(code.run(GetParam()), GetParam() & 0xffffu);
}

TEST_P(ConstantLanes, ShufflesOfTwoMasksStay) {
  SelectedCode code(of("  %b = xor <32 x i1> %a, splat (i1 true)\n" + shuffled("<32 x i1>", "%a;%b", lanes(8, 32))));
  EXPECT_EQ(code.shuffles(), 1u);
  EXPECT_EQ(code.run(GetParam()), GetParam() >> 8 | ~GetParam() << 24);
}

INSTANTIATE_TEST_SUITE_P(Words, ConstantLanes, testing::Values(0u, ~0u, 0x8000'0001u, 0x5a5a'a5a5u, 0xffff'0000u));

}  // namespace
}  // namespace warpwise::simt::test
