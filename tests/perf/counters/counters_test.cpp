// Kernels whose counts follow from their text: each runs as warps and thread by thread, and both must count the same.
#include <fmt/format.h>

#include "counted_kernel.h"

namespace warpwise::perf {
namespace {

class Counters : public testing::TestWithParam<exec::ModeChoice> {
 protected:
  LaunchCounts run(CountedKernel kernel) {
    kernel.mode = GetParam();
    return kernel.run();
  }
  LaunchCounts run(const std::string& body, uint32_t n = 0, device::Dim3 grid = {1, 1, 1},
                   device::Dim3 block = {32, 1, 1}) {
    CountedKernel kernel;
    kernel.body = body, kernel.n = n, kernel.grid = grid, kernel.block = block;
    return run(kernel);
  }
};

INSTANTIATE_TEST_SUITE_P(Modes, Counters, testing::Values(exec::ModeChoice::Simt, exec::ModeChoice::Independent),
                         [](const auto& info) {
                           return info.param == exec::ModeChoice::Independent ? "split" : "converged";
                         });

// Two blocks of two warps read a float a thread and write it back: 4 requests of 4 sectors each way, 128 bytes a
// request.
TEST_P(Counters, a_copy) {
  const LaunchCounts l = run(R"(
    mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mad.lo.s32 %r4, %r2, %r3, %r0;
    mul.wide.u32 %rd1, %r4, 4; add.s64 %rd2, %rd0, %rd1;
    ld.global.f32 %f0, [%rd2]; st.global.f32 [%rd2+65536], %f0;)",
                             0, {2, 1, 1}, {64, 1, 1});
  EXPECT_EQ(l.totals[Counter::GlobalLoadRequests], 4u);
  EXPECT_EQ(l.totals[Counter::GlobalLoadSectors], 16u);
  EXPECT_EQ(l.totals[Counter::GlobalLoadIdealSectors], 16u);
  EXPECT_EQ(l.totals[Counter::GlobalLoadBytes], 512u);
  EXPECT_EQ(l.totals[Counter::GlobalStoreRequests], 4u);
  EXPECT_EQ(l.totals[Counter::GlobalStoreSectors], 16u);
  EXPECT_EQ(l.totals[Counter::GlobalStoreBytes], 512u);
  EXPECT_EQ(l.blocks, 2u);
  EXPECT_EQ(l.counted_blocks, 2u);
  // Three reads of special registers (tid, ctaid, ntid), mad, mul, add, ld, st, ret: 9 a warp; ld.param, cvta and the
  // rest are none.
  EXPECT_EQ(l.totals[Counter::Instructions], 4u * 9);
  EXPECT_EQ(l.totals[Counter::ThreadInstructions], 4u * 9 * 32);
  EXPECT_EQ(l.totals[Counter::PipeLsu], 4u * 2);
  EXPECT_EQ(l.totals[Counter::MoreUniform], 4u * 4);  // one for each parameter, and two
  // All of it is read for the first time: 16 sectors from memory, none of them hits.
  EXPECT_EQ(l.totals[Counter::L1ReadSectors], 16u);
  EXPECT_EQ(l.totals[Counter::L1ReadHits], 0u);
  EXPECT_EQ(l.totals[Counter::DramReadBytes], 512u);
}

// Lanes n floats apart.
TEST_P(Counters, strides) {
  for (uint32_t stride : {1u, 2u, 8u, 32u}) {
    const LaunchCounts l =
        run("mul.lo.u32 %r2, %r0, %r1; mul.wide.u32 %rd1, %r2, 4; add.s64 %rd2, %rd0, %rd1; ld.global.f32 %f0, [%rd2]; "
            "st.global.f32 [%rd2], %f0;",
            stride);
    EXPECT_EQ(l.totals[Counter::GlobalLoadSectors], std::min(32u, 4 * stride)) << stride;
    EXPECT_EQ(l.totals[Counter::GlobalStoreSectors], std::min(32u, 4 * stride)) << stride;
  }
}

// Elements of 1 to 16 bytes side by side: as many sectors as bytes; vectors are one request.
TEST_P(Counters, widths) {
  struct Case {
    const char* load;
    unsigned bytes;
  };
  for (auto [load, bytes] : {Case{"ld.global.u8 %r5, [%rd2];", 1},
                             {"ld.global.u16 %r5, [%rd2];", 2},
                             {"ld.global.u32 %r5, [%rd2];", 4},
                             {"ld.global.v2.u32 {%r5,%r6}, [%rd2];", 8},
                             {"ld.global.u64 %rd5, [%rd2];", 8},
                             {"ld.global.v4.u32 {%r5,%r6,%r7,%r8}, [%rd2];", 16},
                             {"ld.global.nc.v4.f32 {%f5,%f6,%f7,%f8}, [%rd2];", 16}}) {
    const LaunchCounts l =
        run("mul.wide.u32 %rd1, %r0, " + std::to_string(bytes) + "; add.s64 %rd2, %rd0, %rd1; " + load);
    EXPECT_EQ(l.totals[Counter::GlobalLoadRequests], 1u) << load;
    EXPECT_EQ(l.totals[Counter::GlobalLoadSectors], bytes) << load;
    EXPECT_EQ(l.totals[Counter::GlobalLoadBytes], 32u * bytes) << load;
  }
}

// All lanes read one word, and one that begins 4 bytes behind a sector.
TEST_P(Counters, broadcast_and_offset) {
  LaunchCounts l = run("ld.global.f32 %f0, [%rd0];");
  EXPECT_EQ(l.totals[Counter::GlobalLoadSectors], 1u);
  EXPECT_EQ(l.totals[Counter::GlobalLoadIdealSectors], 1u);
  EXPECT_EQ(l.totals[Counter::GlobalLoadBytes], 4u);  // one word, for 32 registers
  EXPECT_EQ(l.totals[Counter::GlobalLoadRegisterBytes], 128u);
  l = run("mul.wide.u32 %rd1, %r0, 4; add.s64 %rd2, %rd0, %rd1; ld.global.f32 %f0, [%rd2+4];");
  EXPECT_EQ(l.totals[Counter::GlobalLoadSectors], 5u);
}

// A loop of n turns: its five instructions run n times, those around once. The branch is taken by all lanes or by none.
TEST_P(Counters, a_loop) {
  const LaunchCounts l = run(R"(
    mov.u32 %r2, 0;
    LOOP:
    add.f32 %f0, %f0, 0f3f800000; fma.rn.f32 %f1, %f0, %f0, %f1;
    add.u32 %r2, %r2, 1; setp.lt.u32 %p0, %r2, %r1; @%p0 bra LOOP;
    cvt.u64.u32 %rd1, %r0; add.s64 %rd2, %rd0, %rd1; st.global.f32 [%rd0], %f1;)",
                             100, {3, 1, 1}, {256, 1, 1});
  const uint64_t warps = 3 * 8;
  EXPECT_EQ(l.totals[Counter::Ffma], warps * 32 * 100);
  EXPECT_EQ(l.totals[Counter::Fadd], warps * 32 * 100);
  EXPECT_EQ(l.totals[Counter::PipeFma], warps * 200);
  EXPECT_EQ(l.totals[Counter::Branches], warps * 100);
  EXPECT_EQ(l.totals[Counter::UniformBranches], warps * 100);
  EXPECT_EQ(l.totals[Counter::DivergentBranches], 0u);
  // tid, the loop, the sum of addresses, the store, ret.
  EXPECT_EQ(l.totals[Counter::Instructions], warps * (1 + 500 + 1 + 1 + 1));
}

