// Registers that are read before they are written: which uses report them (instrument/undefined_uses.h), and that code
// without such registers is left alone (instrument/undefined_values.h).
#include <gtest/gtest.h>

#include <regex>

#include "../dumped_code.h"
#include "simt/instrument/events.h"

namespace warpwise::simt {
namespace {

std::string checked(const std::string& body, uint32_t watch = kWatchInitialisation) {
  return code_after(
      "insert_checks",
      ".version 8.5\n.target sm_90a\n.address_size 64\n.visible .entry t(.param .u64 a) {\n"
      "  .shared .align 16 .b8 s[512];\n  .reg .b64 %a, %q;\n  .reg .b32 %i, %v, %w;\n  .reg .pred %c, %d;\n"
      "  ld.param.u64 %a, [a];\n  mov.u32 %i, %tid.x;\n  setp.lt.u32 %c, %i, 7;\n" +
          body + "  ret;\n}\n",
      128, watch);
}

// How many events report a use of this kind.
size_t uses(const std::string& code, event::Undefined::Use use) {
  size_t found = 0;
  const std::regex event("@ww.event\\(i1 [^,]+, i32 (\\d+),");
  for (std::sregex_iterator at(code.begin(), code.end(), event), end; at != end; ++at) {
    const auto number = uint32_t(std::stoul((*at)[1]));
    found += kind_of(number) == EventKind::Undefined && unpack<event::Undefined>(number).use == use;
  }
  return found;
}

using Use = event::Undefined::Use;

TEST(UndefinedValues, CodeThatSetsItsRegistersIsLeftAlone) {
  const std::string code = checked(
      "  mov.u32 %v, 1;\n  @%c mov.u32 %v, 2;\n  @%c bra over;\n  add.u32 %v, %v, 1;\nover:\n  st.global.u32 [%a], "
      "%v;\n");
  EXPECT_EQ(count(code, "call i64 @ww.undefined"), 0u) << code;
  EXPECT_EQ(count(code, "%undefined"), 0u) << code;
  EXPECT_EQ(count(code, "call void @ww.event"), 0u) << code;
}

TEST(UndefinedValues, AreNotFollowedWhereInitialisationIsNotChecked) {
  const std::string code = checked("  @%c mov.u32 %v, 2;\n  st.global.u32 [%a], %v;\n", kWatchAddresses);
  EXPECT_EQ(uses(code, Use::Copied), 0u) << code;
}

TEST(UndefinedValues, AStoreToGlobalMemoryReportsThem) {
  const std::string moved = checked("  @%c mov.u32 %v, 2;\n  st.global.u32 [%a], %v;\n");
  EXPECT_EQ(uses(moved, Use::Copied), 1u) << moved;
  EXPECT_EQ(count(moved, "call i64 @ww.undefined"), 0u) << moved;
  const std::string computed = checked("  @%c mov.u32 %v, 2;\n  mul.lo.u32 %v, %v, 3;\n  st.global.u32 [%a], %v;\n");
  EXPECT_EQ(uses(computed, Use::Stored), 1u) << computed;
}

TEST(UndefinedValues, ABranchAnAddressAndAnAtomicReportThem) {
  EXPECT_EQ(uses(checked("  @%c mov.u32 %v, 2;\n  setp.eq.u32 %d, %v, 5;\n  @%d bra over;\n  st.global.u32 [%a], 1;\n"
                         "over:\n"),
                 Use::Branch),
            1u);
  EXPECT_EQ(uses(checked("  @%c mov.u32 %v, 2;\n  mul.wide.u32 %q, %v, 4;\n  add.s64 %q, %a, %q;\n"
                         "  st.global.u32 [%q], 1;\n"),
                 Use::Address),
            1u);
  EXPECT_EQ(uses(checked("  @%c mov.u32 %v, 2;\n  atom.global.add.u32 %w, [%a], %v;\n"), Use::Added), 1u);
}

// What is stored there has no value, and a load says so.
TEST(UndefinedValues, SharedMemoryBecomesUninitialised) {
  const std::string code = checked("  @%c mov.u32 %v, 2;\n  st.shared.u32 [s], %v;\n");
  EXPECT_EQ(count(code, "call void @ww.event"), 1u) << "of the access alone:\n" << code;
  EXPECT_GE(count(code, "store i32"), 2u) << "the value and its shadow:\n" << code;
}

TEST(UndefinedValues, ShufflesMoveThem) {
  const std::string code =
      checked("  @%c mov.u32 %v, 2;\n  shfl.sync.bfly.b32 %w, %v, 1, 31, -1;\n  st.global.u32 [%a], %w;\n");
  EXPECT_EQ(count(code, "call { i32, i1 } @ww.shfl.bfly"), 2u) << code;
  EXPECT_EQ(uses(code, Use::Stored), 1u) << code;
}

// What a shuffle takes from a lane that does not take part has no value. All lanes of a full warp come to one that
// names them all.
TEST(UndefinedValues, AShuffleFromAbsentLanesIsFollowed) {
  auto stored = [](const char* shuffle, uint32_t watch = kWatchBarriers) {
    const std::string code = checked(
        std::string("  mov.u32 %v, 2;\n") + shuffle + "  add.u32 %v, %v, %w;\n  st.global.u32 [%a], %v;\nover:\n",
        watch);
    return uses(code, Use::Stored);
  };
  EXPECT_EQ(stored("  shfl.sync.down.b32 %w, %v, 4, 31, 255;\n"), 1u);
  EXPECT_EQ(stored("  @%c bra over;\n  shfl.sync.down.b32 %w, %v, 4, 31, -1;\n"), 1u);
  EXPECT_EQ(stored("  shfl.sync.down.b32 %w, %v, 4, 31, -1;\n"), 0u);
  EXPECT_EQ(stored("  shfl.sync.down.b32 %w, %v, 4, 31, 255;\n", kWatchInitialisation), 0u);
}

}  // namespace
}  // namespace warpwise::simt
