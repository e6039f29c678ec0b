// A plain read that is taken by what its warp has found out (WordHistory::add_plain_read) leaves the cells, and finds
// the conflicts, that WordHistory::add would; and so do reads of one word by a whole warp, taken together
// (WordHistory::add_broadcast). Three runs of words get the same accesses, each in one of the three ways.
#include "check/race/word_history.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <set>
#include <vector>

#include "check/race/block_epochs.h"
#include "exec/memory/arena.h"

namespace warpwise::check {
namespace {

constexpr unsigned kThreads = 128, kWarps = kThreads / simt::kLanes, kWords = 40;
constexpr device::Address kTaken = exec::Arena::kFirst + 4096, kAdded = kTaken + 4096, kTogether = kAdded + 4096;

class WordHistoryTest : public testing::Test {
 protected:
  struct Conflicts {
    const WordHistoryTest& test;
    const RaceAccess& now;
    std::vector<uint32_t>& found;
    WordHistory::Found* of_warp = nullptr;  // of a plain read that may be taken by it

    void with(const RaceAccess& before) const {
      if (before.serial == now.serial && before.thread == now.thread) return;
      if (test.clocks.is_before(test.block, now.warp(), before.serial, before.warp(), before.clock)) return;
      found.push_back(before.number);
      if (of_warp) of_warp->races_with(before, 1);
    }
    void with_unnamed_reader(const RaceAccess& reader) const { found.push_back(reader.number | simt::kMarked); }
  };

  void begin_launch() {
    clocks.launch_begins();
    launch_blocks.begin_launch();
    numbers.begin_launch("k", kThreads);
    words.begin_launch(3);
  }
  void begin_block(uint64_t index) {
    block.begin(launch_blocks.begin_block(index), kThreads);
    epochs.begin(numbers, block.serial, /*code_compares=*/true, /*alone=*/true, {});
  }
  void barrier() {
    clocks.all_warps_arrived(block);
    epochs.all_warps_arrived(numbers, block);
  }
  // A warp orders something by itself; with a release, or an acquisition, at the block's flag.
  void order(unsigned warp, unsigned how) {
    constexpr device::Address kFlag = exec::Arena::kFirst;
    if (how == 0) clocks.warp_sync(block, warp);
    if (how == 1) clocks.fence(block, warp, false), clocks.release(block, warp, kFlag, false, false);
    if (how == 2) clocks.acquire(block, warp, kFlag, false, false), clocks.fence(block, warp, false);
    epochs.renumber(block);
  }