// Lanes below 8 take one way, the others another: the warp runs both, with 8 and 24 lanes.
TEST_P(Counters, divergence) {
  const LaunchCounts l = run(R"(
    mul.wide.u32 %rd1, %r0, 4; add.s64 %rd2, %rd0, %rd1;
    setp.lt.u32 %p0, %r0, 8; @%p0 bra LOW;
    ld.global.f32 %f0, [%rd2]; bra JOIN;
    LOW: ld.global.f32 %f1, [%rd2+4096];
    JOIN: st.global.f32 [%rd2+8192], %f0;)");
  EXPECT_EQ(l.totals[Counter::DivergentBranches], 1u);
  EXPECT_EQ(l.totals[Counter::Branches], 2u);
  EXPECT_EQ(l.totals[Counter::GlobalLoadRequests], 2u);
  EXPECT_EQ(l.totals[Counter::GlobalLoadSectors], 3u + 1u);  // 24 lanes fill 3 sectors, 8 lanes one
  EXPECT_EQ(l.totals[Counter::GlobalStoreRequests], 1u);
  // tid, mul, add, setp, bra of 32 lanes; ld and bra of 24; ld of 8; st and ret of 32.
  EXPECT_EQ(l.totals[Counter::Instructions], 5u + 2 + 1 + 2);
  EXPECT_EQ(l.totals[Counter::ThreadInstructions], 5u * 32 + 2 * 24 + 8 + 2 * 32);
}

// Lane l goes round l + 1 times: the warp 32 times, the lanes 528 times in all; at every branch but the last some
// leave.
TEST_P(Counters, lanes_leave_a_loop_one_by_one) {
  const LaunchCounts l = run(R"(
    mov.u32 %r2, 0;
    LOOP: add.f32 %f0, %f0, 0f3f800000; add.u32 %r2, %r2, 1; setp.le.u32 %p0, %r2, %r0; @%p0 bra LOOP;
    st.global.f32 [%rd0], %f0;)");
  EXPECT_EQ(l.totals[Counter::Fadd], 32u * 33 / 2);
  EXPECT_EQ(l.totals[Counter::PipeFma], 32u);
  EXPECT_EQ(l.totals[Counter::Branches], 32u);
  EXPECT_EQ(l.totals[Counter::DivergentBranches], 31u);
}

// A guard that is false for all lanes: an instruction, but no request. One that lets ten lanes through: a request of
// ten.
TEST_P(Counters, guards) {
  const LaunchCounts l = run(R"(
    mul.wide.u32 %rd1, %r0, 4; add.s64 %rd2, %rd0, %rd1;
    setp.gt.u32 %p0, %r0, 99; setp.lt.u32 %p1, %r0, 10;
    @%p0 ld.global.f32 %f0, [%rd2]; @%p1 ld.global.f32 %f1, [%rd2]; @%p1 add.f32 %f2, %f1, %f1;
    st.global.f32 [%rd2], %f2;)");
  EXPECT_EQ(l.totals[Counter::GlobalLoadRequests], 1u);
  EXPECT_EQ(l.totals[Counter::GlobalLoadBytes], 40u);
  EXPECT_EQ(l.totals[Counter::GlobalLoadSectors], 2u);
  EXPECT_EQ(l.totals[Counter::Fadd], 10u);
  EXPECT_EQ(l.totals[Counter::PipeLsu], 3u);
  EXPECT_EQ(l.totals[Counter::Instructions], 10u);  // tid, mul, add, two setp, two ld, add, st, ret
  EXPECT_EQ(l.totals[Counter::ThreadInstructionsOn], 7u * 32 + 0 + 10 + 10);
}

