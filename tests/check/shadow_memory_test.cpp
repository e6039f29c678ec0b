// The shadow of ranges of all sizes: what is painted is read back, what is cleared is no memory, and a large range of
// one state takes no memory.
#include "check/memory/shadow_memory.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "base/sanitized.h"
#include "exec/memory/arena.h"

namespace warpwise::check {
namespace {

constexpr size_t kLarge = (size_t{8} << 30) + 12345;
const device::Address kBase = exec::Arena::kFirst + 512;

// Of this process, pages that nothing else stands for.
size_t own_kilobytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (size_t kilobytes; word == "RssAnon:" && status >> kilobytes) return kilobytes;
  return 0;
}

class Shadow : public testing::Test {
 protected:
  void SetUp() override {
    auto mapped = shadow.map();
    ASSERT_TRUE(mapped.ok()) << mapped.error().message;
  }
  static unsigned state(size_t offset) { return *ShadowMemory::at(kBase + offset); }
  ShadowMemory shadow;
};

class ShadowOfSize : public Shadow, public testing::WithParamInterface<size_t> {};

TEST_P(ShadowOfSize, IsWhatWasPaintedUntilItIsCleared) {
  const size_t bytes = GetParam();
  for (uint8_t paint : {simt::kUninitialised, simt::kInitialised, simt::kReadOnly}) {
    if (paint == simt::kReadOnly && bytes == kLarge) continue;
    shadow.paint(kBase, bytes, paint);
    for (size_t at : {size_t{0}, bytes / 3, bytes - 1}) EXPECT_EQ(state(at), paint);
    EXPECT_EQ(state(bytes), simt::kNoMemory) << "the byte behind";
    EXPECT_EQ(*ShadowMemory::at(kBase - 1), simt::kNoMemory) << "the byte before";
    shadow.mark(kBase + bytes / 3, 1);
    if (paint == simt::kUninitialised) {
      EXPECT_EQ(state(bytes / 3), simt::kInitialised);
      EXPECT_EQ(state(bytes / 3 + 1), paint);
    }
    shadow.clear(kBase, bytes);
    for (size_t at : {size_t{0}, bytes / 3, bytes - 1}) EXPECT_EQ(state(at), simt::kNoMemory);
  }
}

TEST_F(Shadow, OfWhatIsHardlyTouchedTakesNoMemory) {
  constexpr size_t kStacks = size_t{12} << 20;
  const size_t before = own_kilobytes();
  shadow.paint(kBase, kStacks, simt::kInitialised, ShadowMemory::Use::Sparse);
  EXPECT_EQ(state(0), simt::kInitialised);
  EXPECT_EQ(state(kStacks - 1), simt::kInitialised);
  EXPECT_EQ(state(kStacks), simt::kNoMemory);
  EXPECT_LT(own_kilobytes(), before + 1000);
  shadow.clear(kBase, kStacks);
  for (size_t at : {size_t{0}, kStacks / 2, kStacks - 1}) EXPECT_EQ(state(at), simt::kNoMemory);
}

INSTANTIATE_TEST_SUITE_P(All, ShadowOfSize,
                         testing::Values(size_t{4}, size_t{100'000}, size_t{300'000}, (size_t{128} << 20) + 1,
                                         (size_t{129} << 20) + 7, kLarge));

TEST_F(Shadow, OfALargeRangeTakesNoMemoryBeforeItIsChanged) {
  const size_t before = own_kilobytes();
  ASSERT_NE(before, 0u);
  shadow.paint(kBase, kLarge, simt::kUninitialised);
  shadow.mark(kBase + kLarge / 2, 100);
  EXPECT_EQ(state(kLarge / 2 + 100), simt::kUninitialised);
  EXPECT_LT(own_kilobytes(), before + 1024 * kMemoryGrowth);
  shadow.clear(kBase, kLarge);
}

}  // namespace
}  // namespace warpwise::check
