// Stores that other warps do not see yet: after each step memory is compared with a plain model, in which each warp has
// a map of the bytes that it has stored.
#include "exec/launch/deferred_stores.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <map>
#include <random>

#include "simt/lane_order.h"

namespace warpwise::exec {
namespace {

constexpr size_t kBytes = 4096;
constexpr uint32_t kWarps = 4;

class Model {
 public:
  void store(uint32_t warp, size_t at, std::byte value) { stored_[warp][at] = value; }
  void commit(uint32_t warp) {
    for (auto [at, value] : stored_[warp]) memory_[at] = value;
    stored_[warp].clear();
  }
  void publish() {
    for (uint32_t warp = 0; warp < kWarps; ++warp) commit(warp);
  }
  std::array<std::byte, kBytes> seen_by(uint32_t warp) const {
    auto seen = memory_;
    for (auto [at, value] : stored_[warp]) seen[at] = value;
    return seen;
  }

 private:
  std::array<std::byte, kBytes> memory_{};
  std::map<size_t, std::byte> stored_[kWarps];
};

// Real memory and the model, which do the same. One warp runs at a time.
class Block {
 public:
  // Lane l of `mask` stores `bytes` bytes at offset + l * stride; 16 bytes are two stores of 8.
  void store(uint32_t mask, size_t offset, size_t stride, uint32_t bytes) {
    const uint32_t piece = std::min(bytes, 8u);
    for (uint32_t at = 0; at < bytes; at += piece)
      store_words(mask, offset + at, stride, piece, simt::stored_at_once(bytes));
  }
  // Stores that were not entered anew.
  int again() const { return again_; }
  void run(uint32_t warp) {
    deferred_.hide(running_);
    deferred_.show(running_ = warp);
  }
  void commit() { deferred_.commit(running_), model_.commit(running_); }
  void publish() { deferred_.publish(), model_.publish(); }
  bool agrees() const { return memory_ == model_.seen_by(running_); }
  bool is_settled() const { return deferred_.empty(); }
  // What a warp that does not run has stored.
  template <class Word>
  Word hidden(uint32_t warp, size_t at) {
    Word word{};
    EXPECT_TRUE(deferred_.read_hidden(warp, memory_.data() + at, sizeof word, &word));
    return word;
  }
  template <class Word>
  Word in_model(uint32_t warp, size_t at) const {
    Word word;
    std::memcpy(&word, model_.seen_by(warp).data() + at, sizeof word);
    return word;
  }

 private:
  void store_words(uint32_t mask, size_t offset, size_t stride, uint32_t bytes, uint32_t at_once) {
    std::array<uint64_t, 32> addresses{}, values{};
    for (uint32_t lane = 0; lane < 32; ++lane) {
      addresses[lane] = reinterpret_cast<uint64_t>(memory_.data()) + offset + lane * stride;
      values[lane] = uint64_t{random_()} << 32 | random_();
    }
    const LanesStore store{mask, addresses.data(), 0, bytes, at_once};
    if (deferred_.note_again(running_, store, values.data()))
      ++again_;
    else if (const Neighbours all = neighbours(mask, addresses.data(), bytes); all.lanes != 0)
      deferred_.note_neighbours(running_, store, values.data());
    else
      deferred_.note_lanes(running_, store, values.data());
    simt::each_storing_lane(mask, at_once, [&](unsigned lane) {
      for (uint32_t byte = 0; byte < bytes; ++byte) {
        const auto value = std::byte(values[lane] >> 8 * byte);
        memory_[offset + lane * stride + byte] = value;
        model_.store(running_, offset + lane * stride + byte, value);
      }
    });
  }

