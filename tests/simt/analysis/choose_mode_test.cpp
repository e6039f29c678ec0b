// Which kernels run in SIMT mode, which in independent-warp mode and which in independent-thread mode
// (simt/analysis/choose_mode.h): the compiler is asked.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "exec/loading/compiler_plugin.h"
#include "ptx/parse/parser.h"

namespace warpwise::simt {
namespace {

// The kernel of tests/ptx/exec/FILE for blocks of 64 threads; `replace` makes a variant of it.
CompiledKernel compiled(const std::string& file, const std::string& what = "", const std::string& with = "") {
  std::ifstream in(WARPWISE_SOURCE_DIR "/tests/ptx/exec/" + file);
  std::stringstream text;
  text << in.rdbuf();
  std::string ptx = text.str();
  if (!what.empty()) {
    size_t at = ptx.find(what);
    EXPECT_NE(at, ptx.npos) << file << " has no `" << what << "`";
    if (at != ptx.npos) ptx.replace(at, what.size(), with);
  }
  Diagnostics diagnostics;
  auto module = ptx::load(std::make_shared<SourceText>(file, ptx), diagnostics);
  auto compiler = exec::compiler_plugin("").open();
  if (!module || !compiler.ok()) {
    ADD_FAILURE() << file << ": " << (module ? compiler.error().message : render_text(diagnostics, false));
    return {};
  }
  CompileOptions options;
  options.block = {64, 1, 1};
  options.tier = Tier::Quick;
  auto kernel = (*compiler)->compile(*module, 0, options);
  EXPECT_TRUE(kernel.ok()) << (kernel.ok() ? "" : kernel.error().message);
  return kernel.ok() ? *kernel : CompiledKernel{};
}

TEST(Mode, collectives_behind_a_reconvergence_point) {
  EXPECT_EQ(compiled("warp/shfl_after_reconvergence.ptx").mode, Mode::Simt);
}

TEST(Mode, loops_within_a_path_end_before_the_paths_meet) {
  const std::string file = "control/loops_within_a_path.ptx";
  CompiledKernel kernel = compiled(file);
  EXPECT_EQ(kernel.mode, Mode::Simt) << kernel.why_independent;
  // The lane that adds up leaves the outer loop from within its own: the others stay in it.
  EXPECT_EQ(compiled(file, "@%p bra enough;", "@%p ret;").mode, Mode::Independent);
  // Lanes leave the outer loop in different rounds, towards another barrier.
  EXPECT_EQ(compiled(file, "setp.lt.u32 %p, %sum, 1500;\n  @%p bra round;",
                     "setp.lt.u32 %p, %v, 20;\n  @%p bra round;\n  bar.sync 0;")
                .mode,
            Mode::Independent);
}

TEST(Mode, lanes_leave_a_loop_together_that_an_atomic_read_bounds) {
  CompiledKernel kernel = compiled("atomic/atom_as_load.ptx");
  EXPECT_EQ(kernel.mode, Mode::Simt) << kernel.why_independent;
  // An update that changes the word answers each lane differently, and so does one at a place of each lane's own.
  const std::string bound = "atom.global.add.u32 %turns, [%x], 0;";
  EXPECT_EQ(compiled("atomic/atom_as_load.ptx", bound, "atom.global.add.u32 %turns, [%x], 1;").mode, Mode::Independent);
  EXPECT_EQ(compiled("atomic/atom_as_load.ptx", bound, "atom.global.add.u32 %turns, [%own], 0;").mode,
            Mode::Independent);
}

TEST(Mode, blocks_that_wait_for_smaller_numbers_stay_converged) {
  CompiledKernel kernel = compiled("control/decoupled_lookback.ptx");
  EXPECT_EQ(kernel.mode, Mode::Simt) << kernel.why_independent;
  EXPECT_TRUE(kernel.spins);
}

TEST(Mode, a_lock_that_one_thread_takes_for_its_block) {
  const std::string file = "control/lock_of_a_row.ptx";
  CompiledKernel kernel = compiled(file);
  EXPECT_EQ(kernel.mode, Mode::Simt) << kernel.why_independent;
  EXPECT_TRUE(kernel.spins);
  // Two threads, each for a lock of its own.
  EXPECT_EQ(compiled(file, "setp.eq.u32 %first, %i, 0;", "setp.lt.u32 %first, %i, 2;").mode, Mode::Independent);
  // The lock lies where the others store.
  EXPECT_EQ(compiled(file, "atom.global.cas.b32 %free, [%at], 0, 1;", "atom.shared.cas.b32 %free, [own], 0, 1;").mode,
            Mode::Independent);
  // The others store to global memory in the meantime,
  EXPECT_EQ(compiled(file, "st.shared.u32 [%s], %i;", "st.global.u32 [%row], %i;").mode, Mode::Independent);
  // or may have left the loop, as nothing says that they go round together.
  EXPECT_EQ(compiled(file, "setp.lt.u32 %p, %k, 2;", "setp.lt.u32 %p, %k, %v;").mode, Mode::Independent);
}

TEST(Mode, a_wait_for_the_own_block_is_none_for_others) {
  EXPECT_EQ(compiled("control/lookback_within_block.ptx").mode, Mode::Independent);
  // The block's own row, and the row of a block with a larger number.
  EXPECT_EQ(compiled("control/decoupled_lookback.ptx", "add.u32 %i, %i, -64;", "add.u32 %i, %i, -63;").mode,
            Mode::Independent);
  EXPECT_EQ(compiled("control/decoupled_lookback.ptx", "add.u32 %i, %i, -64;", "add.u32 %i, %i, 64;").mode,
            Mode::Independent);
  // A counter that goes up.
  EXPECT_EQ(
      compiled("control/decoupled_lookback.ptx", "add.s32 %before, %before, -1;", "add.s32 %before, %before, 1;").mode,
      Mode::Independent);
  // Numbers that are not the block's but the thread's.
  EXPECT_EQ(compiled("control/decoupled_lookback.ptx", "ld.shared.u32 %v, [number];", "ld.global.u32 %v, [%x];").mode,
            Mode::Independent);
}

TEST(Mode, warps_that_wait_together_for_a_phase_are_fibers) {
  CompiledKernel kernel = compiled("mbarrier/mbarrier_warps.ptx");
  EXPECT_EQ(kernel.mode, Mode::Warps) << kernel.why_independent;
  // Each lane waits for a parity of its own; the roles are those of lanes, not of warps.
  EXPECT_EQ(compiled("mbarrier/mbarrier_warps.ptx", "and.b32 %parity, %round, 1;", "and.b32 %parity, %lane, 1;").mode,
            Mode::Independent);
  EXPECT_EQ(
      compiled("mbarrier/mbarrier_warps.ptx", "setp.eq.u32 %producer, %warp, 1;", "setp.lt.u32 %producer, %lane, 9;")
          .mode,
      Mode::Independent);
}

TEST(Mode, one_lane_may_wait_for_its_warp) {
  const std::string file = "mbarrier/mbarrier_leader.ptx", leader = "setp.eq.u32 %leader, %lane, 0;";
  CompiledKernel kernel = compiled(file);
  EXPECT_EQ(kernel.mode, Mode::Warps) << kernel.why_independent;
  // Not several, nor one that is not known.
  EXPECT_EQ(compiled(file, leader, "setp.lt.u32 %leader, %lane, 2;").mode, Mode::Independent);
  EXPECT_EQ(compiled(file, leader, "ld.global.u32 %v, [%d]; setp.eq.u32 %leader, %lane, %v;").mode, Mode::Independent);
  // Not where another lane alone arrives, which on a GPU may be ahead; but where the one that waits does.
  const std::string arrive = "mbarrier.arrive.shared.b64 %s, [%own_barrier];";
  EXPECT_EQ(compiled(file, arrive, "setp.eq.u32 %p, %lane, 1; @%p " + arrive).mode, Mode::Independent);
  EXPECT_EQ(compiled(file, arrive, "@%leader " + arrive).mode, Mode::Warps);
}

TEST(Mode, whole_warps_arrive_at_named_barriers) {
  const std::string barrier = "bar.sync 0;";
  EXPECT_EQ(compiled("mbarrier/mbarrier_leader.ptx", barrier, "bar.sync 1, 32;").mode, Mode::Warps);
  EXPECT_EQ(compiled("mbarrier/mbarrier_leader.ptx", barrier, "@%leader bar.arrive 1, 64;").mode, Mode::Independent);
}

}  // namespace
}  // namespace warpwise::simt
