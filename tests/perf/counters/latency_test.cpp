// How long a warp is under way by the model: chains of loads and of arithmetic, and what overlaps.
#include "counted_kernel.h"

namespace warpwise::perf {
namespace {

// A pointer chase of n turns: each load's address is the last one's value, so each is waited for, one at a time, but
// for the clocks of what is issued behind it. The loop is unrolled by four (sass_forms.h), so that add, setp and bra
// are hardly anything of 263.
TEST(Latency, of_a_chase) {
  CountedKernel kernel;
  kernel.n = 50;
  kernel.body = R"(mov.u64 %rd1, 0; mov.u32 %r2, 0;
    LOOP: add.s64 %rd2, %rd0, %rd1; ld.global.u64 %rd1, [%rd2]; add.u32 %r2, %r2, 1; setp.lt.u32 %p0, %r2, %r1; @%p0 bra LOOP;
    st.global.u64 [%rd0], %rd1;)";
  const LaunchCounts l = kernel.run();
  EXPECT_NEAR(l.latency.chain.global, 50, 1.5);
  EXPECT_NEAR(l.latency.loads_in_flight, 1, 0.01);
}

// A load of 32 sectors from memory, and one of a sector that is there then: the warp waits for each once, whatever the
// sectors. Together, the wait is that for memory.
TEST(Latency, of_what_each_load_finds) {
  CountedKernel kernel;
  const std::string place = "shl.b32 %r2, %r0, 5; cvt.u64.u32 %rd1, %r2; add.s64 %rd1, %rd0, %rd1;";
  kernel.body = place + R"(ld.global.u64 %rd2, [%rd1]; add.s64 %rd3, %rd0, %rd2;
    ld.global.u64 %rd4, [%rd3]; add.s64 %rd5, %rd0, %rd4; st.global.u64 [%rd5+524288], %rd4;)";
  const LaunchCounts l = kernel.run();
  EXPECT_EQ(l.totals[Counter::L1ReadSectors], 33u);
  EXPECT_EQ(l.totals[Counter::L1ReadHits], 1u);
  ASSERT_TRUE(l.latency.waited);
  EXPECT_NEAR(l.latency.waited->in_l1, 0.5, 0.02);
  EXPECT_DOUBLE_EQ(l.latency.waited->missed, 1);
  EXPECT_DOUBLE_EQ(l.latency.waited->first, 1);
  kernel.body = place + R"(ld.global.f32 %f0, [%rd1]; ld.global.f32 %f1, [%rd0]; add.f32 %f0, %f0, %f1;
    st.global.f32 [%rd0+524288], %f0;)";
  EXPECT_DOUBLE_EQ(kernel.run().latency.waited.value().in_l1, 0);
}

// Loads behind short branches around them, as of tiles that may stick out: ptxas makes them predicated, so that they
// are under way together, as nvcc writes the branches and as Clang does. What is skipped most of the time stays a
// block.
TEST(Latency, loads_behind_short_branches_overlap) {
  const auto chain = [](const std::string& before, const std::string& behind) {
    CountedKernel kernel;
    kernel.n = 64;
    std::string body = "mul.wide.u32 %rd1, %r0, 4; add.s64 %rd1, %rd0, %rd1;\n";
    for (int n = 0; n < 8; ++n) {
      const std::string number = std::to_string(n), value = "%f" + number;
      const auto named = [&](std::string text) {
        for (size_t at; (at = text.find('#')) != text.npos;) text.replace(at, 1, number);
        return text;
      };
      body += "add.u32 %r2, %r0, " + number + "; setp.ge.u32 %p0, %r2, %r1; mov.f32 " + value + ", 0f00000000;\n" +
              named(before) + "ld.global.f32 " + value + ", [%rd1+" + std::to_string(4096 * n) + "];\n" +
              named(behind) + "st.shared.f32 [tile+" + std::to_string(128 * n) + "], " + value + ";\n";
    }
    kernel.declarations = ".shared .align 4 .b8 tile[4096];";
    kernel.body = body;
    return kernel.run().latency.chain.global;
  };
  const double plain = chain("", ""), alone = 8;
  EXPECT_LT(plain, 1.5);
  EXPECT_NEAR(chain("@%p0 bra skip#;\n", "skip#:\n"), plain, 0.3);
  EXPECT_NEAR(chain("@%p0 bra skip#;\nbra.uni then#;\nthen#:\n", "skip#:\n"), plain, 0.3);
  EXPECT_NEAR(chain("@!%p0 bra then#;\nbra.uni skip#;\nthen#:\n", "skip#:\n"), plain, 0.3);
  // A barrier is no part of a predicated block.
  EXPECT_GT(chain("@%p0 bra skip#;\n", "bar.sync 0;\nskip#:\n"), alone / 2);
}

