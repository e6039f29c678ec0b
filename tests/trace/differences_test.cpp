// Which steps of two recordings differ: on files made by hand, of which each difference is known.
#include "trace/differences.h"

#include <gtest/gtest.h>

#include <functional>

#include "trace/made_file.h"

namespace warpwise::trace {
namespace {

constexpr uint64_t kSteps = 5000;
using Alter = std::function<void(uint32_t warp, uint64_t n, Step&)>;

// The bytes outlive the file that reads them.
struct Made {
  explicit Made(uint64_t steps, const Alter& alter = {}, const std::function<void(Recording&)>& change = {})
      : bytes(made_file(steps, change, alter)), file(TraceFile::read(bytes).value()) {}
  std::string bytes;
  std::unique_ptr<TraceFile> file;
};

Differences between(const Made& one, const Made& other) { return Differences::between(*one.file, *other.file).value(); }

TEST(TraceDifferences, are_none_between_equal_runs) {
  const Made one(kSteps), other(kSteps);
  const Differences found = between(one, other);
  EXPECT_EQ(found.compared(), 2 * kSteps);
  EXPECT_EQ(found.differing(), 0u);
  EXPECT_EQ(found.partner(1, 4999), 4999u);
  EXPECT_FALSE(found.partner(1, 5000));
  EXPECT_FALSE(found.partner(2, 0));
}

TEST(TraceDifferences, are_of_values_addresses_and_lanes) {
  const Made one(kSteps), other(kSteps, [](uint32_t warp, uint64_t n, Step& step) {
    if (warp == 1 && n == 21) step.values.at(0).bits.fill(7);  // of a load
    if (warp != 0 || (n != 42 && n != 43)) return;
    step.active &= ~1u, step.on &= ~1u;
    for (Access& access : step.accesses) access.mask &= ~1u;
  });
  const Differences found = between(one, other);
  EXPECT_EQ(found.differing(), 3u);
  EXPECT_EQ(found.count(Difference::Values), 1u);
  EXPECT_EQ(found.count(Difference::Lanes), 2u);
  EXPECT_EQ(found.count(Difference::Addresses), 1u) << "step 42 is a store";
  EXPECT_EQ(found.count(Difference::Path), 0u);
  ASSERT_EQ(found.warps()[0].size(), 1u) << "neighbours are one range";
  EXPECT_EQ(found.warps()[0][0].first, 42u);
  EXPECT_EQ(found.warps()[0][0].count, 2u);
  ASSERT_EQ(found.warps()[1].size(), 1u);
  EXPECT_EQ(found.warps()[1][0].first, 21u);
}

// A loop that runs three steps longer in one of them.
TEST(TraceDifferences, of_a_longer_path_are_its_own_steps_alone) {
  std::vector<Step> steps[2];
  const Made one(kSteps, [&](uint32_t warp, uint64_t, Step& step) { steps[warp].push_back(step); });
  const Made longer(kSteps + 3, [&](uint32_t warp, uint64_t n, Step& step) {
    constexpr uint64_t kFrom = 100;
    step = steps[warp][n < kFrom ? n : n < kFrom + 3 ? kFrom - 1 : n - 3];
  });
  const Differences found = between(one, longer);
  EXPECT_EQ(found.differing(), 0u) << "each of its steps is in the other one";
  EXPECT_EQ(found.partner(0, 99), 99u);
  EXPECT_EQ(found.partner(0, 100), 103u);
  const Differences back = between(longer, one);
  EXPECT_EQ(back.differing(), 6u);
  EXPECT_EQ(back.count(Difference::Path), 6u);
  EXPECT_EQ(back.warps()[1].at(0).first, 100u);
  EXPECT_EQ(back.warps()[1].at(0).count, 3u);
  EXPECT_FALSE(back.partner(1, 101));
  EXPECT_EQ(back.partner(1, 103), 100u);
}

TEST(TraceDifferences, are_of_one_kernel) {
  const Made one(50), other(50, {}, [](Recording& r) { r.symbol = "_Z1mPf"; });
  EXPECT_EQ(Differences::between(*one.file, *other.file).error().code, "V0009");
}

}  // namespace
}  // namespace warpwise::trace