// 40 threads: a whole warp and one of 8 lanes.
TEST_P(Counters, a_partial_warp) {
  const LaunchCounts l =
      run("mul.wide.u32 %rd1, %r0, 4; add.s64 %rd2, %rd0, %rd1; ld.global.f32 %f0, [%rd2]; st.global.f32 [%rd2], %f0;",
          0, {1, 1, 1}, {40, 1, 1});
  EXPECT_EQ(l.totals[Counter::GlobalLoadRequests], 2u);
  EXPECT_EQ(l.totals[Counter::GlobalLoadSectors], 5u);
  EXPECT_EQ(l.totals[Counter::ThreadInstructions], 40u * l.totals[Counter::Instructions] / 2);
}

// Words s apart in shared memory take gcd(s, 32) passes.
TEST_P(Counters, bank_conflicts) {
  for (auto [stride, passes] : {std::pair{1u, 1u}, {2u, 2u}, {8u, 8u}, {32u, 32u}, {33u, 1u}}) {
    CountedKernel kernel;
    kernel.n = stride;
    kernel.body = R"(.shared .align 16 .b8 tile[4352]; .reg .b32 %a;
      mul.lo.u32 %r2, %r0, %r1; shl.b32 %r2, %r2, 2; mov.u32 %a, tile; add.u32 %r3, %a, %r2;
      st.shared.u32 [%r3], %r0; bar.sync 0; ld.shared.u32 %r4, [%r3];
      cvt.u64.u32 %rd1, %r4; st.global.u32 [%rd0], %r4;)";
    const LaunchCounts l = run(kernel);
    EXPECT_EQ(l.totals[Counter::SharedLoads], 1u);
    EXPECT_EQ(l.totals[Counter::SharedLoadWavefronts], passes) << stride;
    EXPECT_EQ(l.totals[Counter::SharedLoadConflicts], passes - 1) << stride;
    EXPECT_EQ(l.totals[Counter::SharedStoreWavefronts], passes) << stride;
    EXPECT_EQ(l.totals[Counter::SharedConflicts32], 2 * (passes - 1)) << stride;
    EXPECT_EQ(l.totals[Counter::Barriers], 1u);
    EXPECT_EQ(l.barriers_used, 1u);
  }
}

// Quads of the measured case: 16 bytes apart 4 passes, 128 bytes apart 32.
TEST_P(Counters, quads_in_shared_memory) {
  for (auto [stride, passes] : {std::pair{16u, 4u}, {128u, 32u}}) {
    CountedKernel kernel;
    kernel.n = stride;
    kernel.body = R"(.shared .align 16 .b8 tile[4096];
      mul.lo.u32 %r2, %r0, %r1; mov.u32 %r3, tile; add.u32 %r3, %r3, %r2;
      ld.shared.v4.u32 {%r4,%r5,%r6,%r7}, [%r3]; add.u32 %r4, %r4, %r7; st.global.u32 [%rd0], %r4;)";
    const LaunchCounts l = run(kernel);
    EXPECT_EQ(l.totals[Counter::SharedLoadWavefronts], passes);
    EXPECT_EQ(l.totals[Counter::SharedConflicts128], passes - 4);
    EXPECT_EQ(l.totals[Counter::SharedLoadBytes], 512u);
  }
}

// red to one word by all lanes: one sector, 31 lanes that collide; atom to a word each: four sectors.
TEST_P(Counters, atomics) {
  LaunchCounts l = run("red.global.add.u32 [%rd0], 1;", 0, {2, 1, 1});
  EXPECT_EQ(l.totals[Counter::GlobalReductionRequests], 2u);
  EXPECT_EQ(l.totals[Counter::GlobalReductionSectors], 2u);
  EXPECT_EQ(l.totals[Counter::GlobalAtomicLanes], 64u);
  EXPECT_EQ(l.totals[Counter::GlobalAtomicCollisions], 62u);
  EXPECT_EQ(l.totals[Counter::L2ReductionSectors], 2u);
  EXPECT_EQ(l.totals[Counter::GlobalAtomicContention], 2u * 4);  // integers: ptxas lets one lane add for its warp
  l = run("red.global.add.f32 [%rd0], 0f3f800000;", 0, {2, 1, 1});
  EXPECT_EQ(l.totals[Counter::GlobalAtomicContention], 2u * 32 * 10);  // floats one by one
  l = run("atom.global.add.u32 %r5, [%rd0], 1;");
  EXPECT_EQ(l.totals[Counter::GlobalReductionRequests], 1u);  // %r5 is not read
  EXPECT_EQ(l.totals[Counter::GlobalAtomicRequests], 0u);
  l = run("atom.global.exch.b32 %r5, [%rd0], 1;");
  EXPECT_EQ(l.totals[Counter::GlobalAtomicRequests], 1u);  // there is no reduction that exchanges
  l =
      run("mul.wide.u32 %rd1, %r0, 4; add.s64 %rd2, %rd0, %rd1; atom.global.add.u32 %r5, [%rd2], 1; st.global.u32 "
          "[%rd2+4096], %r5;");
  EXPECT_EQ(l.totals[Counter::GlobalAtomicRequests], 1u);
  EXPECT_EQ(l.totals[Counter::GlobalAtomicSectors], 4u);
  EXPECT_EQ(l.totals[Counter::GlobalAtomicCollisions], 0u);
  EXPECT_EQ(l.totals[Counter::L2AtomicSectors], 4u);
  EXPECT_EQ(l.totals[Counter::GlobalAtomicContention], 4u * 3);  // four sectors of a line, eight words each at once
}