// Two chains of eight multiply-adds, one behind the other in the text: ptxas lets them take turns. A result is there
// after 4 clocks: the first is that of its own instruction, another that of the other chain's, two are waited.
TEST(Latency, independent_chains_take_turns) {
  CountedKernel kernel;
  std::string body = "mov.f32 %f0, 1.0; mov.f32 %f1, 2.0;";
  for (const char* reg : {"%f0", "%f1"})
    for (int n = 0; n < 8; ++n) body += std::string("fma.rn.f32 ") + reg + ", " + reg + ", " + reg + ", " + reg + ";";
  kernel.body = body + "add.f32 %f0, %f0, %f1; st.global.f32 [%rd0], %f0;";
  // 7 waits of 2 clocks; the addition waits 3 for the second chain's last, and the store 3 for the addition.
  EXPECT_NEAR(kernel.run().latency.chain.fma, (7 * 2 + 3 + 3) / 3.0, 0.7);
}

// A loop of one warp: its counter's step, the comparison 4 clocks later, the branch 17 after that, and 8 until the warp
// is back (chains.cpp has the measurement).
TEST(Latency, of_a_loop) {
  CountedKernel kernel;
  kernel.n = 100;
  kernel.body = R"(mov.u32 %r2, 0;
    LOOP: add.u32 %r2, %r2, %r1; setp.lt.u32 %p0, %r2, 10000; @%p0 bra LOOP;
    st.global.u32 [%rd0], %r2;)";
  const LaunchCounts l = kernel.run();
  const ChainSteps& chain = l.latency.chain;
  EXPECT_NEAR(chain.fma * 3 + chain.branch + chain.gap + 3 * 100, 100 * 29, 40);
}

// Eight loads that do not depend on each other before the first is used. ptxas makes one of four turns of the loop, and
// has 16 of their 32 under way: two waits.
TEST(Latency, of_independent_loads) {
  CountedKernel kernel;
  kernel.n = 50;
  kernel.body = "mov.u32 %r2, 0;\nLOOP:\n";
  for (int k = 0; k < 8; ++k)
    kernel.body += "ld.global.f32 %f" + std::to_string(k) + ", [%rd0+" + std::to_string(4 * k) + "];\n";
  for (int k = 1; k < 8; ++k) kernel.body += "add.f32 %f0, %f0, %f" + std::to_string(k) + ";\n";
  kernel.body += "add.u32 %r2, %r2, 1; setp.lt.u32 %p0, %r2, %r1; @%p0 bra LOOP; st.global.f32 [%rd0], %f0;";
  const LaunchCounts l = kernel.run();
  EXPECT_NEAR(l.latency.chain.global, 50 * 2 / 4.0, 50 * 0.5 / 4);
  EXPECT_GT(l.latency.loads_in_flight, 12);
}

