// Sampling, caches and records by themselves.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>
#include <set>

#include "perf/counters/contention.h"
#include "perf/counters/idle_blocks.h"
#include "perf/counters/records.h"
#include "perf/counters/reuse.h"
#include "perf/counters/sampling.h"
#include "perf/counters/traffic.h"

namespace warpwise::perf {
namespace {

// Every grid: weights add up to its blocks, the pilot is in the sample, and of every class some block is.
TEST(SamplePlan, stands_for_all_blocks) {
  for (device::Dim3 grid : {device::Dim3{5000, 1, 1}, {70, 60, 1}, {17, 13, 11}, {1, 3000, 1}, {2, 2, 900}})
    for (uint64_t pilot : {uint64_t{0}, grid.count() / 2, grid.count() - 1}) {
      SamplePlan plan(grid, pilot, 100);
      double weight = 0;
      uint64_t counted = 0;
      std::array<bool, SamplePlan::kClasses> seen{};
      for (uint64_t b = 0; b < grid.count(); ++b) {
        const double w = plan.weight(b);
        weight += w;
        counted += w != 0;
        if (w != 0) seen[plan.class_of(b)] = true;
      }
      EXPECT_NEAR(weight, double(grid.count()), 1e-6 * double(grid.count()));
      EXPECT_EQ(counted, plan.counted());
      EXPECT_NE(plan.weight(pilot), 0);
      for (unsigned cls = 0; cls < SamplePlan::kClasses; ++cls) EXPECT_EQ(seen[cls], plan.blocks(cls) != 0);
    }
}

// Two sampled blocks that stand for ten each meet at line 7, whichever host threads ran them; line 9 is one block's
// own.
TEST(HottestPiece, does_not_depend_on_who_ran_the_blocks) {
  const Contention first = {{7, {100, 1}}, {9, {1500, 1}}}, second = {{7, {120, 1}}};
  for (bool one_thread : {false, true}) {
    Contention stratum;
    if (one_thread) {
      stratum = {{7, {220, 2}}, {9, {1500, 1}}};
    } else {
      add(stratum, first);
      add(stratum, second);
    }
    HottestPiece hottest;
    hottest.add(stratum, 10);
    EXPECT_EQ(hottest.turns(), 2200);
    hottest.add({{9, {100, 3}}}, 8);  // of another stratum
    EXPECT_EQ(hottest.turns(), 2300);
  }
}

// Sixteen lines that fall where they may stay until the cache is full; the one used longest ago goes first.
TEST(SectorCache, keeps_what_was_used_last) {
  SectorCache cache(16 * 128);  // one set
  uint32_t turn = 0;
  for (uint64_t line = 0; line < 16; ++line) EXPECT_EQ(cache.access(line, 1, ++turn).there, 0u);
  EXPECT_EQ(cache.access(0, 1, ++turn).there, 1u);
  EXPECT_EQ(cache.access(99, 1, ++turn).there, 0u);  // in place of line 1
  EXPECT_EQ(cache.access(0, 1, ++turn).there, 1u);
  EXPECT_EQ(cache.access(1, 1, ++turn).there, 0u);
}

// A line is there, its other sectors are not.
TEST(SectorCache, has_sectors) {
  SectorCache cache(1 << 16);
  uint32_t turn = 0;
  EXPECT_EQ(cache.access(5, 0b0011, ++turn).there, 0u);
  EXPECT_EQ(cache.access(5, 0b0110, ++turn).there, 0b0010u);
  EXPECT_EQ(cache.access(5, 0b1111, ++turn).there, 0b0111u);
}

// One access behind the other in one line, and none behind a clear().
TEST(SectorCache, forgets_the_last_line) {
  SectorCache cache(1 << 16);
  cache.access(5, 0b0011, 1);
  EXPECT_EQ(cache.access(5, 0b0111, 2).there, 0b0011u);
  cache.clear();
  EXPECT_EQ(cache.access(5, 0b0111, 3).there, 0u);
  EXPECT_EQ(cache.access(6, 0b0111, 4).there, 0u);
  EXPECT_EQ(cache.access(5, 0b0111, 5).there, 0b0111u);
}

// What came in the same turn is still on its way: two sectors that the one access brought, of which the next one wants
// one.
TEST(SectorCache, knows_what_is_under_way) {
  SectorCache cache(1 << 16);
  cache.access(5, 0b0011, 1);
  EXPECT_EQ(cache.access(5, 0b0110, 1).late, 0b0010u);
  EXPECT_EQ(cache.access(5, 0b0110, 1).late, 0b0110u);
  EXPECT_EQ(cache.access(5, 0b0110, 2).late, 0u);
}

// A run of lines as long as the cache finds room, a column of a matrix, too; of a run that is a tenth longer nearly
// nothing is found.
TEST(SectorCache, holds_runs) {
  SectorCache cache(1 << 16);  // 512 lines
  uint32_t turn = 0;
  auto found = [&](uint64_t first, uint64_t lines) {
    unsigned there = 0;
    for (uint64_t line = first; line < first + lines; ++line) there += cache.access(line, 1, ++turn).there;
    return there;
  };
  found(12288, 512);
  EXPECT_EQ(found(12288, 512), 512u);
  cache.clear();
  found(999, 563);
  EXPECT_LT(found(999, 563), 56u);
  cache.clear();
  // A column of a matrix whose rows are 16 KiB apart: 256 lines.
  unsigned there = 0;
  for (int pass = 0; pass < 2; ++pass)
    for (uint64_t row = 0; row < 256; ++row) there += cache.access(row * 128, 1, ++turn).there;
  EXPECT_GT(there, 200u);
}

// 1000 blocks, 100 of them at the same time, ten to an SM; half of the 512 sectors (16 KiB) that each reads is a table
// that all read. An SM holds the table and ten halves, 88 KiB: the first hundred blocks find nine of ten parts of the
// table asked for by another one, those that follow find it there. Where L1 has 64 KiB, nothing stays, and nine of ten
// wait with another one.
TEST(Reuse, a_table_stays_in_l1) {
  const L1Sharing holds = l1_sharing(0.5, 512, 1000, 10, 100, 128 << 10);
  EXPECT_DOUBLE_EQ(holds.together, 0.9 * 0.1);
  EXPECT_DOUBLE_EQ(holds.later, 0.9);
  const L1Sharing small = l1_sharing(0.5, 512, 1000, 10, 100, 64 << 10);
  EXPECT_DOUBLE_EQ(small.together, 0.9);
  EXPECT_DOUBLE_EQ(small.later, 0);
  EXPECT_DOUBLE_EQ(common_part({1, 2, 3, 4}, {2, 4, 5}), 0.5);
}

// Two warps that go through the same data side by side share it in a cache that could not hold it.
TEST(BlockTrace, warps_run_side_by_side) {
  BlockTrace trace;
  constexpr uint64_t kSectors = 4096;  // 128 KiB
  for (uint32_t warp : {0u, 1u})
    for (uint64_t s = 0; s < kSectors; ++s) trace.add(warp, Traffic::Load, &s, 1);
  const BlockTraffic traffic = trace.finish(8 << 10);
  EXPECT_EQ(traffic.l1_late, kSectors);  // the second warp waits with the first
  EXPECT_EQ(traffic.l1_reads, 2 * kSectors);
  EXPECT_EQ(traffic.l1_hits, kSectors);
  EXPECT_EQ(traffic.read.size(), kSectors);
}

// The eight words of a sector, written one by one, reach L2 once; where a load stands between two of them, each does.
TEST(BlockTrace, stores_meet_unless_a_load_is_between) {
  auto writes = [](bool loads) {
    BlockTrace trace;
    for (unsigned word = 0; word < 8; ++word) {
      const uint64_t out = 5, in = 100 + word;
      if (loads) trace.add(0, Traffic::Load, &in, 1);
      trace.add(0, Traffic::Store, &out, 1);
    }
    return trace.finish(4096).l2_writes;
  };
  EXPECT_EQ(writes(false), 1u);
  EXPECT_EQ(writes(true), 8u);
}

// The lanes of a warp fill a sector each, in eight lines or in nine.
TEST(BlockTrace, stores_meet_in_few_lines) {
  auto writes = [](unsigned lines) {
    BlockTrace trace;
    std::vector<uint64_t> out;
    for (uint64_t n = 0; n < lines; ++n) out.push_back(4 * n);
    for (unsigned word = 0; word < 8; ++word) trace.add(0, Traffic::Store, out.data(), lines);
    return trace.finish(4096).l2_writes;
  };
  EXPECT_EQ(writes(8), 8u);
  EXPECT_EQ(writes(9), 8u * 9);
}

// Few sectors are sorted in another way than many, and those far apart in more steps.
TEST(BlockTrace, keeps_different_sectors) {
  std::mt19937_64 random(5);
  for (const size_t count : {0u, 1u, 100u, 5000u})
    for (const unsigned bits : {0u, 10u, 23u, 60u}) {
      std::vector<uint64_t> sectors;
      for (size_t n = 0; n < count; ++n) sectors.push_back((uint64_t{7} << 60) + (random() >> (63 - bits) >> 1));
      const std::set<uint64_t> different(sectors.begin(), sectors.end());
      keep_different(sectors);
      EXPECT_EQ(sectors, std::vector(different.begin(), different.end())) << count << " of " << bits << " bits";
    }
}

// What is stored to local memory twice goes to L2 twice, and is read from L1.
TEST(BlockTrace, local_stores_reach_l2) {
  BlockTrace trace;
  for (const Traffic kind : {Traffic::LocalStore, Traffic::LocalLoad, Traffic::LocalStore})
    for (uint64_t s = 0; s < 8; ++s) trace.add(0, kind, &s, 1);
  const BlockTraffic traffic = trace.finish(4096);
  EXPECT_EQ(traffic.l2_writes, 16u);
  EXPECT_EQ(traffic.l2_reads, 0u);
  EXPECT_EQ(traffic.local.size(), 8u);
}

// 1000 blocks that store 1000 sectors each, 100 of them at the same time: 3.2 MB. A quarter of that stays in an L2 of
// 800 KB, and all stays in one of 4 MB.
TEST(LocalTraffic, leaves_l2_where_it_has_no_room) {
  const device::Dim3 grid{1000, 1, 1};
  const MemoryTraffic small = local_traffic(1e6, 1000, grid, 100, 800'000),
                      large = local_traffic(1e6, 1000, grid, 100, 4'000'000);
  EXPECT_DOUBLE_EQ(small.written_sectors, 1e6);
  EXPECT_DOUBLE_EQ(small.read_sectors, 750);
  EXPECT_DOUBLE_EQ(large.written_sectors, 0);
  EXPECT_DOUBLE_EQ(large.read_sectors, 0);
}

// A product of matrices, n by n, in tiles of t by t: a block reads t rows of A, shared along x, and t columns of B,
// shared along y. A block that goes three times through 1000 sectors, and one that reads each twice in a row.
TEST(BlockTrace, knows_the_distance_of_rereads) {
  auto distances = [](unsigned passes, unsigned sectors, unsigned times) {
    BlockTrace trace;
    for (unsigned pass = 0; pass < passes; ++pass)
      for (uint64_t s = 0; s < sectors; ++s)
        for (unsigned n = 0; n < times; ++n) trace.add(0, Traffic::LoadPastL1, &s, 1);
    return trace.finish(4096).rereads;
  };
  const RereadDistances far = distances(3, 1000, 1), near = distances(1, 1000, 2);
  EXPECT_EQ(far[class_of_distance(1000)], 2000u);
  EXPECT_EQ(near[0], 1000u);
  EXPECT_EQ(std::accumulate(far.begin(), far.end(), uint64_t{0}), 2000u);
}

// 48 blocks at once, each with a row of 1024 sectors that it reads three times: 1.5 MB. An L2 of 1 MB has lost the row
// each time, one of 2 MB has it. Rows that all blocks read stay.
TEST(Reuse, l2_loses_what_does_not_fit_beside_the_others) {
  const device::Dim3 grid{1024, 1, 1};
  std::array<double, kDistanceClasses> rereads{};
  double& row = rereads[class_of_distance(1024)];
  row = 2 * 1024 * 1024.0;
  const Footprint own{{}, 1024, {}}, shared{{0, 0, 1}, 1024, {}}, none{};
  EXPECT_DOUBLE_EQ(lost_rereads(rereads, own, none, grid, 48, 1 << 20), row);
  EXPECT_DOUBLE_EQ(lost_rereads(rereads, own, none, grid, 48, 2 << 20), 0);
  EXPECT_DOUBLE_EQ(lost_rereads(rereads, shared, none, grid, 48, 1 << 20), 0);
  std::array<double, kDistanceClasses> near{};
  near[class_of_distance(8)] = 5000;
  EXPECT_DOUBLE_EQ(lost_rereads(near, own, none, grid, 48, 1 << 20), 0);
  // A row that is written in the end: L2 of 2 MB holds 1365 of the 2048 sectors that a block reads and writes, and so
  // the row until then.
  EXPECT_DOUBLE_EQ(lost_rereads(rereads, own, own, grid, 48, 2 << 20), 0);
  EXPECT_DOUBLE_EQ(lost_rereads(rereads, own, own, grid, 48, 1 << 20), row);
}

TEST(BlockTrace, what_a_block_writes_lies_between_its_reads) {
  BlockTrace trace;
  const uint64_t row = 0, other = 100;
  trace.add(0, Traffic::LoadPastL1, &row, 1);
  for (uint64_t s = 0; s < 6; ++s) trace.add(0, Traffic::Store, std::array{other + s}.data(), 1);
  trace.add(0, Traffic::LoadPastL1, &row, 1);
  const RereadDistances found = trace.finish(4096).rereads;
  EXPECT_EQ(found[class_of_distance(7)], 1u) << "the read itself and six stores";
}

TEST(BlockTrace, classes_of_distances_are_quarters_of_octaves) {
  for (size_t distance = 1; distance < 5000; ++distance) {
    const size_t c = class_of_distance(distance);
    ASSERT_LE(least_distance(c), double(distance));
    ASSERT_GT(least_distance(c + 1), double(distance));
  }
}

TEST(Reuse, of_a_matrix_product) {
  Reuse reuse;
  std::vector<uint64_t> here, right, below;
  for (uint64_t s = 0; s < 1000; ++s) {
    here.push_back(s), right.push_back(s);  // A's rows
    below.push_back(10'000 + s);            // other rows of A
  }
  for (uint64_t s = 0; s < 1000; ++s)
    here.push_back(50'000 + s), below.push_back(50'000 + s), right.push_back(60'000 + s);
  for (auto* v : {&here, &right, &below}) keep_different(*v);
  reuse.add(here, &right, &below);
  const Sharing s = reuse.sharing();
  EXPECT_DOUBLE_EQ(s.along_x, 0.5);
  EXPECT_DOUBLE_EQ(s.along_y, 0.5);
  EXPECT_DOUBLE_EQ(s.by_all, 0);
  // 64 by 64 blocks: 64 bands of A and 64 of B, 1000 sectors each.
  EXPECT_DOUBLE_EQ(different_sectors(s, 2000, {64, 64, 1}, 64 * 64), 128'000);
  // L2 that holds it all: each sector once. One that holds 40,000 sectors: windows of 39 blocks in a row do, 1 + 39
  // bands each; but 128 blocks run together, two rows of blocks: 2 + 64 bands for each 128 of the 4096 blocks.
  const Footprint read{s, 2000, {}}, nothing{};
  EXPECT_DOUBLE_EQ(memory_traffic(read, nothing, {64, 64, 1}, 128, uint64_t{32} * 200'000).read_sectors, 128'000);
  EXPECT_DOUBLE_EQ(memory_traffic(read, nothing, {64, 64, 1}, 128, uint64_t{32} * 40'000).read_sectors, 32 * 66'000.0);
}

// An image of 2048 words a row and blocks of 256, each of which reads three rows: 32 sectors of each, and the first
// sector of the next block's columns. Those of the row below are read again 8 blocks later.
TEST(RowReuse, rows_come_back_after_so_many_blocks) {
  const auto rows_of = [](uint64_t block) {
    std::vector<uint64_t> sectors;
    for (uint64_t row = 0; row < 3; ++row)
      for (uint64_t s = 0; s < 33; ++s) sectors.push_back(1'000'000 + 32 * block + 256 * row + s);
    return sectors;
  };
  RowReuse reuse;
  reuse.add(rows_of(100), rows_of(101), rows_of(900), 800);
  Sharing sharing;
  sharing.returns = reuse.returns();
  ASSERT_EQ(sharing.returns.size(), 3u);
  EXPECT_EQ(sharing.returns[0].blocks, 1);
  EXPECT_DOUBLE_EQ(sharing.returns[0].share, 3.0 / 99);
  EXPECT_EQ(sharing.returns[1].blocks, 7) << "the one sector too many of the row above";
  EXPECT_EQ(sharing.returns[2].blocks, 8);
  for (uint64_t blocks : {1, 5, 8, 20, 300}) {
    std::vector<uint64_t> all;
    for (uint64_t block = 0; block < blocks; ++block)
      for (uint64_t sector : rows_of(block)) all.push_back(sector);
    keep_different(all);
    EXPECT_NEAR(different_sectors(sharing, 99, {4096, 1, 1}, double(blocks)), double(all.size()), 1e-6) << blocks;
  }
  // Beside them a table that all read, and an array of elements that are half as long.
  const auto more_of = [&](uint64_t block) {
    std::vector<uint64_t> sectors = rows_of(block);
    for (uint64_t s = 0; s < 50; ++s) sectors.push_back(9'000'000 + s);
    for (uint64_t s = 0; s < 16; ++s) sectors.push_back(10'000'000 + 16 * block + s);
    return sectors;
  };
  RowReuse more;
  more.add(more_of(100), more_of(101), more_of(900), 800);
  sharing.returns = more.returns();
  EXPECT_NEAR(different_sectors(sharing, 165, {4096, 1, 1}, 100), 32 * 99 + 2 * 256 + 33 + 50 + 1600, 1e-6);
}

// Blocks that read what they find in memory.
TEST(RowReuse, is_not_told_of_blocks_without_a_pattern) {
  const std::vector<uint64_t> here{10, 70, 500, 900, 2000, 2500, 2700, 3000, 3333, 4000},
      next{20, 30, 600, 700, 2200, 2501, 2800, 3100, 3334, 4500}, moved{11, 71, 501, 901, 2001, 2501, 2701, 3001, 3334};
  RowReuse reuse;
  reuse.add(here, next, next, 1);
  reuse.add(here, moved, here, 800);  // only side by side
  EXPECT_TRUE(reuse.returns().empty());
}

TEST(IdleBlocks, are_those_at_the_end_that_write_nothing_and_are_short) {
  BlockLog log;
  for (uint64_t block = 0; block < 10; ++block) log.add({block, 1000, {}, {}, 0}, true);
  log.add({10, 900, {}, {}, 0}, false);  // it works, but has nothing to write
  for (uint64_t block : {20, 60, 99}) log.add({block, 20, {}, {}, 0}, false);
  const BlockLog* const logs[] = {&log};
  const IdleBlocks idle = idle_blocks(logs, 100);
  EXPECT_EQ(idle.counted.size(), 3u);
  EXPECT_EQ(idle.blocks, 84u) << "80 from block 20 on, and half of those between it and block 10";
  log.add({99, 1000, {}, {}, 0}, true);
  EXPECT_EQ(idle_blocks(logs, 100).blocks, 0u);
  const BlockLog nothing;
  const BlockLog* const none[] = {&nothing};
  EXPECT_EQ(idle_blocks(none, 100).blocks, 0u);
}

TEST(Records, come_back_as_they_were) {
  LaunchCounts l;
  l.kernel = "f(int)", l.symbol = "_Z1fi", l.grid = {3, 2, 1}, l.block = {128, 1, 1}, l.cluster = {1, 1, 1};
  l.registers = 40, l.register_source = RegisterSource::Ptxas, l.blocks = 6, l.counted_blocks = 5;
  l.totals[Counter::Ffma] = uint64_t{1} << 60;
  l.error[size_t(Counter::Ffma)] = 0.5f;
  l.lines.push_back({{{"a.cu", 7, 2, "f(int)"}}, l.totals});
  l.phases = {l.totals, Counts{}};
  l.idle_blocks = 2, l.idle_instructions = 0.25;
  l.latency.chain.global = 12.5;
  l.notes = {"a note"};
  auto back = launch_from_json(launch_to_json(l));
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back->kernel, l.kernel);
  EXPECT_EQ(back->totals, l.totals);
  EXPECT_EQ(back->error, l.error);
  EXPECT_EQ(back->grid.y, 2u);
  EXPECT_EQ(back->register_source, RegisterSource::Ptxas);
  ASSERT_EQ(back->lines.size(), 1u);
  EXPECT_EQ(back->lines[0].frames, l.lines[0].frames);
  EXPECT_EQ(back->phases, l.phases);
  EXPECT_EQ(back->idle_blocks, 2u);
  EXPECT_EQ(back->idle_instructions, 0.25);
  EXPECT_EQ(back->latency.chain.global, 12.5);
  EXPECT_EQ(back->notes, l.notes);
}

// A program that was killed has no end, and what is no record is told.
TEST(Records, of_programs_that_crash) {
  LaunchCounts l;
  l.kernel = "k";
  const std::string start = R"({"v":1,"type":"start","pid":7,"device":"a100"})", end = R"({"type":"end","pid":7})";
  std::string record = launch_to_json(l);
  record.insert(1, R"("type":"launch","pid":7,)");
  EXPECT_TRUE(read_records(start + "\n" + record + "\n" + end + "\n").complete);
  const Profile killed = read_records(start + "\n" + record + "\n{\"type\":\"laun");
  EXPECT_FALSE(killed.complete);
  EXPECT_EQ(killed.device, "a100");
  EXPECT_EQ(killed.launches.size(), 1u);
  EXPECT_FALSE(killed.not_counted.empty());
}

}  // namespace
}  // namespace warpwise::perf
