// What blocks do that run at the same time on a GPU, and one after another here.
#include "counted_kernel.h"

namespace warpwise::perf {
namespace {

// A maximum by compare-and-swap: each block but the first finds a larger value and goes on. On a GPU all eight look at
// the word before one has changed it, and each of the 256 threads tries: 4 turns and 4 more for a warp's first lane, 4
// for each other lane.
TEST(OrderOfWork, swaps_that_only_the_first_block_makes) {
  CountedKernel kernel;
  kernel.grid = {8, 1, 1};
  kernel.body = R"(
    mov.u32 %r4, %ctaid.x; mov.u32 %r5, 1000; sub.u32 %r5, %r5, %r4;
    ld.relaxed.gpu.global.u32 %r2, [%rd0]; setp.ge.u32 %p0, %r2, %r5; @%p0 bra DONE;
    atom.global.cas.b32 %r3, [%rd0], %r2, %r5;
    DONE: st.global.u32 [%rd0+64], %r4;)";
  const LaunchCounts l = kernel.run();
  EXPECT_EQ(l.totals[Counter::GlobalAtomicLanes], 32u);
  EXPECT_EQ(l.totals[Counter::GlobalAtomicTurns], 8u * (4 + 4 + 31 * 4));
  EXPECT_EQ(l.totals[Counter::GlobalAtomicContention], l.totals[Counter::GlobalAtomicTurns]);
}

// Blocks take numbers until there are none left: the first one to run gets them all here, but not on a GPU. What is
// taken goes through shared memory. Where the number decides nothing, the blocks differ.
TEST(OrderOfWork, blocks_that_take_work_do_the_same) {
  CountedKernel kernel;
  kernel.grid = {8, 1, 1}, kernel.n = 1000;
  kernel.declarations = ".shared .align 4 .b32 s;";
  kernel.body = R"(
    LOOP: atom.global.add.u32 %r2, [%rd0], 1; st.shared.u32 [s], %r2; bar.sync 0;
    ld.shared.u32 %r3, [s]; setp.lt.u32 %p0, %r3, %r1; @%p0 bra LOOP;)";
  EXPECT_EQ(kernel.run().longest_block, 1);
  kernel.body = R"(
    mov.u32 %r4, %ctaid.x; shl.b32 %r4, %r4, 4; mov.u32 %r2, 0;
    LOOP: atom.global.add.u32 %r3, [%rd0], 1; st.global.u32 [%rd0+4], %r3; add.u32 %r2, %r2, 1; setp.lt.u32 %p0, %r2, %r4; @%p0 bra LOOP;)";
  EXPECT_GT(kernel.run().longest_block, 1.5);
}

// Threads that go through what others store at the same time, and threads that go through what no thread stores.
TEST(OrderOfWork, blocks_that_read_what_others_store_do_the_same) {
  auto longest = [](const char* store_at) {
    CountedKernel kernel;
    kernel.grid = {8, 1, 1};
    kernel.declarations = ".global .align 4 .b32 other;";
    kernel.body = std::string(
                      "mov.u32 %r4, %ctaid.x; shl.b32 %r4, %r4, 4; mov.u32 %r2, 0; mov.u64 %rd2, other;\n"
                      "LOOP: ld.global.u32 %r3, [%rd0]; st.global.u32 [") +
                  store_at +
                  "], %r3; add.u32 %r2, %r2, 1; add.u32 %r3, %r3, %r2; setp.lt.u32 %p0, %r3, %r4; @%p0 bra LOOP;";
    return kernel.run().longest_block;
  };
  EXPECT_EQ(longest("%rd0"), 1);
  EXPECT_GT(longest("%rd2"), 1.5);
}

}  // namespace
}  // namespace warpwise::perf
