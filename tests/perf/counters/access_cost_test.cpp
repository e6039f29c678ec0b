// The rules of counters.md and of access_cost.h, each from first principles.
#include "perf/counters/access_cost.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>
#include <set>

namespace warpwise::perf {
namespace {

struct Lanes {
  uint64_t addresses[kWarpLanes];
  LaneAccess access(unsigned bytes, uint32_t mask = ~0u) const { return {mask, addresses, bytes}; }
};

Lanes lanes(const std::function<uint64_t(unsigned)>& address) {
  Lanes result;
  for (unsigned l = 0; l < kWarpLanes; ++l) result.addresses[l] = address(l);
  return result;
}

unsigned sectors(const LaneAccess& access) {
  uint64_t out[kWarpLanes];
  return sectors_of(access, out);
}

// 32 lanes of w bytes side by side fill 32 w bytes: w sectors of 32 bytes.
TEST(Sectors, side_by_side) {
  for (unsigned w : {1u, 2u, 4u, 8u, 16u, 32u})
    EXPECT_EQ(sectors(lanes([&](unsigned l) { return 4096 + l * w; }).access(w)), w);
}

// Floats s words apart span 4 s (32 - 1) + 4 bytes; up to s = 8 every sector of the span is touched (4 s of them),
// beyond each lane has its own.
TEST(Sectors, strides) {
  for (unsigned s : {1u, 2u, 4u, 8u, 16u, 33u})
    EXPECT_EQ(sectors(lanes([&](unsigned l) { return 4096 + 4 * l * s; }).access(4)), std::min(32u, 4 * s));
}

// A row that begins 4 bytes behind a boundary of sectors reaches 4 bytes into a fifth one; at 32 bytes it fills four
// again.
TEST(Sectors, offsets) {
  for (unsigned offset : {0u, 4u, 28u, 32u, 60u})
    EXPECT_EQ(sectors(lanes([&](unsigned l) { return 4096 + offset + 4 * l; }).access(4)), offset % 32 == 0 ? 4u : 5u);
}

// Near and far, in order and not, of some lanes, of half a warp and of all, and as blocks of 16 by 16 threads have
// them, in rows of which both may be the same: each sector once, the smallest first.
TEST(Sectors, are_the_different_ones_of_any_lanes) {
  std::mt19937_64 random(28);
  for (unsigned round = 0; round < 2000; ++round) {
    const uint64_t span = uint64_t{32} << random() % 12, base = random() >> 16 << 5;
    Lanes some = lanes([&](unsigned) { return base + random() % span / 4 * 4; });
    uint64_t *const row = some.addresses, *const next = row + kWarpLanes / 2;
    if (round & 1) std::sort(row, next), std::sort(next, row + kWarpLanes);
    if (round & 2) std::copy(row, next, next);
    const uint32_t masks[] = {~0u, 0xffff, 0xffff'0000, uint32_t(random())};
    const uint32_t mask = masks[round / 4 % 4];
    std::set<uint64_t> expected, words;
    for (unsigned l = 0; l < kWarpLanes; ++l)
      if (mask >> l & 1) expected.insert(some.addresses[l] / 32), words.insert(some.addresses[l] / 4);
    uint64_t out[kWarpLanes];
    const unsigned count = sectors_of(some.access(4, mask), out);
    EXPECT_TRUE(std::equal(out, out + count, expected.begin(), expected.end())) << "span " << span;
    EXPECT_EQ(different_bytes(some.access(4, mask)), 4 * words.size()) << "span " << span;
    uint64_t both[kWarpLanes];
    const GlobalCost cost = global_cost(some.access(4, mask), both);
    EXPECT_TRUE(std::equal(both, both + cost.sectors, expected.begin(), expected.end())) << "span " << span;
    EXPECT_EQ(cost.bytes, 4 * words.size()) << "span " << span;
  }
}

// Lanes side by side, and of one address, are not looked at one by one.
TEST(Sectors, cost_of_plain_patterns) {
  uint64_t out[kWarpLanes];
  for (unsigned w : {1u, 2u, 4u, 8u, 12u, 16u}) {
    const Lanes beside = lanes([&](unsigned l) { return 4096 + l * w; }), one = lanes([](unsigned) { return 4096; });
    EXPECT_EQ(global_cost(beside.access(w), out).sectors, w);
    EXPECT_EQ(global_cost(beside.access(w), out).bytes, 32 * w);
    EXPECT_EQ(global_cost(one.access(w), out).sectors, 1u);
    EXPECT_EQ(global_cost(one.access(w), out).bytes, w);
    EXPECT_EQ(global_cost(beside.access(w, 0), out).sectors, 0u);
  }
}

TEST(Sectors, one_for_all_lanes_of_one_address) {
  const Lanes same = lanes([](unsigned) { return 4096; });
  EXPECT_EQ(sectors(same.access(4)), 1u);
  EXPECT_EQ(ideal_sectors(different_bytes(same.access(4))), 1u);  // 4 bytes are wanted
}

// Order makes no difference: lanes reversed, or two halves of a warp interleaved.
TEST(Sectors, any_order) {
  EXPECT_EQ(sectors(lanes([](unsigned l) { return 4096 + 4 * (31 - l); }).access(4)), 4u);
  EXPECT_EQ(sectors(lanes([](unsigned l) { return 4096 + 4 * (l % 2 * 16 + l / 2); }).access(4)), 4u);
}

// Eight lanes of 4 bytes: one sector. Lanes that are off count for nothing.
TEST(Sectors, only_of_active_lanes) {
  EXPECT_EQ(sectors(lanes([](unsigned l) { return 4096 + 4 * l; }).access(4, 0xff)), 1u);
  EXPECT_EQ(sectors(lanes([](unsigned l) { return 4096 + 128 * l; }).access(4, 0x10001)), 2u);
  EXPECT_EQ(sectors(lanes([](unsigned l) { return l; }).access(4, 0)), 0u);
}

// A column of a matrix of floats: each lane a sector of its own, though 32 floats would fit in 4.
TEST(Sectors, ideal_is_what_the_data_fills) {
  const Lanes column = lanes([](unsigned l) { return 4096 * (l + 1); });
  EXPECT_EQ(sectors(column.access(4)), 32u);
  EXPECT_EQ(ideal_sectors(different_bytes(column.access(4))), 4u);
}

// Words s apart: gcd(s, 32) lanes use the same bank, all of them different words.
TEST(Wavefronts, strides_of_words) {
  for (unsigned s = 1; s <= 33; ++s) {
    const SharedCost cost = shared_cost(lanes([&](unsigned l) { return 4 * l * s; }).access(4));
    EXPECT_EQ(cost.wavefronts, std::gcd(s, 32u)) << s;
    EXPECT_EQ(cost.ideal, 1u);
  }
}

// Bytes and halves: several lanes of one word are one word.
TEST(Wavefronts, parts_of_words) {
  EXPECT_EQ(shared_cost(lanes([](unsigned l) { return l; }).access(1)).wavefronts, 1u);
  EXPECT_EQ(shared_cost(lanes([](unsigned l) { return 2 * l; }).access(2)).wavefronts, 1u);
  // Halves 64 words apart: 32 different words in bank 0.
  EXPECT_EQ(shared_cost(lanes([](unsigned l) { return 256 * l; }).access(2)).wavefronts, 32u);
}

TEST(Wavefronts, broadcast_is_free) {
  EXPECT_EQ(shared_cost(lanes([](unsigned) { return 64; }).access(4)).wavefronts, 1u);
}

// Two words of bank 0, each wanted by half of the lanes: two passes.
TEST(Wavefronts, two_words_of_a_bank) {
  EXPECT_EQ(shared_cost(lanes([](unsigned l) { return l % 2 * 128; }).access(4)).wavefronts, 2u);
}

// The measured case of forum 359822: LDS.128 with 16 bytes between lanes: four quarters of a warp, each fills all banks
// once.
TEST(Wavefronts, quads_side_by_side) {
  const SharedCost cost = shared_cost(lanes([](unsigned l) { return 16 * l; }).access(16));
  EXPECT_EQ(cost.wavefronts, 4u);
  EXPECT_EQ(cost.ideal, 4u);
}

// ... and its bad layout: 8,844,480 loads took 283,023,360 wavefronts, 247,645,440 of them conflicts: 32 and 28 a load.
// Lanes whose quads lie 128 bytes apart all want the same four banks.
TEST(Wavefronts, quads_in_the_same_banks) {
  const SharedCost cost = shared_cost(lanes([](unsigned l) { return 128 * l; }).access(16));
  EXPECT_EQ(cost.wavefronts, 32u);
  EXPECT_EQ(cost.wavefronts - cost.ideal, 28u);
  EXPECT_EQ(8'844'480ull * cost.wavefronts, 283'023'360ull);
  EXPECT_EQ(8'844'480ull * (cost.wavefronts - cost.ideal), 247'645'440ull);
}

// Eight bytes a lane: halves of a warp. Doubles s apart: s odd is free of conflicts, s = 2 meets in pairs, s = 16 all
// 16 lanes of a half.
TEST(Wavefronts, doubles) {
  for (auto [s, passes] : {std::pair{1u, 2u}, {2u, 4u}, {3u, 2u}, {4u, 8u}, {16u, 32u}})
    EXPECT_EQ(shared_cost(lanes([&](unsigned l) { return 8 * l * s; }).access(8)).wavefronts, passes) << s;
}

// Forum 77228: where neighbours agree, LDS.128 takes two passes and LDS.64 one.
TEST(Wavefronts, pairs_that_agree_share_a_pass) {
  EXPECT_EQ(shared_cost(lanes([](unsigned) { return 0; }).access(16)).wavefronts, 2u);
  EXPECT_EQ(shared_cost(lanes([](unsigned) { return 0; }).access(8)).wavefronts, 1u);
  EXPECT_EQ(shared_cost(lanes([](unsigned l) { return 16 * (l / 2); }).access(16)).wavefronts, 2u);  // T and T ^ 1
  EXPECT_EQ(shared_cost(lanes([](unsigned l) { return 16 * (l / 4 * 2 + l % 2); }).access(16)).wavefronts,
            2u);  // T and T ^ 2
  EXPECT_EQ(shared_cost(lanes([](unsigned l) { return 8 * (l / 2); }).access(8)).wavefronts, 1u);
}

// Sixteen lanes: two quarters have no active lane.
TEST(Wavefronts, groups_without_lanes_cost_nothing) {
  EXPECT_EQ(shared_cost(lanes([](unsigned l) { return 16 * l; }).access(16, 0xffff)).wavefronts, 2u);
  EXPECT_EQ(shared_cost(lanes([](unsigned l) { return 16 * l; }).access(16, 0)).wavefronts, 0u);
}

// ldmatrix.x4 of rows of 128 bytes without padding: the eight rows of a matrix begin in the same bank; padded by 16
// bytes they do not.
TEST(Wavefronts, matrices) {
  EXPECT_EQ(matrix_cost(lanes([](unsigned l) { return 128 * l; }).access(16), 32).wavefronts, 32u);
  EXPECT_EQ(matrix_cost(lanes([](unsigned l) { return 144 * l; }).access(16), 32).wavefronts, 4u);
  EXPECT_EQ(matrix_cost(lanes([](unsigned l) { return 144 * l; }).access(16), 8).wavefronts, 1u);
}

// All lanes add to one word: 32 turns. To 32 neighbours: one.
TEST(Wavefronts, atomics_take_turns) {
  EXPECT_EQ(shared_atomic_cost(lanes([](unsigned) { return 0; }).access(4), SharedAtomic::Lanes).wavefronts, 32u);
  EXPECT_EQ(shared_atomic_cost(lanes([](unsigned l) { return 4 * l; }).access(4), SharedAtomic::Lanes).wavefronts, 1u);
}

// Clocks of an atomic of a warp on an H200, in blocks of 32 warps: all lanes at one word; each at its own; each at its
// own, all in one bank; at two words of two banks, of one bank.
TEST(Wavefronts, atomics_as_measured) {
  struct Row {
    SharedAtomic how;
    unsigned bytes;
    double one, own, one_bank, two, two_of_a_bank;
    double instructions = 0;  // of `one`, by ncu, beyond the first
  };
  for (const Row& row : {Row{SharedAtomic::Lanes, 4, 32.2, 1.02, 32.1, 16.1, 32.2},
                         Row{SharedAtomic::Words, 4, 1.02, 1.02, 32.1, 1.02, 2.04},
                         Row{SharedAtomic::Swaps, 4, 64.5, 2.01, 64.3, 32.1, 65.2},
                         Row{SharedAtomic::Spins, 4, 1394, 43, 656, 693, 1012, 2283},
                         Row{SharedAtomic::Spins64, 8, 2032, 68.3, 634, 1017, 1304, 2718}}) {
    auto near = [&](double measured, unsigned turns) {
      EXPECT_NEAR(double(turns) / measured, 1, 0.21) << int(row.how) << ": " << measured;
    };
    const unsigned b = row.bytes;
    auto turns = [&](auto address) { return shared_atomic_cost(lanes(address).access(b), row.how).wavefronts; };
    near(row.one, turns([](unsigned) { return 0; }));
    near(row.own, turns([=](unsigned l) { return b * l; }));
    near(row.one_bank, turns([=](unsigned l) { return 32 * b * l; }));
    near(row.two, turns([=](unsigned l) { return b * (l % 2); }));
    near(row.two_of_a_bank, turns([=](unsigned l) { return 32 * b * (l % 2); }));
    const unsigned more = shared_atomic_cost(lanes([](unsigned) { return 0; }).access(b), row.how).more;
    EXPECT_NEAR(more, row.instructions, row.instructions / 20);
  }
}

TEST(Collisions, lanes_that_meet) {
  EXPECT_EQ(collisions(lanes([](unsigned) { return 64; }).access(4)), 31u);
  EXPECT_EQ(collisions(lanes([](unsigned l) { return 4 * (l / 2); }).access(4)), 16u);
  EXPECT_EQ(collisions(lanes([](unsigned l) { return 4 * l; }).access(4)), 0u);
}

// Words of all threads lie side by side: one variable of 4 bytes fills 128 bytes, a quad of a thread four times that. A
// different element in each thread: 32 rows of 128 bytes, one word of each.
TEST(Local, threads_lie_interleaved) {
  uint64_t out[kMostLocalSectors];
  EXPECT_EQ(local_sectors(lanes([](unsigned) { return 16; }).access(4), out), 4u);
  EXPECT_EQ(local_sectors(lanes([](unsigned) { return 16; }).access(16), out), 16u);
  EXPECT_EQ(local_sectors(lanes([](unsigned l) { return 4 * l; }).access(4), out), 32u);
}

}  // namespace
}  // namespace warpwise::perf
