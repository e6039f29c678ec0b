// Masks that take lanes from a constant become logic (simt/codegen/llvm19_workarounds.h): no shuffle is left that
// selection would turn into a zero-extending move of a mask register, and the lanes are the same.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "selected_code.h"

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

class Llvm19Workarounds : public testing::TestWithParam<uint32_t> {};

TEST_P(Llvm19Workarounds, LowerLanesAndZeros) {
  SelectedCode code(of(shuffled("<32 x i1>", "%a;zeroinitializer", lanes(0, 16) + ", " + lanes(48, 16))));
  EXPECT_EQ(code.shuffles_with_constants(), 0u);
  EXPECT_EQ(code.run(GetParam()), GetParam() & 0xffffu);
}

TEST_P(Llvm19Workarounds, OnesBesideLanesThatMove) {
  SelectedCode code(of(shuffled("<32 x i1>", "splat (i1 true);%a", lanes(48, 16) + ", " + lanes(0, 16))));
  EXPECT_EQ(code.shuffles_with_constants(), 0u);
  EXPECT_EQ(code.run(GetParam()), GetParam() >> 16 | 0xffff0000u);
}

TEST_P(Llvm19Workarounds, HalfAMaskWidened) {
  SelectedCode code(of(shuffled("<16 x i1>", "%half;zeroinitializer", lanes(0, 32))));
  EXPECT_EQ(code.shuffles_with_constants(), 0u);
  EXPECT_EQ(code.run(GetParam()), GetParam() & 0xffffu);
}

TEST_P(Llvm19Workarounds, ShufflesOfTwoMasksStay) {
  SelectedCode code(of("  %b = xor <32 x i1> %a, splat (i1 true)\n" + shuffled("<32 x i1>", "%a;%b", lanes(8, 32))));
  EXPECT_EQ(code.shuffles(), 1u);
  EXPECT_EQ(code.run(GetParam()), GetParam() >> 8 | ~GetParam() << 24);
}

// A choice between two constant masks.
std::string chosen_mask(const std::string& name, uint32_t if_true, uint32_t if_false) {
  const auto mask = [](uint32_t bits) {
    std::string list;
    for (unsigned k = 0; k < 32; ++k) list += std::string(k ? ", " : "") + (bits >> k & 1 ? "i1 true" : "i1 false");
    return "<32 x i1> <" + list + ">";
  };
  return "  " + name + " = select i1 %c, " + mask(if_true) + ", " + mask(if_false) + "\n";
}

