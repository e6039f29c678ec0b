// Masks that are loaded as integers (simt/codegen/llvm19/masks_in_memory.cpp). Without the workaround LLVM 19 never
// finishes on this code on a machine with AVX-512.
#include <gtest/gtest.h>

#include <cstdint>

#include "../selected_code.h"

namespace warpwise::simt::test {
namespace {

class MasksInMemory : public testing::TestWithParam<uint32_t> {};

// With the masks a, the word at %in, and b, that word without its lower seven bits, moved down: the sum over 32 lanes
// of (a | b) and four times ~(a | b). Volatile stores keep the loads where they are.
constexpr const char* kTwoLoadedMasks = R"(
define void @f(ptr %in, ptr %out) {
  %word = load i32, ptr %in
  %moved = lshr i32 %word, 7
  %masks = alloca [2 x i32]
  %second = getelementptr i8, ptr %masks, i64 4
  store volatile i32 %word, ptr %masks
  store volatile i32 %moved, ptr %second
  %x = load i32, ptr %masks
  %y = load i32, ptr %second
  %a = bitcast i32 %x to <32 x i1>
  %b = bitcast i32 %y to <32 x i1>
  %either = or <32 x i1> %a, %b
  %ones = zext <32 x i1> %either to <32 x i32>
  %inner = select <32 x i1> %b, <32 x i32> zeroinitializer, <32 x i32> splat (i32 4)
  %fours = select <32 x i1> %a, <32 x i32> zeroinitializer, <32 x i32> %inner
  %all = add <32 x i32> %ones, %fours
  %sum = call i32 @llvm.vector.reduce.add(<32 x i32> %all)
  store i32 %sum, ptr %out
  ret void
}
declare i32 @llvm.vector.reduce.add(<32 x i32>)
)";

TEST_P(MasksInMemory, TwoLoadedMasks) {
  const uint32_t either = GetParam() | GetParam() >> 7;
  SelectedCode code(kTwoLoadedMasks);
  EXPECT_EQ(code.run(GetParam()), unsigned(__builtin_popcount(either) + 4 * __builtin_popcount(~either)));
}

INSTANTIATE_TEST_SUITE_P(Words, MasksInMemory, testing::Values(0u, ~0u, 0x8000'0001u, 0x5a5a'a5a5u, 0xffff'0000u));

}  // namespace
}  // namespace warpwise::simt::test
