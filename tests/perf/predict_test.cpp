// Predictions of launches whose times follow from a rate and an amount.
#include "perf/timing/predict.h"

#include <gtest/gtest.h>

#include "perf/timing/model_constants.h"

namespace warpwise::perf {
namespace {

using enum Counter;

const device::Properties& a6000() { return *device::find_device("a6000"); }

LaunchCounts launch_of(uint64_t blocks, unsigned threads) {
  LaunchCounts launch;
  launch.grid = {static_cast<uint32_t>(blocks), 1, 1};
  launch.block = {threads, 1, 1};
  launch.registers = 32;
  launch.register_source = RegisterSource::Ptxas;
  launch.blocks = launch.counted_blocks = launch.cached_blocks = blocks;
  return launch;
}

// 1 GiB read once by coalesced loads of 4 bytes, eight loads in flight: nothing but memory can limit it.
LaunchCounts streaming() {
  LaunchCounts launch = launch_of(1 << 17, 256);
  uint64_t warps = launch.warps(), loads = warps * 8;
  launch.totals[Instructions] = warps * 40;
  launch.totals[PipeLsu] = launch.totals[GlobalLoadRequests] = loads;
  launch.totals[GlobalLoadSectors] = launch.totals[GlobalLoadIdealSectors] = loads * 4;
  launch.totals[GlobalLoadBytes] = launch.totals[GlobalLoadRegisterBytes] = loads * 128;
  launch.totals[L1ReadSectors] = launch.totals[L2ReadSectors] = loads * 4;
  launch.totals[DramReadBytes] = loads * 128;
  launch.latency.chain.global = 1;
  return launch;
}

TEST(Predict, streaming_takes_bytes_over_bandwidth) {
  auto p = predict(streaming(), a6000());
  ASSERT_TRUE(p);
  double bytes = double(streaming().totals[DramReadBytes]);
  double seconds = bytes / (768e9 * a6000().machine.dram_read_fraction);
  EXPECT_NEAR(p->seconds, seconds, seconds * 0.05);
  EXPECT_EQ(key_of(p->limiter), "dram");
  EXPECT_GT(p->memory_of_peak, 0.9);
  EXPECT_LT(p->compute_of_peak, 0.2);
  EXPECT_LT(p->low, p->seconds);
  EXPECT_GT(p->high, p->seconds);
  EXPECT_NEAR(p->clock_khz, 1.8e6, 1.8e4);  // no arithmetic to speak of: the boost clock
}

// Blocks that all run at once read, and then add: the one time follows the other. Of many waves one block reads while
// another adds.
TEST(Predict, one_wave_reads_and_then_adds) {
  auto seconds = [](uint64_t blocks, double late, bool adds) {
    LaunchCounts launch = launch_of(blocks, 256);
    const uint64_t warps = launch.warps(), loads = warps * 64;
    launch.totals[Instructions] = warps * 200;
    launch.totals[PipeLsu] = launch.totals[GlobalLoadRequests] = loads;
    launch.totals[GlobalLoadSectors] = launch.totals[L1ReadSectors] = launch.totals[L2ReadSectors] = loads * 4;
    launch.totals[GlobalLoadBytes] = launch.totals[GlobalLoadRegisterBytes] = launch.totals[DramReadBytes] =
        loads * 128;
    launch.latency.chain.global = 8, launch.latency.late_atomics = late;
    if (adds) launch.totals[GlobalAtomicTurns] = blocks * 1024, launch.totals[GlobalAtomicContention] = blocks * 80;
    return predict(launch, a6000())->seconds;
  };
  const uint64_t wave = 84 * 6;  // six blocks of 256 threads on each of 84 SMs
  const double reads = seconds(wave, 0, false), both = seconds(wave, 0, true), apart = seconds(wave, 1, true);
  const double adds = double(wave) * 80 * kSliceTurnNs * 1e-9;  // those at one address take turns
  EXPECT_LT(both, 0.9 * (reads + adds));
  EXPECT_NEAR(apart, reads + adds, 0.1 * apart);
  EXPECT_DOUBLE_EQ(seconds(20 * wave, 1, true), seconds(20 * wave, 0, true));
}

// Threads that read all and then write all: in a single wave no reads of one block fill the time of another's writes.
TEST(Predict, phases_of_one_wave_follow_each_other) {
  const auto seconds = [](uint64_t blocks, bool reads, bool writes, bool in_phases) {
    LaunchCounts launch = launch_of(blocks, 256);
    const uint64_t warps = launch.warps(), turns = warps * 200;
    Counts read, write;
    if (reads) {  // from L1: each lane a line of its own
      read[Instructions] = turns * 4, read[PipeLsu] = read[GlobalLoadRequests] = turns;
      read[GlobalLoadSectors] = read[GlobalLoadLines] = read[GlobalLoadIdealSectors] = turns * 32;
    }
    if (writes) {  // through L2
      write[Instructions] = turns * 4, write[PipeLsu] = write[GlobalStoreRequests] = turns;
      write[GlobalStoreSectors] = write[GlobalStoreIdealSectors] = turns * 16;
      write[GlobalStoreLines] = turns * 4, write[GlobalStoreBytes] = turns * 512;
    }
    for (unsigned c = 0; c < kCounters; ++c) launch.totals.value[c] = read.value[c] + write.value[c];
    launch.totals[L1ReadSectors] = launch.totals[L1ReadHits] = read[GlobalLoadSectors];
    launch.totals[L2WriteSectors] = write[GlobalStoreSectors];
    if (in_phases) launch.phases = {read, write};
    const auto p = predict(launch, a6000());
    return p->seconds - p->launch_seconds;
  };
  const uint64_t wave = 84 * 6;  // six blocks of 256 threads on each of 84 SMs
  const double reads = seconds(wave, true, false, false), writes = seconds(wave, false, true, false);
  EXPECT_LT(seconds(wave, true, true, false), 0.85 * (reads + writes));
  EXPECT_NEAR(seconds(wave, true, true, true), reads + writes, 0.05 * (reads + writes));
  EXPECT_DOUBLE_EQ(seconds(20 * wave, true, true, true), seconds(20 * wave, true, true, false));
}

// 32 lanes that each read a line of their own: one line a clock, whatever the cache holds.
TEST(Predict, scattered_loads_take_a_clock_for_each_line) {
  LaunchCounts launch = launch_of(84 * 60, 256);
  uint64_t warps = launch.warps(), loads = warps * 1000;
  launch.totals[Instructions] = loads * 3;
  launch.totals[PipeLsu] = launch.totals[GlobalLoadRequests] = loads;
  launch.totals[GlobalLoadSectors] = launch.totals[GlobalLoadLines] = loads * 32;
  launch.totals[GlobalLoadIdealSectors] = loads * 4;
  launch.totals[GlobalLoadBytes] = launch.totals[GlobalLoadRegisterBytes] = loads * 128;
  launch.totals[L1ReadSectors] = launch.totals[L1ReadHits] = loads * 32;
  auto p = predict(launch, a6000());
  ASSERT_TRUE(p);
  EXPECT_EQ(key_of(p->limiter), "l1");
  double clocks = double(loads) * 32 / 84;
  EXPECT_NEAR(p->seconds, clocks / 1.8e9, clocks / 1.8e9 * 0.05);
}

TEST(Predict, arithmetic_lowers_the_clock) {
  LaunchCounts launch = launch_of(84 * 60, 256);
  uint64_t warps = launch.warps();
  launch.totals[Instructions] = launch.totals[PipeFma] = warps * 100000;
  auto p = predict(launch, a6000());
  ASSERT_TRUE(p);
  EXPECT_NEAR(p->clock_khz, 1.41e6, 2e4);
  EXPECT_GT(p->of(Resource::Fp32), 0.95);
}

// One block of one warp that waits 100 times for memory: latency on one SM of 84.
TEST(Predict, a_lonely_warp_waits) {
  LaunchCounts launch = launch_of(84, 32);
  launch.totals[Instructions] = 84 * 200000;
  launch.totals[PipeLsu] = launch.totals[GlobalLoadRequests] = 84 * 10000;
  launch.totals[GlobalLoadSectors] = launch.totals[GlobalLoadIdealSectors] = 84 * 10000;
  launch.totals[GlobalLoadBytes] = launch.totals[GlobalLoadRegisterBytes] = 84 * 40000;
  launch.totals[L1ReadSectors] = launch.totals[L2ReadSectors] = 84 * 10000;
  launch.totals[DramReadBytes] = 84 * 320000;
  launch.latency.chain.global = 10000;
  auto p = predict(launch, a6000());
  ASSERT_TRUE(p);
  EXPECT_EQ(key_of(p->limiter), "latency");
  double clocks = 10000 * (a6000().machine.l2_latency + a6000().machine.dram_latency_ns * 1.8);
  EXPECT_NEAR(p->seconds, clocks / 1.8e9, clocks / 1.8e9 * 0.1);
}

// 85 equal blocks of which each fills an SM take as long as 168.
TEST(Predict, the_last_block_makes_a_wave) {
  auto of = [](uint64_t blocks) {
    LaunchCounts launch = launch_of(blocks, 1024);
    launch.totals[Instructions] = launch.totals[PipeFma] = launch.warps() * 100000;
    return *predict(launch, a6000());
  };
  // In clocks: half of the SMs idle leave more power to the others.
  auto clocks = [&](uint64_t blocks) { return of(blocks).seconds * of(blocks).clock_khz; };
  EXPECT_NEAR(clocks(85), clocks(168), clocks(168) * 0.02);
  EXPECT_EQ(key_of(of(85).limiter), "tail");
  EXPECT_NE(key_of(of(168).limiter), "tail");
}

// Two blocks on some SMs and one on the others: memory serves them all, and is not asked for two on each.
TEST(Predict, a_few_full_sms_do_not_ask_for_more_of_memory) {
  auto seconds = [](uint64_t blocks) {
    LaunchCounts launch = launch_of(blocks, 512);
    const uint64_t warps = launch.warps(), loads = warps * 2000;
    launch.totals[Instructions] = warps * 10000;
    launch.totals[PipeLsu] = launch.totals[GlobalLoadRequests] = loads;
    launch.totals[GlobalLoadSectors] = launch.totals[GlobalLoadIdealSectors] = loads * 4;
    launch.totals[GlobalLoadBytes] = launch.totals[GlobalLoadRegisterBytes] = loads * 128;
    launch.totals[L1ReadSectors] = launch.totals[L2ReadSectors] = loads * 4;
    launch.totals[DramReadBytes] = loads * 128;
    launch.latency.chain.global = 250;
    const auto p = predict(launch, a6000());
    return p->seconds - p->launch_seconds;
  };
  EXPECT_NEAR(seconds(100) / seconds(168), 100.0 / 168, 0.05);
}

// Three blocks of 512 threads fill an SM. Where all of a wave end together, a quarter of the grid is left over, and it
// moves into a third of the SMs. A grid of so many blocks is spread over all SMs.
TEST(Predict, blocks_left_over_fill_some_sms) {
  auto clocks = [](uint64_t blocks) {
    LaunchCounts launch = launch_of(blocks, 512);
    launch.totals[Instructions] = launch.totals[PipeFma] = launch.warps() * 100000;
    const auto p = predict(launch, a6000());
    return p->seconds * p->clock_khz;
  };
  EXPECT_NEAR(clocks(84 * 4), 2 * clocks(84 * 3), clocks(84 * 4) * 0.02);
  EXPECT_NEAR(clocks(84) * 3, clocks(84 * 3), clocks(84 * 3) * 0.1);
}

// Blocks of uneven work that begin all at once: the SM that gets most of it ends last. Of 84 sums of two, the largest
// is expected 2.3 standard deviations above the average (extreme values of the normal distribution), here 2.3 * 0.5 /
// sqrt(2) = 0.8 of it.
TEST(Predict, uneven_blocks_leave_sms_idle) {
  LaunchCounts even = launch_of(168, 512);
  even.totals[Instructions] = even.totals[PipeFma] = even.warps() * 100000;
  LaunchCounts uneven = even;
  uneven.longest_block = 3, uneven.block_spread = 0.5;
  const auto a = predict(even, a6000()), b = predict(uneven, a6000());
  ASSERT_TRUE(a && b);
  const double ratio = b->seconds * b->clock_khz / (a->seconds * a->clock_khz);
  EXPECT_NEAR(ratio, 1.8, 0.1);
}

// A block lasts as long as its longest warp, whatever the others do meanwhile.
TEST(Predict, a_block_lasts_as_long_as_its_longest_warp) {
  LaunchCounts even = launch_of(1, 256);
  even.totals[Instructions] = even.totals[PipeFma] = even.warps() * 100000;
  LaunchCounts one = even;
  one.longest_warp = {.instructions = 8, .loads = 8};
  const auto a = predict(even, a6000()), b = predict(one, a6000());
  ASSERT_TRUE(a && b);
  EXPECT_NEAR(b->seconds * b->clock_khz * 1e3, 800000, 40000);
  EXPECT_LT(a->seconds, b->seconds / 2);
}

// And a launch as long as the longest warp of all.
TEST(Predict, a_launch_lasts_as_long_as_its_longest_warp) {
  LaunchCounts even = launch_of(8, 256);
  even.totals[Instructions] = even.totals[PipeFma] = even.warps() * 1000;
  LaunchCounts one = even;
  one.longest_warp_of_all = {.instructions = 800, .loads = 800};
  const auto a = predict(even, a6000()), b = predict(one, a6000());
  ASSERT_TRUE(a && b);
  EXPECT_NEAR((b->seconds - a->seconds) * b->clock_khz * 1e3, 800000, 40000);
}

// A warp that has more instructions than others need not have more loads.
TEST(Predict, the_longest_warp_waits_for_its_own_loads) {
  LaunchCounts launch = launch_of(1, 256);
  launch.totals[Instructions] = launch.totals[PipeFma] = launch.warps() * 100;
  launch.latency.chain.global = 10;
  auto clocks = [&](double instructions, double loads) {
    launch.longest_warp = {instructions, loads};
    const auto p = predict(launch, a6000());
    return p->seconds * p->clock_khz * 1e3;
  };
  EXPECT_NEAR(clocks(8, 1) - clocks(1, 1), 700, 20);
  EXPECT_GT(clocks(8, 8) - clocks(1, 1), 700 + 7 * 10 * a6000().machine.l2_latency);
  EXPECT_NEAR(clocks(8, 50), clocks(8, 8), 1);  // in a loop over what lies side by side
}

// PCIe both ways at the same time, beside which nothing else matters.
TEST(Predict, memory_of_the_host_crosses_pcie) {
  LaunchCounts launch = launch_of(1024, 256);
  launch.totals[Instructions] = launch.warps() * 10;
  launch.totals[HostReadSectors] = 2 << 20, launch.totals[HostWriteSectors] = 1 << 20;
  const auto p = predict(launch, a6000());
  ASSERT_TRUE(p);
  const double seconds = double(64 << 20) / (a6000().machine.host_gb_per_s * 1e9);
  EXPECT_NEAR(p->seconds, seconds, seconds * 0.02);
  EXPECT_EQ(key_of(p->limiter), "host");
}

// Where few multiprocessors store parts of sectors, each is as slow as if all did.
TEST(Predict, parts_of_sectors_are_stored_slowly_by_each_multiprocessor) {
  LaunchCounts launch = launch_of(8, 512);
  launch.totals[Instructions] = launch.totals[PipeLsu] = launch.totals[GlobalStoreRequests] = 8 * 10000;
  launch.totals[GlobalStoreSectors] = launch.totals[L2WriteSectors] = 8 * 10000 * 32;
  launch.totals[GlobalStoreBytes] = 8 * 10000 * 32 * 4;
  const auto p = predict(launch, a6000());
  ASSERT_TRUE(p);
  EXPECT_NEAR(p->seconds * p->clock_khz * 1e3, 10000 * 28 * kPartStore, 10000 * 28 * kPartStore * 0.1);
}

// Code is not in a cache when a kernel begins: the first instructions come from memory, others as the warp comes to
// them.
TEST(Predict, code_is_fetched) {
  LaunchCounts launch = launch_of(1, 32);
  launch.totals[Instructions] = 100;
  LaunchCounts branchy = launch;
  branchy.latency.code_blocks = 100;
  EXPECT_NEAR(predict(branchy, a6000())->seconds - predict(launch, a6000())->seconds, 0.6e-6, 1e-9);
  LaunchCounts longer = launch;
  longer.latency.code_instructions = 3000;
  EXPECT_NEAR(predict(longer, a6000())->seconds - predict(launch, a6000())->seconds, 2000 * 4.3e-9, 1e-9);
}

// What the loads find that are waited for counts, not what most sectors find.
TEST(Predict, a_warp_waits_for_what_its_loads_find) {
  LaunchCounts launch = launch_of(1, 32);
  launch.totals[L1ReadSectors] = 1000, launch.totals[L1ReadHits] = 900;
  launch.totals[L2ReadSectors] = 100;
  const device::Machine& m = a6000().machine;
  launch.latency.waited = WaitedLoads{0.5, 0.25, 0.25};
  EXPECT_DOUBLE_EQ(global_latency(launch, m, 1, 1e6),
                   0.5 * m.l1_latency + 0.5 * (m.l2_latency + 0.25 * m.dram_latency_ns));
}

// Of several loads that are waited for together one misses more often than each of them.
TEST(Predict, a_warp_waits_for_the_slowest_of_its_loads) {
  auto seconds = [](double in_flight) {
    LaunchCounts launch = launch_of(1, 32);
    launch.totals[Instructions] = 1000;
    launch.totals[L1ReadSectors] = 1000, launch.totals[L1ReadHits] = 950;
    launch.totals[L2ReadSectors] = 50;
    launch.latency.chain.global = 100;
    launch.latency.loads_in_flight = in_flight;
    return predict(launch, a6000())->seconds;
  };
  EXPECT_GT(seconds(8), 1.15 * seconds(1));
}

// What a load finds says which of the three chains counts: steps that would be left if all loads hit L1, L2 or came
// from memory.
TEST(Predict, a_wait_depends_on_what_the_loads_find) {
  auto seconds = [](double in_l1, double missed, double left_in_l1, double left_from_memory) {
    LaunchCounts launch = launch_of(1, 32);
    launch.totals[Instructions] = 1000;
    launch.latency.chain.global = 1000;
    launch.latency.waited = WaitedLoads{in_l1, missed, missed};
    launch.latency.in_l1 = left_in_l1, launch.latency.from_memory = left_from_memory;
    const auto p = predict(launch, a6000());
    return p->seconds - p->launch_seconds;
  };
  EXPECT_NEAR(seconds(0, 1, 1, 1.4) / seconds(0, 1, 1, 1), 1.4, 0.02);  // from memory
  EXPECT_DOUBLE_EQ(seconds(0, 1, 0, 1), seconds(0, 1, 1, 1));
  EXPECT_DOUBLE_EQ(seconds(0, 0, 0, 1.4), seconds(0, 0, 1, 1));  // in L2
  EXPECT_LT(seconds(1, 0, 0, 1), 0.2 * seconds(1, 0, 1, 1));     // in L1
  EXPECT_DOUBLE_EQ(seconds(1, 0, 1, 1.4), seconds(1, 0, 1, 1));
}

// Short blocks in many waves: a place is empty for 300 clocks between two of them, so a wave takes as much longer.
TEST(Predict, places_of_blocks_are_empty_between_two) {
  auto clocks = [](uint64_t blocks) {
    LaunchCounts launch = launch_of(blocks, 32);
    launch.dynamic_shared_bytes = 90 << 10;  // one to an SM
    launch.totals[Instructions] = launch.warps() * 700;
    const auto p = predict(launch, a6000());
    return (p->seconds - p->launch_seconds) * p->clock_khz * 1e3;
  };
  EXPECT_NEAR(clocks(84 * 11) - clocks(84 * 10), 1000, 60);
}

// Blocks are launched one after the other and end as far apart, so that the next ones wait for no launch. But a round
// of them cannot be shorter than launching them takes.
TEST(Predict, blocks_do_not_queue_for_their_launch) {
  auto clocks = [](uint64_t blocks, double waits) {
    LaunchCounts launch = launch_of(blocks, 32);
    launch.totals[Instructions] = launch.warps();
    launch.latency.chain.gap = waits;
    const auto p = predict(launch, a6000());
    return (p->seconds - p->launch_seconds) * p->clock_khz * 1e3;
  };
  const uint64_t wave = 84 * 16;  // 16 blocks on an SM
  const double launching = double(wave) * kBlockStart;
  EXPECT_NEAR(clocks(11 * wave, 10) - clocks(10 * wave, 10), launching, 1);
  EXPECT_NEAR(clocks(11 * wave, 1500) - clocks(10 * wave, 1500), 1500 + kBlockTurn, 5);
  EXPECT_GT(1500 + kBlockTurn, launching);
}

// Blocks without work come last. They begin while the last of the others are at work, and then one after the other.
TEST(Predict, blocks_without_work_follow_those_that_work) {
  const device::Properties& device = a6000();
  auto clocks = [&](uint64_t working, uint64_t idle) {
    LaunchCounts launch = launch_of(working + idle, 256);
    launch.idle_blocks = idle;
    launch.totals[Instructions] = launch.totals[PipeFma] = working * 8 * 2000;
    const auto p = predict(launch, device);
    return (p->seconds - p->launch_seconds) * p->clock_khz * 1e3;
  };
  const uint64_t wave = 84 * 6;
  EXPECT_NEAR(clocks(wave, 1000), clocks(wave, 0), 1) << "they begin meanwhile";
  EXPECT_NEAR(clocks(wave, 400'000) - clocks(wave, 200'000), 200'000 * kBlockStart, 100);
  EXPECT_GT(clocks(4 * wave, 400'000), clocks(4 * wave, 0) + 0.9 * 400'000 * kBlockStart - clocks(wave, 0));
}

// A block that has stored keeps its place until L2 has told that it has what was stored.
TEST(Predict, a_place_is_held_until_stores_have_arrived) {
  auto clocks = [](uint64_t blocks) {
    LaunchCounts launch = launch_of(blocks, 32);
    launch.dynamic_shared_bytes = 90 << 10;  // one to an SM
    launch.totals[Instructions] = launch.warps() * 700;
    launch.totals[PipeLsu] = launch.totals[GlobalStoreRequests] = launch.totals[GlobalStoreLines] = launch.warps();
    launch.totals[GlobalStoreSectors] = launch.totals[GlobalStoreIdealSectors] = launch.totals[L2WriteSectors] =
        launch.warps() * 4;
    launch.totals[GlobalStoreBytes] = launch.warps() * 128;
    const auto p = predict(launch, a6000());
    return (p->seconds - p->launch_seconds) * p->clock_khz * 1e3;
  };
  EXPECT_NEAR(clocks(84 * 11) - clocks(84 * 10), 1000 + a6000().machine.l2_latency, 60);
}

// Warps of a block begin together, so blocks that load once ask memory for all of it at once and leave it idle between;
// blocks that load many times keep it busy.
TEST(Predict, short_blocks_come_in_bursts) {
  auto of_bandwidth = [](uint64_t loads) {
    LaunchCounts launch = launch_of(1 << 16, 1024);
    const uint64_t requests = launch.warps() * loads;
    launch.totals[Instructions] = launch.warps() * 8 + requests;
    launch.totals[PipeLsu] = launch.totals[GlobalLoadRequests] = launch.totals[GlobalLoadLines] = requests;
    launch.totals[GlobalLoadSectors] = launch.totals[GlobalLoadIdealSectors] = launch.totals[L1ReadSectors] =
        launch.totals[L2ReadSectors] = requests * 4;
    launch.totals[GlobalLoadBytes] = launch.totals[GlobalLoadRegisterBytes] = launch.totals[DramReadBytes] =
        requests * 128;
    launch.latency.chain.global = double(loads);
    return predict(launch, *device::find_device("h100"))->of(Resource::Dram);
  };
  EXPECT_LT(of_bandwidth(1), 0.7);
  EXPECT_GT(of_bandwidth(64), 0.8);
}

// Two blocks of an SM with long phases between barriers go through them together: while one waits, so does the other.
// With short phases the one is in the next when the other comes.
TEST(Predict, long_phases_are_gone_through_in_step) {
  auto of_shared = [](double wavefronts_of_phase) {
    LaunchCounts launch = launch_of(132 * 20, 1024);  // two to an SM
    const double phases = 20000 / wavefronts_of_phase, warps = double(launch.warps());
    launch.totals[Barriers] = uint64_t(warps * phases);
    launch.totals[Instructions] = launch.totals[Barriers] * 4;
    launch.totals[SharedLoads] = launch.totals[Barriers];
    launch.totals[SharedLoadWavefronts] = uint64_t(warps / 32 * 20000);
    launch.latency.chain.shared = 20;
    launch.latency.chain.barrier = 1000;  // waits as long as the work, in either case
    return predict(launch, *device::find_device("h100"))->of(Resource::Shared);
  };
  EXPECT_LT(of_shared(5000), 0.75);
  EXPECT_GT(of_shared(100), 0.75);
}

// Memory that reads and writes must turn: fewer bytes a second than when it only reads, or only writes.
TEST(Predict, memory_takes_time_to_turn) {
  const double peak = a6000().dram_bytes_per_second(), reads = peak * a6000().machine.dram_read_fraction,
               both = peak * a6000().machine.dram_fraction;
  EXPECT_DOUBLE_EQ(dram_seconds(a6000(), 1e9, 0), 1e9 / reads);
  EXPECT_DOUBLE_EQ(dram_seconds(a6000(), 0, 1e9), 1e9 / reads);
  EXPECT_DOUBLE_EQ(dram_seconds(a6000(), 5e8, 5e8), 1e9 / both);
  EXPECT_DOUBLE_EQ(dram_seconds(a6000(), 7.5e8, 2.5e8), 1e9 / ((reads + both) / 2));
  EXPECT_EQ(dram_seconds(a6000(), 0, 0), 0);
}

// What is stored passes both halves of an H200's L2, at a clock that is not the core's.
TEST(Predict, l2_has_a_clock_of_its_own) {
  const device::Properties& h200 = *device::find_device("h200");
  LaunchCounts launch = launch_of(132, 256);
  launch.cached_blocks = 1;
  launch.totals[L2WriteSectors] = launch.totals[GlobalStoreSectors] = 2'000'000;
  launch.totals[GlobalStoreBytes] = 64'000'000;
  const auto seconds = [&](double khz) { return demands_of(launch, h200, khz)[Resource::L2] / (khz * 1e3); };
  EXPECT_NEAR(seconds(1.98e6), 96e6 / 7.3e12, 1e-9);
  EXPECT_DOUBLE_EQ(seconds(1.98e6), seconds(1.5e6));
}

// A clock that is a half as fast waits half as many clocks for memory beyond L2.
TEST(Predict, memory_has_a_clock_of_its_own) {
  LaunchCounts launch = launch_of(1, 32);
  launch.totals[L1ReadSectors] = launch.totals[L2ReadSectors] = 4;
  const device::Machine& m = a6000().machine;
  EXPECT_DOUBLE_EQ(global_latency(launch, m, 1, 1e6), m.l2_latency + m.dram_latency_ns);
  EXPECT_DOUBLE_EQ(global_latency(launch, m, 1, 2e6), m.l2_latency + 2 * m.dram_latency_ns);
}

TEST(Predict, a_tiny_kernel_is_its_launch) {
  LaunchCounts launch = launch_of(1, 32);
  launch.totals[Instructions] = 10;
  auto p = predict(launch, a6000());
  ASSERT_TRUE(p);
  EXPECT_EQ(key_of(p->limiter), "launch");
}

TEST(Predict, what_cannot_run_has_no_time) {
  LaunchCounts launch = launch_of(1, 1024);
  launch.registers = 255;
  launch.totals[Instructions] = 10;
  EXPECT_FALSE(predict(launch, a6000()));
}

// Few warps that wait: more of them would help. An SM that is full of warps has no room for more, and a report of
// "too few warps" would mislead.
TEST(Predict, latency_is_told_by_the_room_for_warps) {
  LaunchCounts few = launch_of(84, 64);
  few.totals[Instructions] = few.warps() * 1000;
  few.latency.chain.global = 300;
  const auto alone = predict(few, a6000());
  ASSERT_TRUE(alone);
  ASSERT_EQ(key_of(alone->limiter), "latency");
  EXPECT_NE(limiter_words(*alone).find("waits for its loads from global memory"), std::string::npos);
  EXPECT_NE(limiter_words(*alone).find("an SM has only 2 warps (of 48)"), std::string::npos);
  Prediction fewer = *alone;
  fewer.resident_warps = 1.2;
  EXPECT_NE(limiter_words(fewer).find("an SM has only 1 warp (of 48)"), std::string::npos);
  fewer.resident_warps = 0.4;
  EXPECT_NE(limiter_words(fewer).find("an SM has less than one warp on average (of 48)"), std::string::npos);
  LaunchCounts full = launch_of(84 * 6 * 10, 256);
  full.totals[Instructions] = full.warps() * 100;
  full.latency.chain.atomic = 300;
  const auto crowd = predict(full, a6000());
  ASSERT_TRUE(crowd);
  ASSERT_EQ(key_of(crowd->limiter), "latency");
  EXPECT_NE(limiter_words(*crowd).find("waits for the results of its atomics"), std::string::npos);
  EXPECT_NE(limiter_words(*crowd).find("full of warps"), std::string::npos);
}

}  // namespace
}  // namespace warpwise::perf