  // Lanes of a warp access words, all as one instruction.
  void access(MemorySpace space, unsigned warp, uint32_t mask, bool writes, const std::vector<unsigned>& word) {
    const bool alike = std::set<unsigned>(word.begin(), word.end()).size() == 1;
    if (!writes && alike && mask == ~0u) return read_together(space, warp, word[0]);
    access_each(space, warp, mask, writes, word, {kTaken, kTogether});
  }
  // A whole warp reads one word.
  void read_together(MemorySpace space, unsigned warp, unsigned word) {
    WordHistory::Found found;
    const uint32_t first = epochs.epoch_of(numbers, block, space, warp) + 2 * warp * simt::kLanes;
    const device::Address address = kTogether + space * 1024 + word * 4;
    const bool is_taken = words.add_broadcast(first, warp, space, block, address, 4, found);
    broadcasts += is_taken;
    access_each(space, warp, ~0u, false, std::vector(simt::kLanes, word),
                is_taken ? std::vector{kTaken} : std::vector{kTaken, kTogether});
  }
  void access_each(MemorySpace space, unsigned warp, uint32_t mask, bool writes, const std::vector<unsigned>& word,
                   const std::vector<device::Address>& takers) {
    const unsigned plain_before = plain;
    for (device::Address taker : takers) {
      plain = plain_before;
      access_in(taker, space, warp, mask, writes, word, /*adds=*/taker == kTaken);
    }
  }
  // Each lane's access in the run that begins at `taker` is taken by what its warp knows, if it can be. `adds`: and is
  // added in kAdded.
  void access_in(device::Address taker, MemorySpace space, unsigned warp, uint32_t mask, bool writes,
                 const std::vector<unsigned>& word, bool adds) {
    WordHistory::Found found;
    std::vector<uint32_t> taken, added;
    unsigned counted = 0;  // of those taken: conflicts that were only counted
    for (unsigned lane = 0; lane < simt::kLanes; ++lane) {
      if (!(mask >> lane & 1)) continue;
      const uint32_t thread = warp * simt::kLanes + lane,
                     number = epochs.epoch_of(numbers, block, space, warp) + 2 * thread;
      const RaceAccess now{
          .number = number, .serial = block.serial, .clock = block.now(warp), .thread = thread, .writes = writes};
      const device::Address offset = space * 1024 + word[lane] * 4;
      if (adds) words.add(now, !writes, space, block, kAdded + offset, 4, Conflicts{*this, now, added});
      const auto races =
          writes ? std::nullopt : words.add_plain_read(number, warp, space, block, taker + offset, 4, found);
      if (races) {
        ++plain;
        counted += *races;
        continue;
      }
      words.add(now, !writes, space, block, taker + offset, 4, Conflicts{*this, now, taken, writes ? nullptr : &found});
    }
    if (!adds) return;
    EXPECT_EQ(taken.size() + counted, added.size());
    EXPECT_EQ(warps_of(taken), warps_of(added));
    raced += counted;
  }
  static std::set<uint32_t> warps_of(const std::vector<uint32_t>& numbers) {
    std::set<uint32_t> warps;
    for (uint32_t number : numbers) warps.insert(number / simt::numbers_of_site(simt::kLanes));
    return warps;
  }
  void expect_same_cells() const {
    for (device::Address offset = 0; offset < 2048; offset += 4) {
      const CellMemory::Cell a = CellMemory::of_word(kTaken + offset), b = CellMemory::of_word(kAdded + offset);
      ASSERT_EQ(a.write, b.write) << offset;
      ASSERT_EQ(a.read, b.read) << offset;
      const CellMemory::Cell c = CellMemory::of_word(kTogether + offset);
      ASSERT_EQ(a.write, c.write) << offset;
      ASSERT_EQ(a.read, c.read) << offset;
    }
  }

  CollectingSink sink;
  AccessSites sites;
  LaunchSites launch_sites{sites};
  LaunchBlocks launch_blocks;
  CommandHistory history;
  RaceClocks clocks;
  RaceBlocks blocks;
  AccessNumbers numbers{sink, sites, launch_sites, launch_blocks, history};
  CellMemory cells;
  WordHistory words{cells, numbers, clocks, blocks, history};
  BlockClocks block;
  BlockEpochs epochs;
  unsigned plain = 0;       // reads that were taken by what the warp knew
  unsigned raced = 0;       // conflicts of these
  unsigned broadcasts = 0;  // warps that were taken together
};

TEST_F(WordHistoryTest, plain_reads_of_a_warp) {
  ASSERT_TRUE(cells.map().ok());
  std::mt19937 random(13);
  unsigned accesses = 0;
  for (unsigned launch = 0; launch < 40; ++launch) {
    begin_launch();
    for (uint64_t index = 0; index < 3; ++index) {
      begin_block(index);
      for (unsigned step = 0; step < 60; ++step) {
        const unsigned warp = random() % kWarps, what = random() % 12;
        if (what == 0) barrier();
        if (what == 1) order(warp, launch % 2 ? random() % 3 : 0);
        if (what < 2) continue;
        std::vector<unsigned> word(simt::kLanes);
        const unsigned pattern = random() % 4, first = random() % (kWords - simt::kLanes);
        for (unsigned lane = 0; lane < simt::kLanes; ++lane)
          word[lane] = pattern == 0   ? first
                       : pattern == 1 ? first + lane / 8
                       : pattern == 2 ? random() % kWords
                                      : first + lane;
        const uint32_t mask = random() % 3 ? ~0u : random() | 1;
        access(random() % 2 ? kShared : kGlobal, warp, mask, what == 2, word);
        accesses += unsigned(std::popcount(mask));
        expect_same_cells();
        if (HasFailure()) return;
      }
    }
  }
  EXPECT_GT(plain, accesses / 4);
  EXPECT_LT(plain, accesses);
  EXPECT_GT(raced, accesses / 100);
  EXPECT_GT(broadcasts, 100u);
}

}  // namespace
}  // namespace warpwise::check
