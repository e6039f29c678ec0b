// The numbers in race cells: what is given out is read back, and none is given twice.
#include "check/race/race_numbers.h"

#include <gtest/gtest.h>

#include "simt/instrument/race_cells.h"

namespace warpwise::check {
namespace {

constexpr uint32_t kThreads = 96, kSites = 5;

TEST(RaceNumbers, say_who_when_and_where) {
  RaceNumbers numbers(1000, kThreads, kSites);
  const auto first = numbers.begin_epoch(7, 1), second = numbers.begin_epoch(7, 2), other = numbers.begin_epoch(8, 1);
  EXPECT_GE(first, 1000u);
  const auto number = second + 3 * numbers.of_site() + 2 * 95;
  const auto m = numbers.meaning(number | simt::kMarked);
  EXPECT_EQ(m.epoch, second);
  EXPECT_EQ(m.serial, 7u);
  EXPECT_EQ(m.clock, 2u);
  EXPECT_EQ(m.thread, 95u);
  EXPECT_EQ(m.site, 3u);
  EXPECT_TRUE(m.marked);
  EXPECT_EQ(numbers.meaning(other).serial, 8u);
}

TEST(RaceNumbers, know_one_thread_in_one_epoch) {
  RaceNumbers numbers(1, kThreads, kSites);
  const auto first = numbers.begin_epoch(1, 1), second = numbers.begin_epoch(1, 2);
  const auto of_site = numbers.of_site();
  EXPECT_TRUE(numbers.is_same(first + 2 * 40, first + 4 * of_site + 2 * 40 + simt::kMarked))
      << "site and mark make no difference";
  EXPECT_FALSE(numbers.is_same(first + 2 * 40, first + 2 * 41));
  EXPECT_FALSE(numbers.is_same(first + 2 * 40, second + 2 * 40)) << "another epoch";
  EXPECT_TRUE(numbers.is_one_instruction(first + of_site + 2 * 3, first + of_site + 2 * 90));
  EXPECT_FALSE(numbers.is_one_instruction(first + 2 * 3, first + of_site + 2 * 3));
  EXPECT_FALSE(numbers.is_same(0, first)) << "no thread";
  EXPECT_FALSE(numbers.is_same(simt::kSplitCell, first));
}

TEST(RaceNumbers, rename_an_unused_epoch) {
  RaceNumbers numbers(1, 32, 1);
  const auto first = numbers.begin_epoch(1, 4);
  numbers.begin_epoch(2, 1);
  numbers.rename_epoch(first, 3, 1);
  EXPECT_EQ(numbers.meaning(first).serial, 3u);
  EXPECT_EQ(numbers.meaning(first).clock, 1u);
}

TEST(RaceNumbers, end) {
  RaceNumbers numbers(RaceNumbers::kEnd - 3000, 1024, 1);
  const auto last = numbers.begin_epoch(1, 1);
  ASSERT_NE(last, 0u);
  EXPECT_LE(uint64_t{last} + numbers.step(), uint64_t{RaceNumbers::kEnd});
  EXPECT_EQ(numbers.begin_epoch(1, 2), 0u);
  EXPECT_LT(RaceNumbers::kEnd, simt::kSplitCell);
}

}  // namespace
}  // namespace warpwise::check