// A turn that loads one word: of four turns the loads are under way together.
TEST(Latency, of_an_unrolled_loop) {
  CountedKernel kernel;
  kernel.n = 400;
  const std::string turn = "LOOP: ld.global.f32 %f1, [%rd1]; add.f32 %f0, %f0, %f1; add.s64 %rd1, %rd1, 128;",
                    begin = "mov.f32 %f0, 0f00000000; mov.u64 %rd1, %rd0; mov.u32 %r2, 0;",
                    end = "@%p0 bra LOOP; st.global.f32 [%rd0], %f0;";
  kernel.body = begin + turn + "add.u32 %r2, %r2, 1; setp.lt.u32 %p0, %r2, %r1;" + end;
  EXPECT_NEAR(kernel.run().latency.chain.global, 400 / 4, 10);
  EXPECT_NEAR(kernel.run().latency.loads_in_flight, 4, 0.2);
  // What is left over is made turn by turn: all of three turns, and three of seven.
  auto instructions = [](const LaunchCounts& l) {
    return double(l.totals[Counter::Instructions]) - double(l.totals[Counter::FusedAlu]) -
           double(l.totals[Counter::FusedBranches]);
  };
  kernel.n = 3;
  EXPECT_NEAR(kernel.run().latency.chain.global, 3, 0.2);
  const double three = instructions(kernel.run());
  kernel.n = 7;
  EXPECT_NEAR(kernel.run().latency.chain.global, 3 + 1, 0.3);
  EXPECT_NEAR(instructions(kernel.run()) - three, 4 * 2 + 4, 0.1);  // four loads and sums, the rest once
  kernel.n = 400;
  // A step that is not known does not let ptxas say how many turns there are.
  kernel.body = begin + "mov.u32 %r3, %ntid.y;" + turn + "add.u32 %r2, %r2, %r3; setp.lt.u32 %p0, %r2, %r1;" + end;
  EXPECT_NEAR(kernel.run().latency.chain.global, 400, 40);
}

// A load that is needed 32 dependent multiply-adds, some 130 clocks, later: they hide all of it where it hits L1 (34
// clocks), half of it where it hits L2 (263), and little where it comes from memory (736).
TEST(Latency, of_a_load_behind_arithmetic) {
  CountedKernel kernel;
  kernel.body = "mov.f32 %f0, 1.0; ld.global.f32 %f1, [%rd0];";
  for (int n = 0; n < 32; ++n) kernel.body += "fma.rn.f32 %f0, %f0, %f0, %f0;";
  kernel.body += "add.f32 %f0, %f0, %f1; st.global.f32 [%rd0+4096], %f0;";
  const LatencyProfile latency = kernel.run().latency;
  const double hidden = 32 * 4, l2 = latency.chain.global;
  EXPECT_NEAR(l2, (263 - hidden) / 263, 0.03);
  EXPECT_DOUBLE_EQ(latency.in_l1, 0);
  EXPECT_NEAR(latency.from_memory * l2, (736 - hidden) / 736, 0.03);
}

// A load that a loop needs, and that nothing before the loop does: its first turn waits for it, but for the few clocks
// of what is issued between them.
TEST(Latency, of_a_load_before_a_loop) {
  CountedKernel kernel;
  const std::string begin = "mov.f32 %f0, 1.0; mov.u32 %r2, 0; ld.global.f32 %f1, [%rd0];",
                    turn = "LOOP: fma.rn.f32 %f0, %f0, %f1, %f0; add.u32 %r2, %r2, ",
                    end = "; setp.lt.u32 %p0, %r2, %r1; @%p0 bra LOOP; st.global.f32 [%rd0+4096], %f0;";
  // As ptxas unrolls it, with too few turns for that, and with a step that is not known.
  kernel.body = begin + turn + "1" + end;
  for (const unsigned turns : {40u, 2u}) {
    kernel.n = turns;
    EXPECT_NEAR(kernel.run().latency.chain.global, 1, 0.15);
  }
  kernel.n = 40;
  kernel.body = "mov.u32 %r3, %ntid.y;" + begin + turn + "%r3" + end;
  EXPECT_NEAR(kernel.run().latency.chain.global, 1, 0.15);
}

// A load whose value one of two ways needs first, by the text: the other way, which is the one that runs, waits for it
// all the same.
TEST(Latency, of_a_load_past_a_path_that_does_not_run) {
  CountedKernel kernel;
  kernel.n = 1;
  kernel.body = R"(ld.global.f32 %f1, [%rd0]; setp.ne.u32 %p0, %r1, 0; @%p0 bra OTHER;
    add.f32 %f0, %f1, %f1; st.global.f32 [%rd0+8192], %f0;
    OTHER: add.f32 %f2, %f1, 0f3F800000; st.global.f32 [%rd0+4096], %f2;)";
  EXPECT_NEAR(kernel.run().latency.chain.global, 1, 0.15);
}