  std::mt19937 random_{7};
  std::array<std::byte, kBytes> memory_{};
  Model model_;
  DeferredStores deferred_;
  uint32_t running_ = 0;
  int again_ = 0;
};

TEST(DeferredStores, neighbours) {
  uint64_t addresses[32];
  for (uint32_t lane = 0; lane < 32; ++lane) addresses[lane] = 4096 + 8 * lane;
  EXPECT_EQ(neighbours(~0u, addresses, 8).lanes, 32u);
  EXPECT_EQ(neighbours(0x00ffff00, addresses, 8).lanes, 16u);
  EXPECT_EQ(neighbours(0x00ffff00, addresses, 8).address, 4096 + 8u * 8);
  EXPECT_EQ(neighbours(3u << 30, addresses, 8).lanes, 2u);
  EXPECT_EQ(neighbours(1u << 31, addresses, 8).lanes, 0u);
  EXPECT_EQ(neighbours(~0u, addresses, 4).lanes, 0u);
  EXPECT_EQ(neighbours(0x5, addresses, 8).lanes, 0u);
  addresses[17] += 8;
  EXPECT_EQ(neighbours(~0u, addresses, 8).lanes, 0u);
  EXPECT_EQ(neighbours(0xffff, addresses, 8).lanes, 16u);
}

TEST(DeferredStores, of_two_warps_the_higher_one_remains) {
  Block block;
  block.store(~0u, 0, 4, 4);
  block.run(1);
  ASSERT_TRUE(block.agrees());
  block.store(0x0ff0, 16, 8, 8);  // over the others' words, and over words of its own
  block.store(~0u, 2, 1, 1);
  block.run(0);
  ASSERT_TRUE(block.agrees());
  EXPECT_EQ(block.hidden<uint8_t>(1, 9), block.in_model<uint8_t>(1, 9));
  block.publish();
  EXPECT_TRUE(block.agrees());
  EXPECT_TRUE(block.is_settled());
}

TEST(DeferredStores, a_hidden_word_of_neighbours_is_found) {
  Block block;
  block.store(~0u, 64, 16, 16);
  block.store(~0u, 1024, 4, 4);
  block.run(1);
  EXPECT_EQ(block.hidden<uint32_t>(0, 1024 + 4 * 31), block.in_model<uint32_t>(0, 1024 + 4 * 31));
  EXPECT_EQ(block.hidden<uint64_t>(0, 64 + 16 * 5 + 8), block.in_model<uint64_t>(0, 64 + 16 * 5 + 8));
}

// What is entered once has what the warp stored there last, whatever lies over it.
TEST(DeferredStores, a_place_that_is_stored_to_again) {
  Block block;
  for (int turn = 0; turn < 2; ++turn) {
    block.store(~0u, 0, 4, 4);
    block.store(1, 2, 4, 4);
  }
  block.store(~0u, 0, 4, 4);
  block.run(1);
  ASSERT_TRUE(block.agrees());
  EXPECT_EQ(block.hidden<uint32_t>(0, 0), block.in_model<uint32_t>(0, 0));
  EXPECT_EQ(block.hidden<uint64_t>(0, 8), block.in_model<uint64_t>(0, 8));
  block.run(0);
  ASSERT_TRUE(block.agrees());
  block.commit();
  block.store(~0u, 0, 4, 4);  // visible before, not now
  block.run(2);
  ASSERT_TRUE(block.agrees());
  EXPECT_EQ(block.hidden<uint32_t>(0, 4), block.in_model<uint32_t>(0, 4));
  block.publish();
  EXPECT_TRUE(block.agrees());
  EXPECT_TRUE(block.is_settled());
}

// `rarely`: of so many commits and publications one takes place.
void any_order_of_any_stores(int steps, uint32_t rarely) {
  Block block;
  std::mt19937 random(3);
  for (int step = 0; step < steps; ++step) {
    switch (random() % 12) {
      case 0:
        block.run(random() % kWarps);
        break;
      case 1:
        if (random() % rarely == 0) block.commit();
        break;
      case 2:
        if (random() % rarely == 0) block.publish();
        break;
      default: {
        const uint32_t bytes = 1u << random() % 5;
        const uint32_t mask = random() % 2 ? ~0u : random() | 1;
        block.store(mask, random() % 16 * bytes, random() % 3 ? bytes : 2 * bytes, bytes);
      }
    }
    ASSERT_TRUE(block.agrees()) << "step " << step;
  }
  block.publish();
  EXPECT_TRUE(block.agrees());
  EXPECT_TRUE(block.is_settled());
}

TEST(DeferredStores, any_order_of_any_stores) { any_order_of_any_stores(3000, 8); }
TEST(DeferredStores, any_order_in_long_logs) { any_order_of_any_stores(8000, 600); }

// Stores of one size alone may take each other's place in the log.
TEST(DeferredStores, any_order_of_stores_of_one_size) {
  Block block;
  std::mt19937 random(5);
  for (int step = 0; step < 4000; ++step) {
    if (random() % 16 == 0) block.run(random() % kWarps);
    if (random() % 256 == 0) block.publish();
    block.store(random() | 1, random() % 32 * 4, 8, 4);
    ASSERT_TRUE(block.agrees()) << "step " << step;
  }
  block.publish();
  EXPECT_TRUE(block.agrees());
}

// A log that was made shorter than where questions to it begin: what it is told then comes behind what it had before.
TEST(DeferredStores, any_order_of_stores_to_few_words_in_a_long_log) {
  Block block;
  std::mt19937 random(17);
  std::array<size_t, 200> words;
  for (size_t& word : words) word = random() % (kBytes / 4) * 4;
  for (int step = 0; step < 400000; ++step) {
    block.store(1, words[random() % words.size()], 0, 4);
    if (random() % 64 != 0) continue;
    block.run(1);
    block.run(0);
    ASSERT_TRUE(block.agrees()) << "step " << step;
  }
  block.publish();
  EXPECT_TRUE(block.agrees());
}

// Two blocks store the same value to the same words, each on a thread of its own: in whatever order their steps come,
// the value is there in the end, as in a breadth-first search.
TEST(DeferredStores, of_another_block_to_the_same_words) {
  constexpr uint32_t kWords = 3, kValue = 77;
  std::mt19937 random(11);
  for (int round = 0; round < 5000; ++round) {
    std::array<uint32_t, kWords> memory{};
    DeferredStores deferred[2];
    // Of each block: for each word a note and a store; then the warp stops, and then the block publishes.
    uint32_t next[2] = {0, 0};
    while (next[0] < 2 * kWords + 2 || next[1] < 2 * kWords + 2) {
      const uint32_t who = random() % 2, step = next[who];
      if (step == 2 * kWords + 2) continue;
      ++next[who];
      uint32_t& word = memory[step / 2 % kWords];
      if (step == 2 * kWords)
        deferred[who].hide(0);
      else if (step == 2 * kWords + 1)
        deferred[who].publish();
      else if (step % 2 == 0)
        deferred[who].note(0, reinterpret_cast<std::byte*>(&word), sizeof word, kValue);
      else
        word = kValue;
    }
    for (uint32_t word : memory) ASSERT_EQ(word, kValue) << "round " << round;
  }
}

// A loop whose stores are the same in each turn: they are known as a whole from the second turn on that is asked.
TEST(DeferredStores, a_store_that_is_made_again) {
  Block block;
  auto turns = [&](int count) {
    for (int turn = 0; turn < count; ++turn)
      for (uint32_t k = 0; k < 3; ++k) {
        block.store(~0u, 512 * k, 8, 4);
        block.store(0x0f0f0f0f, 512 * k + 256, 8, 8);
        block.store(0x80000001, 2048 + 512 * k, 8, 2);
        block.store(k == 0 ? ~0u : 0x00ffff00, 2304 + 512 * k, 4, 4);  // neighbours
      }
  };
  turns(100);
  EXPECT_GT(block.again(), 900);
  block.run(1);
  ASSERT_TRUE(block.agrees());
  turns(100);
  block.run(0);
  ASSERT_TRUE(block.agrees());
  const int before = block.again();
  turns(2);
  EXPECT_EQ(block.again(), before + 24);
  EXPECT_EQ(block.hidden<uint32_t>(1, 512 + 8 * 5), block.in_model<uint32_t>(1, 512 + 8 * 5));
  // Over words of others: those are not known any more.
  block.store(0x5, 8, 8, 8);
  turns(1);
  block.run(1);
  block.run(0);
  ASSERT_TRUE(block.agrees());
  block.publish();
  EXPECT_TRUE(block.agrees());
  const int published = block.again();
  turns(1);
  EXPECT_EQ(block.again(), published);
  block.publish();
  EXPECT_TRUE(block.agrees());
}

// Stores out of a few, which are made again and overlap each other in all ways: other sizes, other lanes, neighbours.
TEST(DeferredStores, any_order_of_a_few_stores) {
  struct Store {
    uint32_t mask;
    size_t offset, stride;
    uint32_t bytes;
  };
  std::mt19937 random(13);
  for (int round = 0; round < 40; ++round) {
    Block block;
    std::array<Store, 12> stores;
    const bool one_size = random() % 2;
    for (Store& store : stores) {
      const uint32_t bytes = one_size ? 4 : 1u << random() % 5;
      const uint32_t mask = random() % 3 == 0 ? uint32_t(random()) | 1 : ~0u;
      store = {mask, random() % (round % 4 == 0 ? 32 : 128) * bytes, (random() % 4) * bytes, bytes};
    }
    const uint32_t rarely = 1u << (4 + random() % 8);
    // Mostly a loop over a few of them, now and then another one.
    for (int step = 0; step < 1500; ++step) {
      const Store& store = stores[random() % 8 == 0 ? random() % stores.size() : step % 3];
      if (random() % 32 == 0) block.run(random() % kWarps);
      if (random() % rarely == 0) block.commit();
      if (random() % rarely == 0) block.publish();
      block.store(store.mask, store.offset, store.stride, store.bytes);
      ASSERT_TRUE(block.agrees()) << "round " << round << ", step " << step;
    }
    block.publish();
    ASSERT_TRUE(block.agrees()) << "round " << round;
  }
}

// A long log keeps the first entry of each word alone.
TEST(DeferredStores, a_loop_of_stores) {
  Block block;
  for (int step = 0; step < 6000; ++step) {
    block.store(~0u, 0, 4, 4);
    block.store(0x33333333, 512, 8, 8);
  }
  block.run(2);
  ASSERT_TRUE(block.agrees());
  block.store(~0u, 256, 16, 16);
  block.run(0);
  ASSERT_TRUE(block.agrees());
  block.publish();
  EXPECT_TRUE(block.agrees());
}

}  // namespace
}  // namespace warpwise::exec
