// Medians, their intervals, and what may be said of two.
#include "bench/measure/statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace warpwise::bench {
namespace {

std::vector<double> up_to(int n) {
  std::vector<double> values;
  for (int i = 1; i <= n; ++i) values.push_back(i);
  return values;
}

TEST(Statistics, median_is_the_middle_one_or_the_mean_of_two) {
  EXPECT_EQ(median_of({}), 0);
  EXPECT_EQ(median_of({3, 1, 2}), 2);
  EXPECT_EQ(median_of({4, 1, 2, 3}), 2.5);
}

// Hahn and Meeker, Statistical Intervals, 1991, table A.15: the values that bound a median at 95 %.
TEST(Statistics, intervals_are_those_of_order_statistics) {
  EXPECT_FALSE(estimate(up_to(5)).known);
  const std::pair<int, std::pair<int, int>> table[] = {
      {6, {1, 6}}, {8, {1, 8}}, {10, {2, 9}}, {20, {6, 15}}, {30, {10, 21}}};
  for (const auto& [n, bounds] : table) {
    const Estimate e = estimate(up_to(n));
    EXPECT_TRUE(e.known) << n;
    EXPECT_EQ(e.interval.low, bounds.first) << n;
    EXPECT_EQ(e.interval.high, bounds.second) << n;
  }
}

// An interval of 12 numbers, from the third to the tenth, holds the true median with 96 %.
TEST(Statistics, intervals_hold_the_true_median) {
  std::mt19937 random(7);
  std::lognormal_distribution<double> times(0, 0.3);  // skewed as times are; the median is 1
  int held = 0;
  for (int i = 0; i < 2000; ++i) {
    std::vector<double> values(12);
    std::generate(values.begin(), values.end(), [&] { return times(random); });
    const Estimate e = estimate(values);
    held += e.interval.low <= 1 && 1 <= e.interval.high;
  }
  EXPECT_GE(held, 1900);
  EXPECT_LE(held, 1990);
}

TEST(Statistics, a_difference_needs_intervals_apart) {
  const Estimate slow{10, {9, 11}, true}, near{10.5, {10, 12}, true}, fast{5, {4, 6}, true};
  EXPECT_EQ(compare(near, slow), Difference::None);
  EXPECT_EQ(compare(fast, slow), Difference::Faster);
  EXPECT_EQ(compare(slow, fast), Difference::Slower);
}

}  // namespace
}  // namespace warpwise::bench