// Blocks that wait for a number that the one before them stores, and store theirs. What they store without waiting,
// loads that nothing waits for and loops over data make no chain.
TEST(Latency, of_blocks_for_each_other) {
  CountedKernel kernel;
  kernel.grid = {4, 1, 1};
  const auto waits = [&](const std::string& body) {
    kernel.body = "st.relaxed.gpu.global.u32 [%rd0], 1;" + body;
    return kernel.run().latency.block_waits;
  };
  const std::string wait = "WAIT: ld.relaxed.gpu.global.u32 %r2, [%rd0]; setp.eq.u32 %p0, %r2, 0; @%p0 bra WAIT;",
                    publish = "add.u32 %r5, %r2, 1; st.relaxed.gpu.global.u32 [%rd0+4], %r5;";
  EXPECT_DOUBLE_EQ(waits(wait + publish), 1);
  EXPECT_DOUBLE_EQ(waits(wait + "red.global.add.u32 [%rd0+8], %r2;"), 1);
  EXPECT_DOUBLE_EQ(waits(wait + "st.relaxed.gpu.global.u32 [%rd0+4], %r0; st.global.u32 [%rd0+4096], %r2;"), 0);
  EXPECT_DOUBLE_EQ(waits(R"(mov.u32 %r3, 0;
    TILE: add.u32 %r4, %r3, 1; WAIT: ld.volatile.global.u32 %r2, [%rd0]; setp.ne.u32 %p0, %r2, 0; @%p0 bra DONE; bra WAIT;
    DONE: st.volatile.global.u32 [%rd0+4], %r2; add.u32 %r3, %r3, 1; setp.lt.u32 %p0, %r3, 3; @%p0 bra TILE;)"),
                   3);
  EXPECT_DOUBLE_EQ(waits("mov.u32 %r3, 0; LOOP: ld.volatile.global.u32 %r2, [%rd0]; add.u32 %r3, %r3, 1;"
                         "setp.lt.u32 %p0, %r3, 3; @%p0 bra LOOP;" +
                         publish),
                   0);
  EXPECT_DOUBLE_EQ(waits("LOOP: ld.global.u32 %r2, [%rd0+4096]; setp.ne.u32 %p0, %r2, 0; @%p0 bra LOOP;" + publish), 0);
}

// What a vector has loaded gets other names before it is used: the names do not wait for it, their use does.
TEST(Latency, of_loads_that_get_other_names) {
  CountedKernel kernel;
  for (int k = 0; k < 4; ++k) {
    const std::string r = std::to_string(4 + k), f = std::to_string(k);
    kernel.body +=
        "ld.global.u32 %r" + r + ", [%rd0+" + std::to_string(128 * k) + "]; mov.b32 %f" + f + ", %r" + r + ";";
  }
  kernel.body += "add.f32 %f0, %f0, %f1; add.f32 %f2, %f2, %f3; add.f32 %f0, %f0, %f2; st.global.f32 [%rd0], %f0;";
  EXPECT_NEAR(kernel.run().latency.chain.global, 1, 0.1);
}

// A grid whose last blocks in x and y do less: the sample counts each kind of block for itself, so its totals are
// exact. Atomics come last when a barrier stands before them and no load behind it.
TEST(Latency, knows_atomics_that_come_last) {
  const std::string load = "ld.global.u32 %r2, [%rd0]; ", meet = "bar.sync 0; ",
                    add = "red.global.add.u32 [%rd0], %r2; ";
  auto late = [](const std::string& body) {
    CountedKernel kernel;
    kernel.block = {64, 1, 1}, kernel.body = body;
    return kernel.run().latency.late_atomics;
  };
  EXPECT_EQ(late(load + meet + add), 1);
  EXPECT_EQ(late(load + add), 0);
  EXPECT_EQ(late(load + meet + add + "ld.global.u32 %r3, [%rd0+4]; st.global.u32 [%rd0+8], %r3;"), 0);
  EXPECT_EQ(late(load + add + meet + add), 0.5);
}

}  // namespace
}  // namespace warpwise::perf
