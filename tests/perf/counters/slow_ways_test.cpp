// Operands of divisions and roots of IEEE that take the slow way: 0, infinity, and exponents at the ends of what the
// quick one can do, as measured on an H200 (simt/instrument/count_slow_ways.cpp). A warp takes it if one of its lanes
// does.
#include <fmt/format.h>

#include "counted_kernel.h"

namespace warpwise::perf {
namespace {

constexpr uint64_t kQuick = 2, kSlow = 8;  // branches of all six, and more of a division (sass_forms.inc)

class SlowWays : public testing::TestWithParam<exec::ModeChoice> {
 protected:
  uint64_t branches(const std::string& text, unsigned threads = 32) const {
    CountedKernel kernel;
    kernel.mode = GetParam();
    kernel.block.x = threads;
    kernel.body = text + "st.global.f32 [%rd0], %f0;";
    return kernel.run().totals[Counter::MoreBranches];
  }
};

INSTANTIATE_TEST_SUITE_P(Modes, SlowWays, testing::Values(exec::ModeChoice::Simt, exec::ModeChoice::Independent),
                         [](const auto& info) {
                           return info.param == exec::ModeChoice::Independent ? "split" : "converged";
                         });

TEST_P(SlowWays, of_exponents) {
  struct Row {
    const char* operation;
    unsigned bits;
    uint64_t a, b;  // sign and exponent
    bool slow;
  };
  constexpr Row kRows[] = {
      {"div", 32, 127, 130, false},  {"div", 32, 24, 100, true},       {"div", 32, 25, 100, false},
      {"div", 32, 100, 1, true},     {"div", 32, 100, 2, false},       {"div", 32, 200, 252, true},
      {"div", 32, 200, 251, false},  {"div", 32, 227, 100, true},      {"div", 32, 226, 100, false},
      {"div", 32, 75, 200, true},    {"div", 32, 76, 200, false},      {"rcp", 32, 0, 0, true},
      {"rcp", 32, 1, 0, false},      {"rcp", 32, 253, 0, true},        {"rcp", 32, 252, 0, false},
      {"sqrt", 32, 25, 0, true},     {"sqrt", 32, 26, 0, false},       {"sqrt", 32, 255, 0, true},
      {"sqrt", 32, 254, 0, false},   {"sqrt", 32, 256 + 127, 0, true},  // of a negative number
      {"div", 64, 48, 1000, true},   {"div", 64, 56, 1000, false},     {"div", 64, 1352, 328, true},
      {"div", 64, 1344, 328, false}, {"div", 64, 1008, 2032, true},    {"div", 64, 1016, 2032, false},
      {"rcp", 64, 0, 0, true},       {"rcp", 64, 2044, 0, false},      {"rcp", 64, 2045, 0, true},
      {"sqrt", 64, 52, 0, true},     {"sqrt", 64, 53, 0, false},       {"div", 32, 255, 130, true},
      {"div", 32, 254, 130, false},  {"div", 64, 2047, 1100, true},    {"div", 64, 2046, 1100, false},
      {"div", 64, 2041, 1024, true}, {"div", 64, 2040, 1024, false},
  };
  for (const Row& row : kRows) {
    const char letter = row.bits == 32 ? 'f' : 'd';
    const unsigned mantissa = row.bits == 32 ? 23 : 52;
    constexpr uint64_t kSomeDigits = 0x123456;
    std::string text;
    for (const auto& [number, exponent] : {std::pair(1, row.a), std::pair(2, row.b)})
      text += fmt::format("mov.b{} %{}{}, {};", row.bits, letter, number, exponent << mantissa | kSomeDigits);
    text += fmt::format("{0}.rn.f{1} %{2}0, %{2}1{3};", row.operation, row.bits, letter,
                        row.operation == std::string("div") ? fmt::format(", %{}2", letter) : "");
    if (row.bits == 64) text += "cvt.rn.f32.f64 %f0, %d0;";
    EXPECT_EQ(branches(text) > kQuick, row.slow) << text;
  }
}

// The thread's number by 7: only the first is 0. The second warp has none.
TEST_P(SlowWays, of_a_lane) {
  const std::string by_seven = "cvt.rn.f32.u32 %f1, %r0; div.rn.f32 %f0, %f1, 0f40E00000;";
  EXPECT_EQ(branches(by_seven), kQuick + kSlow);
  EXPECT_EQ(branches(by_seven, 64), 2 * kQuick + kSlow);
}

}  // namespace
}  // namespace warpwise::perf
