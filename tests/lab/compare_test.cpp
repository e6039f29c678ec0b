// Which answers are right: exact ones, within units in the last place, within bounds; poison that was not overwritten.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "lab/trial/trial.h"

namespace warpwise::lab {
namespace {

// An output of three elements, expected {1, 2, 0.1}.
class Compare : public testing::Test {
 protected:
  Compare() {
    parameter_.name = "out", parameter_.role = Role::Output, parameter_.pointer = true;
    trial_.problem = &problem_;
    array_.parameter = &parameter_;
    array_.count = 3;
    array_.before = ZeroedArray<std::byte>(12);
    poison(array_.before, ElementType::Float, 7);
    array_.expected = {1, 2, 0.1};
    array_.bound = {0, 0, 0};
  }
  std::optional<WrongElement> compare_to(std::vector<float> got) {
    trial_.arrays = {array_};
    auto bytes = std::as_bytes(std::span(got));
    auto wrong = compare(trial_, Reference(), {bytes});
    EXPECT_TRUE(wrong.ok());
    return *wrong;
  }
  bool right(std::vector<float> got) { return !compare_to(std::move(got)); }

  Problem problem_;
  Parameter parameter_;
  Trial trial_;
  TrialArray array_;
};

TEST_F(Compare, asks_for_the_rounded_answer_by_default) {
  EXPECT_TRUE(right({1, 2, 0.1f}));
  EXPECT_FALSE(right({1, 2, std::nextafter(0.1f, 1.0f)}));
  const auto wrong = compare_to({1, 3, 4});
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->index, 1u);
  EXPECT_EQ(wrong->got, 3);
  EXPECT_EQ(*wrong->expected, 2);
  EXPECT_EQ(wrong->wrong, 2u);
  EXPECT_FALSE(wrong->unwritten);
}

TEST_F(Compare, counts_units_in_the_last_place) {
  problem_.tolerance.ulp = 2;
  const float step = 0x1p-23f;  // between floats from 1 on
  EXPECT_TRUE(right({1 + 2 * step, 2, 0.1f}));
  EXPECT_FALSE(right({1 + 3 * step, 2, 0.1f}));
  EXPECT_TRUE(right({1, 2 + 4 * step, 0.1f}));  // from 2 on the step is twice that
  EXPECT_FALSE(right({1, 2 + 6 * step, 0.1f}));
}

TEST_F(Compare, adds_up_what_is_allowed) {
  problem_.tolerance.absolute = 0.5;
  problem_.tolerance.relative = 0.25;
  EXPECT_TRUE(right({1.75f, 2, 0.1f}));
  EXPECT_FALSE(right({1.76f, 2, 0.1f}));
  problem_.tolerance = {.bound = true};
  array_.has_bound = true;
  array_.bound = {0, 0.5, 0};
  EXPECT_TRUE(right({1, 1.5f, 0.1f}));
  EXPECT_FALSE(right({1, 1.4f, 0.1f}));
  EXPECT_FALSE(right({1.5f, 2, 0.1f}));
}

TEST_F(Compare, takes_a_nan_for_a_nan_alone) {
  problem_.tolerance.absolute = 1e30;
  EXPECT_FALSE(right({1, NAN, 0.1f}));
  EXPECT_FALSE(right({1, INFINITY, 0.1f}));
  array_.expected[1] = NAN;
  EXPECT_TRUE(right({1, NAN, 0.1f}));
  EXPECT_FALSE(right({1, 2, 0.1f}));
  array_.expected[1] = INFINITY;
  EXPECT_TRUE(right({1, INFINITY, 0.1f}));
  EXPECT_FALSE(right({1, 3e38f, 0.1f}));
}

TEST_F(Compare, names_what_was_never_written) {
  std::vector<float> got(3);
  std::memcpy(got.data(), array_.before.data(), 12);
  got[0] = 5;  // wrong, and written
  const auto wrong = compare_to(got);
  ASSERT_TRUE(wrong);
  EXPECT_TRUE(wrong->unwritten);
  EXPECT_EQ(wrong->index, 1u);
  EXPECT_EQ(wrong->wrong, 3u);
}

// Elements that are right to the bit are passed over by the piece. The wrong ones are found wherever they are.
template <class T>
void find_wrong_elements(ElementType type) {
  constexpr uint64_t kCount = 1000;
  Problem problem;
  Parameter parameter;
  parameter.name = "out", parameter.role = Role::Output, parameter.pointer = true, parameter.type = type;
  Trial trial;
  trial.problem = &problem;
  for (const uint64_t wrong_at : {0, 63, 64, 255, 256, 700, 959, 960, 999}) {
    std::vector<T> got(kCount);
    TrialArray array;
    array.parameter = &parameter, array.count = kCount;
    array.before = ZeroedArray<std::byte>(kCount * sizeof(T));
    array.expected = ZeroedArray<double>(kCount), array.bound = ZeroedArray<double>(kCount);
    for (uint64_t i = 0; i < kCount; ++i) got[i] = T(i % 100), array.expected[i] = double(i % 100);
    std::memset(array.before.data(), 0xff, array.before.size());
    trial.arrays.clear();
    trial.arrays.push_back(std::move(array));
    EXPECT_FALSE(*compare(trial, Reference(), {std::as_bytes(std::span(got))}));
    got[wrong_at] = T(101);
    const auto wrong = *compare(trial, Reference(), {std::as_bytes(std::span(got))});
    ASSERT_TRUE(wrong) << wrong_at;
    EXPECT_EQ(wrong->index, wrong_at);
    EXPECT_EQ(wrong->wrong, 1u);
    EXPECT_EQ(wrong->got, 101);
  }
}

TEST(CompareMany, finds_the_wrong_element_among_many_right_ones) {
  find_wrong_elements<float>(ElementType::Float);
  find_wrong_elements<double>(ElementType::Double);
  find_wrong_elements<uint8_t>(ElementType::UInt8);
  find_wrong_elements<int16_t>(ElementType::Int16);
  find_wrong_elements<int32_t>(ElementType::Int32);
  find_wrong_elements<uint64_t>(ElementType::UInt64);
}

TEST_F(Compare, poison_is_a_nan_of_its_own_in_each_element) {
  std::vector<std::byte> memory(64 * 4);
  poison(memory, ElementType::Float, 1);
  for (size_t i = 0; i < 64; ++i) EXPECT_TRUE(std::isnan(element(memory, ElementType::Float, i)));
  std::vector<std::byte> again(64 * 4), other(64 * 4);
  poison(again, ElementType::Float, 1);
  poison(other, ElementType::Float, 2);
  EXPECT_EQ(memory, again);
  EXPECT_NE(memory, other);
  EXPECT_NE(std::memcmp(memory.data(), memory.data() + 4, 4), 0);
}

}  // namespace
}  // namespace warpwise::lab