// A thread writes 32 bytes in two stores: each touches 32 sectors, and they leave for L2 filled. On two halves of L2
// half of them pass through both.
TEST_P(Counters, stores_that_fill_sectors) {
  const LaunchCounts l =
      run("mul.wide.u32 %rd1, %r0, 32; add.s64 %rd2, %rd0, %rd1; mov.f32 %f0, 0f00000000;"
          "st.global.v4.f32 [%rd2], {%f0,%f0,%f0,%f0}; st.global.v4.f32 [%rd2+16], {%f0,%f0,%f0,%f0};");
  EXPECT_EQ(l.totals[Counter::GlobalStoreSectors], 64u);
  EXPECT_EQ(l.totals[Counter::L2WriteSectors], 32u);
  EXPECT_EQ(l.totals[Counter::L2AllWriteSectors], 48u);
}

// What a block has written L2 has: it does not come from memory when the block reads it.
TEST_P(Counters, reads_of_what_was_written) {
  const LaunchCounts l =
      run("mul.wide.u32 %rd1, %r0, 4; add.s64 %rd2, %rd0, %rd1; st.global.u32 [%rd2], %r0; ld.global.cg.u32 %r5, "
          "[%rd2]; st.global.u32 [%rd2+4096], %r5;");
  EXPECT_EQ(l.totals[Counter::L2ReadSectors], 4u);
  EXPECT_EQ(l.totals[Counter::DramReadBytes], 0u);
}

// Turns at a slice of L2 (atomic_turns.h): a whole sector 3, a part of one 4, a lane that finds its word taken 4 more;
// in floating point it waits for the lane before it as well.
TEST_P(Counters, turns_of_atomics) {
  struct {
    const char *body, *what;
    uint64_t turns;
  } rows[] = {
      {"red.global.add.u32 [%rd0], 1;", "an address of the launch: one lane adds for all", 4},
      {"and.b32 %r2, %r0, 0; mad.wide.u32 %rd1, %r2, 4, %rd0; red.global.add.u32 [%rd1], 1;",
       "the same address, as it turns out", 32 * 4},
      {"red.global.add.f32 [%rd0], 0f3f800000;", "floats", 32 * 4},
      {"mad.wide.u32 %rd1, %r0, 4, %rd0; red.global.add.u32 [%rd1], 1;", "neighbours", 4 * 3},
      {"mad.wide.u32 %rd1, %r0, 32, %rd0; red.global.add.u32 [%rd1], 1;", "a word of each sector", 32 * 4},
      {"mad.wide.u32 %rd1, %r0, 4, %rd0; atom.global.cas.b32 %r2, [%rd1], 0, 1; st.global.u32 [%rd1+4096], %r2;",
       "compare and swap", 4 * (3 + 4)},
      {"mad.wide.u32 %rd1, %r0, 8, %rd0; red.global.add.f64 [%rd1], 0d3ff0000000000000;", "doubles", 8 * (3 + 4)},
  };
  for (const auto& row : rows) EXPECT_EQ(run(row.body).totals[Counter::GlobalAtomicTurns], row.turns) << row.what;
  // Four lines of 128 bytes are one slice's.
  const LaunchCounts l = run("mad.wide.u32 %rd1, %r0, 16, %rd0; red.global.add.u32 [%rd1], 1;");
  EXPECT_EQ(l.totals[Counter::GlobalAtomicTurns], 16u * 4);
  EXPECT_EQ(l.totals[Counter::GlobalAtomicContention], 16u * 4);
}

// A generic address is counted in the memory that it turns out to be in.
TEST_P(Counters, generic_addresses) {
  CountedKernel kernel;
  kernel.body = R"(.shared .align 16 .b8 tile[128]; .reg .b64 %g;
    mul.wide.u32 %rd1, %r0, 4; mov.u64 %rd3, tile; cvta.shared.u64 %g, %rd3; add.s64 %g, %g, %rd1; add.s64 %rd2, %rd0, %rd1;
    st.u32 [%g], %r0; ld.u32 %r2, [%g]; st.u32 [%rd2], %r2;)";
  const LaunchCounts l = run(kernel);
  EXPECT_EQ(l.totals[Counter::SharedStores], 1u);
  EXPECT_EQ(l.totals[Counter::SharedLoads], 1u);
  EXPECT_EQ(l.totals[Counter::GlobalStoreRequests], 1u);
  EXPECT_EQ(l.totals[Counter::GlobalStoreSectors], 4u);
}

// An array of each thread: the same element everywhere is four sectors.
TEST_P(Counters, local_memory) {
  CountedKernel kernel;
  kernel.n = 3;
  kernel.body = R"(.local .align 4 .b8 own[64]; .reg .b64 %l;
    mul.wide.u32 %rd1, %r1, 4; mov.u64 %l, own; add.s64 %l, %l, %rd1;
    st.local.u32 [%l], %r0; ld.local.u32 %r2, [%l]; st.global.u32 [%rd0], %r2;)";
  const LaunchCounts l = run(kernel);
  EXPECT_EQ(l.totals[Counter::LocalStoreRequests], 1u);
  EXPECT_EQ(l.totals[Counter::LocalStoreSectors], 4u);
  EXPECT_EQ(l.totals[Counter::LocalLoadSectors], 4u);
  EXPECT_EQ(l.totals[Counter::L1ReadHits], 4u);  // what was stored is there
  EXPECT_EQ(l.local_bytes, 64u);
}

