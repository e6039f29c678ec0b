// Launches of which some blocks are counted for all.
#include "counted_kernel.h"

namespace warpwise::perf {
namespace {

TEST(Sampling, is_exact_where_blocks_of_a_kind_are_alike) {
  CountedKernel kernel;
  kernel.grid = {40, 30, 1}, kernel.block = {64, 1, 1}, kernel.n = 200, kernel.threads = 2;
  kernel.body = R"(
    mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ctaid.y; setp.eq.u32 %p0, %r2, 39; setp.eq.u32 %p1, %r3, 29; or.pred %p2, %p0, %p1;
    mul.wide.u32 %rd1, %r0, 4; add.s64 %rd2, %rd0, %rd1; mov.u32 %r4, 0; selp.u32 %r5, 7, %r1, %p2;
    LOOP: ld.global.f32 %f0, [%rd2]; add.u32 %r4, %r4, 1; setp.lt.u32 %p3, %r4, %r5; @%p3 bra LOOP;
    st.global.f32 [%rd2], %f0;)";
  const LaunchCounts all = kernel.run();
  kernel.exact = false;
  const LaunchCounts sample = kernel.run();
  EXPECT_EQ(all.counted_blocks, 1200u);
  EXPECT_LT(sample.counted_blocks, 1200u);
  kernel.brief = true;
  const LaunchCounts brief = kernel.run();
  EXPECT_LT(brief.counted_blocks, sample.counted_blocks);
  for (unsigned c = 0; c < kCounters; ++c) {
    EXPECT_EQ(sample.totals.value[c], all.totals.value[c]) << info_of(Counter(c)).id;
    EXPECT_EQ(sample.error[c], 0) << info_of(Counter(c)).id;
    EXPECT_EQ(brief.totals.value[c], all.totals.value[c]) << info_of(Counter(c)).id;
  }
  // 39 * 29 blocks of 2 * 200 loads, the others of 2 * 7.
  EXPECT_EQ(all.totals[Counter::GlobalLoadRequests], 39u * 29 * 400 + (1200u - 39 * 29) * 14);
}

// Where little is left to run, code that counts runs the blocks that do not count as well: they do their work, and
// their counts are dropped.
TEST(Sampling, blocks_that_do_not_count_run) {
  CountedKernel kernel;
  kernel.grid = {4000, 1, 1}, kernel.block = {32, 1, 1}, kernel.threads = 2;
  kernel.body = R"(
    mov.u32 %r2, %ctaid.x; shl.b32 %r3, %r2, 5; add.u32 %r3, %r3, %r0; mul.wide.u32 %rd1, %r3, 4; add.s64 %rd2, %rd0, %rd1;
    ld.global.u32 %r4, [%rd2]; add.u32 %r4, %r3, 7; st.global.u32 [%rd2], %r4;)";
  const LaunchCounts all = kernel.run();
  kernel.exact = false, kernel.brief = true;
  std::vector<uint32_t> words(4000 * 32);
  const LaunchCounts brief = kernel.run(&words);
  EXPECT_LT(brief.counted_blocks, 4000u);
  for (Counter c :
       {Counter::Instructions, Counter::GlobalLoadSectors, Counter::GlobalStoreSectors, Counter::L2WriteSectors})
    EXPECT_EQ(brief.totals[c], all.totals[c]) << info_of(c).id;
  // Nor is their work that of the warps of those that count.
  for (const auto warp : {&LaunchCounts::longest_warp, &LaunchCounts::longest_warp_of_all}) {
    EXPECT_EQ((brief.*warp).instructions, (all.*warp).instructions);
    EXPECT_EQ((brief.*warp).loads, (all.*warp).loads);
  }
  for (uint32_t i = 0; i < words.size(); ++i) ASSERT_EQ(words[i], i + 7);
}

// Blocks that differ: the interval that the sample states holds what was counted in full.
TEST(Sampling, states_its_error) {
  CountedKernel kernel;
  kernel.grid = {4000, 1, 1}, kernel.block = {64, 1, 1}, kernel.n = 63;
  kernel.body = R"(
    mov.u32 %r2, %ctaid.x; add.u32 %r2, %r2, 1; mul.lo.u32 %r3, %r2, 0x9e3779b1; shr.u32 %r3, %r3, 24; add.u32 %r3, %r3, 1;
    mul.wide.u32 %rd1, %r0, 4; add.s64 %rd2, %rd0, %rd1; mov.u32 %r4, 0;
    LOOP: ld.global.f32 %f0, [%rd2]; add.u32 %r4, %r4, 1; setp.lt.u32 %p3, %r4, %r3; @%p3 bra LOOP;
    st.global.f32 [%rd2], %f0;)";
  const LaunchCounts all = kernel.run();
  kernel.exact = false;
  const LaunchCounts sample = kernel.run();
  ASSERT_LT(sample.counted_blocks, all.counted_blocks);
  const double truth = double(all.totals[Counter::GlobalLoadSectors]),
               estimate = double(sample.totals[Counter::GlobalLoadSectors]);
  const double error = sample.error_of(Counter::GlobalLoadSectors);
  EXPECT_GT(error, 0);
  EXPECT_LT(error, 0.2);
  EXPECT_NEAR(estimate, truth, 2 * error * estimate);  // the interval is one of 95 %
  EXPECT_EQ(kernel.run().totals, sample.totals);       // and the same each time
}

