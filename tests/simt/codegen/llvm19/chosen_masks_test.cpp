// Choices between constant masks become tests of bits (simt/codegen/llvm19/chosen_masks.cpp). Without that the test of
// a branch hangs on a machine with AVX-512.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>

#include "../selected_code.h"

namespace warpwise::simt::test {
namespace {

// A function that stores a mask of 32 lanes, made of the masks at %in by `body` (its last value is %r).
std::string of(const std::string& body) {
  return "define void @f(ptr %in, ptr %out) {\n  %a = load <32 x i1>, ptr %in\n  %half = load <16 x i1>, ptr %in\n" +
         body + "\n  store <32 x i1> %r, ptr %out\n  ret void\n}\n";
}

class ChosenMasks : public testing::TestWithParam<uint32_t> {};

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

TEST_P(ChosenMasks, ChoicesBetweenConstantMasks) {
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

// Two such choices by one condition, behind a branch on it: selection never finishes if they stay choices.
TEST_P(ChosenMasks, ChoicesByTheConditionOfABranch) {
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

INSTANTIATE_TEST_SUITE_P(Words, ChosenMasks, testing::Values(0u, ~0u, 0x8000'0001u, 0x5a5a'a5a5u, 0xffff'0000u));

}  // namespace
}  // namespace warpwise::simt::test