// Four warps read the same 128 bytes twice: one comes from memory, L1 has the rest.
TEST_P(Counters, reuse_in_l1) {
  const LaunchCounts l = run(R"(and.b32 %r2, %r0, 31; mul.wide.u32 %rd1, %r2, 4; add.s64 %rd2, %rd0, %rd1;
    ld.global.f32 %f0, [%rd2]; ld.global.f32 %f1, [%rd2]; add.f32 %f0, %f0, %f1; st.global.f32 [%rd2+4096], %f0;)",
                             0, {1, 1, 1}, {128, 1, 1});
  EXPECT_EQ(l.totals[Counter::L1ReadSectors], 32u);
  EXPECT_EQ(l.totals[Counter::L1ReadHits], 28u);
  EXPECT_EQ(l.totals[Counter::L2ReadSectors], 4u);
  EXPECT_EQ(l.totals[Counter::DramReadBytes], 128u);
}

// Twelve bytes apart lanes touch three lines, 64 bytes apart sixteen.
TEST_P(Counters, lines_of_strided_loads) {
  for (const auto& [stride, sectors, lines] : {std::array{12u, 12u, 3u}, {64u, 32u, 16u}, {4u, 4u, 1u}}) {
    const LaunchCounts l = run("mul.lo.u32 %r2, %r0, " + std::to_string(stride) +
                               "; cvt.u64.u32 %rd1, %r2; add.s64 %rd1, %rd0, %rd1; ld.global.f32 %f0, [%rd1]; "
                               "st.global.f32 [%rd1], %f0;");
    EXPECT_EQ(l.totals[Counter::GlobalLoadSectors], sectors);
    EXPECT_EQ(l.totals[Counter::GlobalLoadLines], lines);
    EXPECT_EQ(l.totals[Counter::GlobalStoreLines], lines);
  }
}

// ld.cg asks L2: L1 has nothing of it.
TEST_P(Counters, loads_past_l1) {
  const LaunchCounts l =
      run("ld.global.cg.f32 %f0, [%rd0]; ld.global.cg.f32 %f1, [%rd0]; add.f32 %f0, %f0, %f1; st.global.f32 "
          "[%rd0+4096], %f0;");
  EXPECT_EQ(l.totals[Counter::L1ReadHits], 0u);
  EXPECT_EQ(l.totals[Counter::L2ReadSectors], 2u);
  EXPECT_EQ(l.totals[Counter::DramReadBytes], 64u);  // L2 reads two sectors at a time
}

// The second warp goes through the loop a hundred times, the other three once.
TEST_P(Counters, the_longest_warp) {
  const LaunchCounts l = run(R"(
    shr.u32 %r2, %r0, 5; setp.eq.u32 %p0, %r2, 1; selp.u32 %r3, 100, 1, %p0;
    LOOP: sub.u32 %r3, %r3, 1; setp.ne.u32 %p1, %r3, 0; @%p1 bra LOOP;)",
                             0, {5, 1, 1}, {128, 1, 1});
  // Of each warp: three reads of parameters and the like, which are instructions of PTX, too, before the four that the
  // test has written, the loop, and ret.
  const double others = 4 + 3 + 3 + 1, longest = others + 99 * 3;
  EXPECT_NEAR(l.longest_warp.instructions, longest / ((longest + 3 * others) / 4), 0.001);
}

// All warps load once, and the second adds up what is there already: it is the longest, but not by its loads.
TEST_P(Counters, the_loads_of_the_longest_warp) {
  const LaunchCounts l = run(R"(
    ld.global.u32 %r4, [%rd0]; st.global.u32 [%rd0+64], %r4;
    shr.u32 %r2, %r0, 5; setp.eq.u32 %p0, %r2, 1; selp.u32 %r3, 1000, 1, %p0;
    LOOP: sub.u32 %r3, %r3, 1; setp.ne.u32 %p1, %r3, 0; @%p1 bra LOOP;)",
                             0, {5, 1, 1}, {128, 1, 1});
  EXPECT_GT(l.longest_warp.instructions, 3.5);
  EXPECT_NEAR(l.longest_warp.loads, 1, 0.001);
  EXPECT_NEAR(l.longest_warp_of_all.loads, 1, 0.001);
}

// One warp of the last block goes through the loop a hundred times, the other 19 once.
TEST_P(Counters, the_longest_warp_of_all) {
  const LaunchCounts l = run(R"(
    mov.u32 %r4, %ctaid.x; shr.u32 %r2, %r0, 5; setp.eq.u32 %p0, %r2, 1; setp.eq.and.u32 %p0, %r4, 4, %p0;
    selp.u32 %r3, 100, 1, %p0;
    LOOP: sub.u32 %r3, %r3, 1; setp.ne.u32 %p1, %r3, 0; @%p1 bra LOOP;)",
                             0, {5, 1, 1}, {128, 1, 1});
  const double others = 4 + 5 + 3 + 1, longest = others + 99 * 3;
  EXPECT_NEAR(l.longest_warp_of_all.instructions, longest / ((longest + 19 * others) / 20), 0.001);
}

// Integers of 64 bits are added and compared word by word; a constant's lower word, where it is not 0, needs two moves.
// A product that several additions read is part of each of them.
TEST(Counters, sass_of_64_bits) {
  auto of = [](const std::string& body) {
    CountedKernel kernel;
    kernel.body = body;
    return kernel.run().totals;
  };
  EXPECT_EQ(of("xor.b64 %rd2, %rd0, %rd1;")[Counter::MoreAlu], 1u);
  EXPECT_EQ(of("xor.b32 %r2, %r0, %r1;")[Counter::MoreAlu], 0u);
  EXPECT_EQ(of("and.b64 %rd2, %rd0, 255;")[Counter::MoreAlu], 0u);
  EXPECT_EQ(of("shr.u64 %rd2, %rd0, 40;")[Counter::MoreAlu], 0u);
  EXPECT_EQ(of("shr.u64 %rd2, %rd0, 40;")[Counter::FusedAlu], 0u);
  EXPECT_EQ(of("shr.u64 %rd2, %rd0, 32;")[Counter::FusedAlu], 1u);
  EXPECT_EQ(of("and.b64 %rd2, %rd0, 4294967295;")[Counter::FusedAlu], 1u);
  EXPECT_EQ(of("mov.f64 %d0, 0d3FB999999999999A;")[Counter::MoreUniform], of("")[Counter::MoreUniform] + 2);
  EXPECT_EQ(of("mov.f64 %d0, 0d3FF8000000000000;")[Counter::MoreUniform], of("")[Counter::MoreUniform]);
  const Counts two = of("mul.wide.u32 %rd1, %r0, 4; add.s64 %rd2, %rd0, %rd1; add.s64 %rd3, %rd0, %rd1;");
  EXPECT_EQ(two[Counter::FusedAlu], 1u);
  EXPECT_EQ(two[Counter::MoreAlu], 0u);
}