// The first block leaves at once, so the launch seems cheap; the others load 4000 times. Counting in full ends, and the
// rest is sampled: 3999 blocks of 2 warps.
TEST(Sampling, does_not_trust_a_first_block_that_does_nothing) {
  CountedKernel kernel;
  kernel.grid = {4000, 1, 1}, kernel.block = {64, 1, 1};
  kernel.body = R"(
    mov.u32 %r2, %ctaid.x; setp.eq.u32 %p1, %r2, 0; @%p1 bra END;
    mul.wide.u32 %rd1, %r0, 4; add.s64 %rd2, %rd0, %rd1; mov.u32 %r4, 0;
    LOOP: ld.global.f32 %f0, [%rd2]; add.u32 %r4, %r4, 1; setp.lt.u32 %p3, %r4, 4000; @%p3 bra LOOP;
    st.global.f32 [%rd2], %f0;
    END:)";
  kernel.exact = false;
  const LaunchCounts sample = kernel.run();
  EXPECT_LT(sample.counted_blocks, 1000u);
  EXPECT_EQ(sample.totals[Counter::GlobalLoadRequests], 3999u * 2 * 4000);
}

// Only the first 391 of 100,096 blocks have work. The first block does not stand for thousands.
TEST(Sampling, does_not_take_the_first_block_for_all) {
  CountedKernel kernel;
  kernel.grid = {100096, 1, 1}, kernel.block = {64, 1, 1};
  kernel.body = R"(
    mov.u32 %r2, %ctaid.x; setp.ge.u32 %p1, %r2, 391; @%p1 bra END;
    mul.wide.u32 %rd1, %r0, 4; add.s64 %rd2, %rd0, %rd1; mov.u32 %r4, 0;
    LOOP: ld.global.f32 %f0, [%rd2]; add.u32 %r4, %r4, 1; setp.lt.u32 %p3, %r4, 8000; @%p3 bra LOOP;
    st.global.f32 [%rd2], %f0;
    END:)";
  kernel.exact = false;
  const LaunchCounts sample = kernel.run();
  EXPECT_LT(sample.counted_blocks, 200u);
  const double truth = 391.0 * 2 * 8000;
  EXPECT_NEAR(double(sample.totals[Counter::GlobalLoadRequests]), truth, truth / 2);
  EXPECT_NEAR(double(sample.idle_blocks), 100096 - 391, 391);
  EXPECT_LT(sample.longest_block, 1.5) << "by those that work";
}

// A warp of the 100 blocks that work is what is told of an average warp, whether all blocks are counted or some.
TEST(Sampling, tells_blocks_without_work_apart) {
  CountedKernel kernel;
  kernel.grid = {2000, 1, 1}, kernel.block = {64, 1, 1};
  kernel.body = R"(
    mov.u32 %r2, %ctaid.x; setp.ge.u32 %p1, %r2, 100; @%p1 bra END;
    mul.wide.u32 %rd1, %r0, 4; add.s64 %rd2, %rd0, %rd1; mov.u32 %r4, 0;
    LOOP: ld.global.f32 %f0, [%rd2]; add.u32 %r4, %r4, 1; setp.lt.u32 %p3, %r4, 8000; @%p3 bra LOOP;
    st.global.f32 [%rd2], %f0;
    END:)";
  const LaunchCounts all = kernel.run();
  kernel.grid = {100, 1, 1};
  const LaunchCounts working = kernel.run();
  EXPECT_EQ(all.idle_blocks, 1900u);
  EXPECT_LT(all.idle_instructions, 0.01);
  EXPECT_EQ(working.idle_blocks, 0u);
  EXPECT_NEAR(all.longest_block, 1, 0.01);
  EXPECT_NEAR(all.block_spread, 0, 0.01);
  EXPECT_NEAR(all.longest_warp_of_all.loads, 1, 0.01);
  EXPECT_NEAR(all.latency.chain.global, working.latency.chain.global, 0.01 * working.latency.chain.global);
  EXPECT_NEAR(all.latency.chain.fma, working.latency.chain.fma, 0.01 * working.latency.chain.fma);
}

}  // namespace
}  // namespace warpwise::perf