constexpr std::pair<uint32_t, uint32_t> kSides[] = {
    {0x00ff'00ffu, 0u}, {~0u, 0u}, {0x5a5a'5a5au, 0x0000'ffffu}, {0x1fffu, ~0u}};

TEST_P(Llvm19Workarounds, ChoicesBetweenConstantMasks) {
  for (const auto& [first, second] : kSides) {
    SelectedCode code(of("  %word = load i32, ptr %in\n  %c = icmp slt i32 %word, 0\n  %bits = select i1 %c, i32 " +
                         std::to_string(int32_t(second)) + ", i32 " + std::to_string(int32_t(first)) +
                         "\n  %q = bitcast i32 %bits to <32 x i1>\n" + chosen_mask("%p", first, second) +
                         "  %some = and <32 x i1> %a, %p\n  %r = xor <32 x i1> %some, %q"));
    const bool c = int32_t(GetParam()) < 0;
    EXPECT_EQ(code.run(GetParam()), (GetParam() & (c ? first : second)) ^ (c ? second : first))
        << first << " " << second;
  }
}

// Selection does not end on what two such choices by one condition come to behind a branch by it, if they stay choices.
TEST_P(Llvm19Workarounds, ChoicesByTheConditionOfABranch) {
  for (const auto& [lanes, none] : kSides) {
    SelectedCode code(
        "define void @f(ptr %in, ptr %out) {\nentry:\n  %word = load i32, ptr %in\n  %c = icmp slt i32 %word, 0\n" +
        chosen_mask("%p", lanes, none) + chosen_mask("%q", none, lanes) +
        "  %both = or <32 x i1> %q, %p\n  br i1 %c, label %body, label %next\n"
        "body:\n  %early = select <32 x i1> %p, <32 x i32> splat (i32 3), <32 x i32> splat (i32 5)\n  br label %next\n"
        "next:\n  %mask = phi <32 x i1> [ %both, %body ], [ %q, %entry ]\n  %before = phi <32 x i32> [ %early, %body "
        "], [ zeroinitializer, %entry ]\n"
        "  %late = select <32 x i1> %mask, <32 x i32> splat (i32 100), <32 x i32> splat (i32 1000)\n  %all = add <32 x "
        "i32> %before, %late\n"
        "  %sum = call i32 @llvm.vector.reduce.add(<32 x i32> %all)\n  store i32 %sum, ptr %out\n  ret void\n}\n"
        "declare i32 @llvm.vector.reduce.add(<32 x i32>)\n");
    const auto sum = [](uint32_t mask, uint32_t in, uint32_t out) {
      return uint32_t(__builtin_popcount(mask)) * in + uint32_t(__builtin_popcount(~mask)) * out;
    };
    const uint32_t expected =
        int32_t(GetParam()) < 0 ? sum(lanes, 3, 5) + sum(lanes | none, 100, 1000) : sum(lanes, 100, 1000);
    EXPECT_EQ(code.run(GetParam()), expected) << lanes << " " << none;
  }
}

// The upper halves of four 64-bit numbers: LLVM 19 cannot select them as they are.
TEST_P(Llvm19Workarounds, UpperHalvesOfFewLanes) {
  SelectedCode code(
      "define void @f(ptr %in, ptr %out) {\n  %word = load i32, ptr %in\n  %one = insertelement <32 x i32> poison, i32 "
      "%word, i32 0\n"
      "  %all = shufflevector <32 x i32> %one, <32 x i32> poison, <32 x i32> zeroinitializer\n  %x = bitcast <32 x "
      "i32> %all to <32 x float>\n"
      "  %f = fadd <32 x float> %x, splat (float 1.0)\n  %bits = bitcast <32 x float> %f to <32 x i32>\n"
      "  %wide = zext <32 x i32> %bits to <32 x i64>\n  %high = shl <32 x i64> %wide, splat (i64 32)\n"
      "  %some = shufflevector <32 x i64> %high, <32 x i64> splat (i64 7), <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 "
      "36, i32 37, i32 38, i32 39>\n"
      "  %kept = alloca <8 x i64>\n  store volatile <8 x i64> %some, ptr %kept\n  %at = getelementptr i8, ptr %kept, "
      "i64 20\n"
      "  %r = load volatile i32, ptr %at\n  store i32 %r, ptr %out\n  ret void\n}\n");
  float x;
  const uint32_t in = GetParam();
  std::memcpy(&x, &in, sizeof x);
  x += 1.0f;
  uint32_t expected;
  std::memcpy(&expected, &x, sizeof x);
  if (x == x) {  // NaNs have bits of the host's own
    EXPECT_EQ(code.run(in), expected);
  }
}

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

TEST_P(Llvm19Workarounds, BitsOfTwoOrTheFirst) {
  EXPECT_EQ(
      SelectedCode(bits_chosen(kBits, "  %r = select <16 x i1> %m, <16 x i32> %bits, <16 x i32> %x\n")).run(GetParam()),
      sum(GetParam(), GetParam(), true));
  EXPECT_EQ(
      SelectedCode(bits_chosen(kBits, "  %r = select <16 x i1> %m, <16 x i32> %x, <16 x i32> %bits\n")).run(GetParam()),
      sum(GetParam(), GetParam(), false));
}

TEST_P(Llvm19Workarounds, BitsOfTwoOrTheSecond) {
  EXPECT_EQ(
      SelectedCode(bits_chosen(kBits, "  %r = select <16 x i1> %m, <16 x i32> %bits, <16 x i32> %y\n")).run(GetParam()),
      sum(GetParam(), ~GetParam(), true));
  EXPECT_EQ(
      SelectedCode(bits_chosen(kBits, "  %r = select <16 x i1> %m, <16 x i32> %y, <16 x i32> %bits\n")).run(GetParam()),
      sum(GetParam(), ~GetParam(), false));
}

TEST_P(Llvm19Workarounds, ASignCopiedOrNot) {
  for (const auto& [kept, value] : {std::pair("%fx", GetParam()), std::pair("%fy", ~GetParam())}) {
    const std::string choice = std::string("  %rf = select <16 x i1> %m, <16 x float> %signed, <16 x float> ") + kept +
                               "\n  %r = bitcast <16 x float> %rf to <16 x i32>\n";
    EXPECT_EQ(SelectedCode(bits_chosen(kCopysign, choice)).run(GetParam()), sum(GetParam(), value, true)) << kept;
  }
}

INSTANTIATE_TEST_SUITE_P(Masks, Llvm19Workarounds, testing::Values(0u, ~0u, 0x8000'0001u, 0x5a5a'a5a5u, 0xffff'0000u));

}  // namespace
}  // namespace warpwise::simt::test