// What has three operands at most, of several instructions of PTX: IADD3, LOP3, as ptxas 13 makes them of these
// for 9.0.
TEST(Counters, sums_and_logic_of_three) {
  auto fused = [](const std::string& body) {
    CountedKernel kernel;
    kernel.body = body + "st.global.u32 [%rd0], %r5;";
    return kernel.run().totals[Counter::FusedAlu];
  };
  EXPECT_EQ(fused("and.b32 %r2, %r0, %r1; xor.b32 %r3, %r2, %r0; or.b32 %r4, %r3, %r1; and.b32 %r5, %r4, 255;"), 3u);
  EXPECT_EQ(fused("and.b32 %r2, %r0, %r1; not.b32 %r3, %r0; and.b32 %r4, %r3, 255; or.b32 %r5, %r4, %r2;"), 3u);
  EXPECT_EQ(fused("and.b32 %r2, %r0, %r1; xor.b32 %r3, %r2, 255; xor.b32 %r5, %r3, 7;"), 1u);  // of four
  EXPECT_EQ(fused("sub.s32 %r2, %r0, %r1; add.s32 %r5, %r2, 7;"), 1u);
  EXPECT_EQ(fused("add.u32 %r2, %r0, %r1; add.u32 %r3, %r2, %r0; add.u32 %r5, %r2, %r3;"), 1u);  // %r2 is read twice
  EXPECT_EQ(fused("add.u32 %r2, %r0, %r1; and.b32 %r5, %r2, 7;"), 0u);
  EXPECT_EQ(fused("shl.b32 %r2, %r0, 2; add.u32 %r3, %r1, %r2; add.u32 %r5, %r3, %r0;"), 1u);  // LEA is full
}

// L1 looks up lines of sectors in different places together: 33 words apart, eight lanes have each place.
TEST_P(Counters, lines_of_loads_in_all_places) {
  const LaunchCounts l =
      run("mul.lo.u32 %r2, %r0, 132; cvt.u64.u32 %rd1, %r2; add.s64 %rd1, %rd0, %rd1; "
          "ld.global.f32 %f0, [%rd1]; st.global.f32 [%rd1], %f0;");
  EXPECT_EQ(l.totals[Counter::GlobalLoadSectors], 32u);
  EXPECT_EQ(l.totals[Counter::GlobalLoadLines], 8u);
  EXPECT_EQ(l.totals[Counter::GlobalStoreLines], 32u);
}

// A loaded byte fills its register with zeros; of several in one load each is taken out of it.
TEST(Counters, loaded_bytes) {
  auto of = [](const std::string& body) {
    CountedKernel kernel;
    kernel.body = body + "st.global.u32 [%rd0], %r5;";
    return kernel.run().totals;
  };
  EXPECT_EQ(of("ld.global.u8 %h0, [%rd0]; cvt.u32.u16 %r2, %h0; and.b32 %r5, %r2, 255;")[Counter::FusedAlu], 2u);
  EXPECT_EQ(of("ld.global.s8 %h0, [%rd0]; cvt.s32.s16 %r5, %h0;")[Counter::FusedAlu], 0u);
  EXPECT_EQ(of("ld.global.u8 %h0, [%rd0]; cvt.u32.u16 %r2, %h0; and.b32 %r5, %r2, 127;")[Counter::FusedAlu], 1u);
  EXPECT_EQ(of("ld.global.v2.u8 {%h0, %h1}, [%rd0]; cvt.u32.u16 %r5, %h1;")[Counter::MoreAlu], 2u);
}

// A sum of two goes to either pipe of integers, where there is more for that of sums and logic.
TEST(Counters, sums_on_two_pipes) {
  auto of = [](const std::string& body) {
    CountedKernel kernel;
    kernel.body = body + "st.global.v4.u32 [%rd0], {%r2, %r3, %r4, %r5};";
    return kernel.run().totals;
  };
  const std::string sums =
      "add.u32 %r2, %r0, 1; add.u32 %r3, %r1, 2; add.u32 %r4, %r0, 3; add.u32 %r5, %r1, 4; and.b32 %r2, %r2, 7;";
  EXPECT_EQ(of(sums)[Counter::PipeFma], 2u);
  std::string products;
  for (int n = 0; n < 8; ++n) products += "mul.f32 %f1, %f1, %f1;";
  EXPECT_EQ(of(sums + products)[Counter::PipeFma], 8u);
}

