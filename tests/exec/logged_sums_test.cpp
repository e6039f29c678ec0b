// The order in which logs of sums reach memory (exec/launch/logged_sums.h).
#include "exec/launch/logged_sums.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <thread>

namespace warpwise::exec {
namespace {

using simt::LoggedSums;

class Order : public ::testing::Test {
 protected:
  // A piece that adds each of `values` to `place`.
  template <class T>
  LogPieces log(T& place, const std::vector<T>& values) {
    LogPieces pieces;
    pieces.push_back(pool_.take());
    LogPiece& piece = *pieces.back();
    for (T value : values) {
      piece.addresses[piece.size] = reinterpret_cast<uint64_t>(&place);
      uint64_t bits = 0;
      memcpy(&bits, &value, sizeof value);
      piece.operands[piece.size++] = bits;
    }
    return pieces;
  }

  LogPool pool_;
};

TEST_F(Order, adds_what_waits_when_its_turn_comes) {
  SumOrder order(LoggedSums::F32, 10);
  order.begin(pool_, 2);
  float sum = 0;
  LogPieces third = log<float>(sum, {1}), second = log<float>(sum, {-1e8f}), first = log<float>(sum, {1e8f});
  order.end(12, 13, third);
  EXPECT_TRUE(third.empty());
  order.end(11, 12, second);
  EXPECT_EQ(sum, 0);
  EXPECT_TRUE(order.is_turn_of(10));
  order.end(10, 11, first);
  EXPECT_TRUE(order.is_turn_of(13));
  EXPECT_EQ(sum, 1);  // (1e8 - 1e8) + 1; in another order the 1 is lost
  ASSERT_EQ(first.size(), 1u);
  EXPECT_EQ(first[0]->size, 0u);
}

TEST_F(Order, goes_on_behind_blocks_that_add_nothing) {
  SumOrder order(LoggedSums::F64, 0);
  order.begin(pool_, 2);
  double sum = 0;
  LogPieces none, last = log<double>(sum, {0.25, 0.5});
  order.end(4, 8, last);
  order.end(0, 4, none);
  EXPECT_EQ(sum, 0.75);
  EXPECT_TRUE(order.is_turn_of(8));
}

// PTX ISA 9.7.13 (red): sums of f32 have one NaN; on global memory subnormals are zeros before and behind an addition.
TEST_F(Order, adds_as_compiled_code_does) {
  const float subnormal = 1e-39f;
  float kept = subnormal, flushed = -subnormal, tiny = 1.5e-38f, nan = 1;
  SumOrder plain(LoggedSums::F32, 0), flushes(LoggedSums::F32Flushed, 0);
  plain.begin(pool_, 1), flushes.begin(pool_, 1);
  LogPieces pieces = log<float>(kept, {subnormal});
  plain.add(*pieces[0]);
  EXPECT_EQ(kept, 2 * subnormal);
  pieces = log<float>(flushed, {-0.0f});
  flushes.add(*pieces[0]);
  EXPECT_EQ(std::bit_cast<uint32_t>(flushed), 0x80000000u);
  pieces = log<float>(tiny, {-1.4e-38f});
  flushes.add(*pieces[0]);
  EXPECT_EQ(tiny, 0);
  pieces = log<float>(nan, {std::bit_cast<float>(0xffc12345u)});
  plain.add(*pieces[0]);
  EXPECT_EQ(std::bit_cast<uint32_t>(nan), 0x7fffffffu);
}

TEST_F(Order, tells_threads_that_are_far_ahead) {
  SumOrder order(LoggedSums::F32, 0);
  order.begin(pool_, 1);
  float sum = 0;
  uint64_t place = 1;
  while (!order.is_far_ahead()) {
    ASSERT_LT(place, 100'000u);
    LogPieces pieces = log<float>(sum, std::vector<float>(simt::kLogEntries, 1.0f));
    order.end(place, place + 1, pieces);
    ++place;
  }
  EXPECT_GT(place, 2u);
  LogPieces none;
  order.end(0, 1, none);
  EXPECT_FALSE(order.is_far_ahead());
  EXPECT_EQ(sum, float(simt::kLogEntries * (place - 1)));
}

// Threads take chunks of blocks, and end them in any order.
TEST_F(Order, is_that_of_blocks_on_many_threads) {
  constexpr uint64_t kBlocks = 20'000;
  const auto value = [](uint64_t block) { return std::ldexp(1.0f + float(block % 97) / 128, int(block * 7 % 40)); };
  float want = 0;
  for (uint64_t block = 0; block < kBlocks; ++block) want += value(block);
  float sum = 0;
  SumOrder order(LoggedSums::F32, 0);
  order.begin(pool_, 4);
  std::atomic<uint64_t> next = 0;
  auto work = [&] {
    LogPieces pieces;
    for (;;) {
      const uint64_t first = next.fetch_add(3), last = std::min(first + 3, kBlocks);
      if (first >= kBlocks) return;
      if (pieces.empty()) pieces.push_back(pool_.take());
      LogPiece& piece = *pieces[0];
      for (uint64_t block = first; block < last; ++block) {
        piece.addresses[piece.size] = reinterpret_cast<uint64_t>(&sum);
        piece.operands[piece.size++] = std::bit_cast<uint32_t>(value(block));
      }
      order.end(first, last, pieces);
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(work);
  for (auto& thread : threads) thread.join();
  EXPECT_TRUE(order.is_turn_of(kBlocks));
  EXPECT_EQ(sum, want);
}

}  // namespace
}  // namespace warpwise::exec