// A word of local memory, stored and loaded, that ptxas keeps in a register.
TEST(Counters, local_memory_in_registers) {
  CountedKernel kernel;
  kernel.body = R"(.local .align 4 .b8 mine[4]; mov.u64 %rd2, mine;
    st.local.u32 [%rd2], %r0; ld.local.u32 %r2, [%rd2]; st.global.u32 [%rd0], %r2;)";
  Counts counts = kernel.run().totals;
  const uint64_t instructions = counts[Counter::Instructions];
  EXPECT_EQ(counts[Counter::LocalStoreSectors], 4u);
  EXPECT_EQ(counts[Counter::L2WriteSectors], 5u);
  drop_local_memory(counts);
  EXPECT_EQ(counts[Counter::LocalStoreSectors], 0u);
  EXPECT_EQ(counts[Counter::LocalLoadRequests], 0u);
  EXPECT_EQ(counts[Counter::L1ReadSectors], 0u);
  EXPECT_EQ(counts[Counter::L2WriteSectors], 1u);
  EXPECT_EQ(counts[Counter::PipeLsu], 1u);
  EXPECT_EQ(counts[Counter::Instructions], instructions);
}

// What ptxas makes several of (sass_forms.inc), and what it makes part of another: counted apart, PTX's own counts
// stay.
TEST_P(Counters, forms_of_sass) {
  const LaunchCounts division =
      run("mov.f32 %f0, 3.0; mov.f32 %f1, 7.0; div.rn.f32 %f0, %f0, %f1; st.global.f32 [%rd0], %f0;");
  EXPECT_EQ(division.totals[Counter::Instructions], 4u);  // the thread's number, div, st, ret
  EXPECT_EQ(division.totals[Counter::MoreFma], 6u);
  EXPECT_EQ(division.totals[Counter::MoreXu], 1u);  // PTX's own is the guess; the other looks whether it is good
  const LaunchCounts address =
      run("and.b32 %r2, %r0, 31; mul.wide.u32 %rd1, %r2, 4; add.s64 %rd2, %rd0, %rd1; st.global.f32 [%rd2], %f0;");
  EXPECT_EQ(address.totals[Counter::Instructions], 6u);
  EXPECT_EQ(address.totals[Counter::FusedAlu], 1u);  // mul.wide and add are IMAD.WIDE
}

// 264 blocks, two to each of 132 SMs: of a table of 4 KiB that all of them read, each SM asks L2 once; the line of its
// own that each has is not shared, and neither is the word that all add to, which L1 does not keep.
TEST(SharedInL1, a_table_of_all_blocks) {
  CountedKernel kernel;
  kernel.grid = {264, 1, 1};
  kernel.body = R"(
    mov.u32 %r2, %ctaid.x; shl.b32 %r2, %r2, 7; shl.b32 %r3, %r0, 2; add.u32 %r2, %r2, %r3;
    cvt.u64.u32 %rd1, %r2; add.s64 %rd1, %rd0, %rd1; ld.global.f32 %f0, [%rd1+65536];
    red.global.add.u32 [%rd0+524288], %r0;)";
  const LaunchCounts alone = kernel.run();
  EXPECT_EQ(alone.totals[Counter::L2ReadSectors], 264u * 4);
  EXPECT_EQ(alone.totals[Counter::L1ReadHits], 0u);
  kernel.body += R"(
    cvt.u64.u32 %rd2, %r3; add.s64 %rd2, %rd0, %rd2; mov.u32 %r4, 0;
    LOOP: ld.global.f32 %f1, [%rd2]; add.s64 %rd2, %rd2, 128; add.u32 %r4, %r4, 1; setp.lt.u32 %p0, %r4, 32; @%p0 bra LOOP;)";
  const LaunchCounts table = kernel.run();
  EXPECT_NEAR(double(table.totals[Counter::L2ReadSectors]), 264 * 4 + 132 * 128, 2);
  EXPECT_NEAR(double(table.totals[Counter::L1ReadHits]), 132 * 128, 2);
}

// One warp of four goes where a short branch leads: the others start its two instructions, too, and the branch is none.
// What ends in a barrier stays a branch.
TEST_P(Counters, short_branches_become_predicates) {
  CountedKernel kernel;
  kernel.mode = GetParam();
  kernel.block = {128, 1, 1};
  kernel.body =
      "setp.ge.u32 %p0, %r0, 32; @%p0 bra DONE; add.f32 %f0, %f0, 0f3f800000; st.global.f32 [%rd0], %f0; DONE: add.u32 "
      "%r2, %r0, %r1;";
  const LaunchCounts predicated = kernel.run();
  EXPECT_EQ(predicated.totals[Counter::Instructions],
            4u * (1 + 2 + 1 + 1) + 2);  // PTX's own: tid, setp, bra, add, ret; and the two of one warp
  EXPECT_EQ(predicated.totals[Counter::PredicatedOff], 3u * 2);
  EXPECT_EQ(predicated.totals[Counter::FusedBranches], 4u);
  kernel.body = "setp.ge.u32 %p0, %r0, 128; @%p0 bra DONE; bar.sync 0; DONE: add.u32 %r2, %r0, %r1;";
  const LaunchCounts branch = kernel.run();
  EXPECT_EQ(branch.totals[Counter::PredicatedOff], 0u);
  EXPECT_EQ(branch.totals[Counter::FusedBranches], 0u);
}

// Memory of the host is read and written over PCIe each time, and is no traffic of the GPU's memory.
TEST(Counters, memory_of_the_host) {
  CountedKernel kernel;
  kernel.memory = device::MemoryKind::Pinned;
  kernel.body = R"(mul.wide.u32 %rd1, %r0, 4; add.s64 %rd1, %rd0, %rd1;
    ld.global.f32 %f0, [%rd1]; st.global.f32 [%rd1+4096], %f0;)";
  LaunchCounts l = kernel.run();
  EXPECT_EQ(l.totals[Counter::HostReadSectors], 4u);
  EXPECT_EQ(l.totals[Counter::HostWriteSectors], 4u);
  EXPECT_EQ(l.totals[Counter::DramReadBytes], 0u);
  kernel.memory = device::MemoryKind::Device;
  l = kernel.run();
  EXPECT_EQ(l.totals[Counter::HostReadSectors], 0u);
  EXPECT_EQ(l.totals[Counter::DramReadBytes], 128u);
}

// A product of a warp: 2 * 16 * 8 * 16 operations.
TEST(CountersOfProducts, mma) {
  CountedKernel kernel;
  kernel.body =
      R"(mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%r2,%r3,%r4,%r5}, {%r6,%r7}, {%f4,%f5,%f6,%f7};
    st.global.f32 [%rd0], %f0;)";
  const LaunchCounts l = kernel.run();
  EXPECT_EQ(l.totals[Counter::PipeTensor], 1u);
  EXPECT_EQ(l.totals[Counter::TensorF16Ops], 4096u);
}

// Products of the fifth generation, whose shape is in a register: two of 128 x 8 by k = 16 in each of two blocks.
TEST(CountersOfProducts, tcgen05) {
  CountedKernel kernel;
  kernel.device = "b200", kernel.target = "sm_100a";
  kernel.grid = {2, 1, 1};
  kernel.declarations = ".shared .align 1024 .b8 operands[17408];\n.shared .align 4 .b32 place;\n";
  kernel.body = R"(
    tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [place], 32;
    setp.ne.u32 %p1, %r0, 0; setp.ne.u32 %p2, 0, 0; ld.shared.u32 %r2, [place];
    mov.u32 %r3, operands; shr.u32 %r3, %r3, 4; cvt.u64.u32 %rd2, %r3; or.b64 %rd2, %rd2, 0x4000404000010000;
    mov.b32 %r4, 0x8020010;
    @%p1 bra DONE;
    tcgen05.mma.cta_group::1.kind::f16 [%r2], %rd2, %rd2, %r4, %p2;
    tcgen05.mma.cta_group::1.kind::f16 [%r2], %rd2, %rd2, %r4, %p1;
    DONE: bar.warp.sync 0xffffffff;
    tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r2, 32;)";
  const LaunchCounts l = kernel.run();
  EXPECT_EQ(l.totals[Counter::TensorF16Ops], 2u * 2 * (2 * 128 * 8 * 16));
  EXPECT_EQ(l.totals[Counter::TensorWgmmaOps], l.totals[Counter::TensorF16Ops]);
}

// A bulk copy of 4096 bytes there and back: 128 sectors each way through L2, none of them through L1, and as many bytes
// of memory. The second load finds in L2 what the first one brought.
TEST(Bulk, copies_are_traffic) {
  CountedKernel kernel;
  kernel.declarations = ".shared .align 128 .b8 tile[4096];\n.shared .align 8 .b64 bar;\n";
  kernel.body = R"(
    setp.ne.u32 %p1, %r0, 0; @%p1 bra END;
    mov.u32 %r2, tile; mov.u32 %r3, bar; mov.u32 %r4, 0;
    mbarrier.init.shared.b64 [%r3], 1;
    AGAIN: mbarrier.arrive.expect_tx.shared.b64 %rd2, [%r3], 4096;
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd0], 4096, [%r3];
    WAIT: mbarrier.try_wait.shared.b64 %p2, [%r3], %rd2; @!%p2 bra WAIT;
    add.u32 %r4, %r4, 1; setp.lt.u32 %p3, %r4, 2; @%p3 bra AGAIN;
    add.s64 %rd3, %rd0, 8192;
    cp.async.bulk.global.shared::cta.bulk_group [%rd3], [%r2], 4096;
    cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
    END:)";
  const LaunchCounts l = kernel.run();
  EXPECT_EQ(l.totals[Counter::BulkCopies], 3u);
  EXPECT_EQ(l.totals[Counter::BulkLoadBytes], 8192u);
  EXPECT_EQ(l.totals[Counter::BulkStoreBytes], 4096u);
  EXPECT_EQ(l.totals[Counter::L2ReadSectors], 256u);
  EXPECT_EQ(l.totals[Counter::L2WriteSectors], 128u);
  EXPECT_EQ(l.totals[Counter::L1ReadSectors], 0u);
  EXPECT_EQ(l.totals[Counter::DramReadBytes], 4096u);
}

// Sources of lines: a place, and the call through which another was inlined.
TEST(Lines, follow_inlining) {
  CountedKernel kernel;
  kernel.declarations = ".file 1 \"k.cu\"\n.file 2 \"helper.cuh\"";
  kernel.body = R"(
    .loc 1 10 3
    mul.wide.u32 %rd1, %r0, 4; add.s64 %rd2, %rd0, %rd1;
    .loc 1 11 5
    ld.global.f32 %f0, [%rd2];
    .loc 2 7 9, function_name $name, inlined_at 1 11 5
    st.global.f32 [%rd2], %f0;)";
  kernel.body += "\n";
  const LaunchCounts l = kernel.run();
  const LineCounts* inlined = nullptr;
  for (const LineCounts& line : l.lines)
    if (!line.frames.empty() && line.frames[0].line == 7) inlined = &line;
  ASSERT_NE(inlined, nullptr);
  ASSERT_EQ(inlined->frames.size(), 2u);
  EXPECT_EQ(inlined->frames[0].file, "helper.cuh");
  EXPECT_EQ(inlined->frames[1].file, "k.cu");
  EXPECT_EQ(inlined->frames[1].line, 11u);
  EXPECT_EQ(inlined->counts[Counter::GlobalStoreSectors], 4u);
}

}  // namespace
}  // namespace warpwise::perf
