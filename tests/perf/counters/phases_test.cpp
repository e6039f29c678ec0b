// The phases of a kernel: which there are, and what each counts.
#include "perf/counters/phases.h"

#include "counted_kernel.h"

namespace warpwise::perf {
namespace {

// So many turns, each of which loads or stores a word.
std::string loop(const std::string& name, const std::string& access, unsigned turns) {
  return "mov.u32 %r2, 0;\n" + name + ":\n" + access + " add.u32 %r2, %r2, 1; setp.lt.u32 %p0, %r2, " +
         std::to_string(turns) + "; @%p0 bra " + name + ";\n";
}
const std::string kLoad = "ld.global.u32 %r3, [%rd0]; add.u32 %r4, %r4, %r3;", kStore = "st.global.u32 [%rd0], %r2;";

std::vector<Counts> phases_of(const std::string& body) {
  CountedKernel kernel;
  kernel.block.x = 64;
  kernel.body = body;
  return kernel.run().phases;
}

TEST(Phases, one_loop_after_the_other) {
  const auto phases = phases_of(loop("a", kLoad, 40) + loop("b", kStore, 80));
  ASSERT_EQ(phases.size(), 2U);
  EXPECT_EQ(phases[0][Counter::GlobalLoadRequests], 2U * 40);
  EXPECT_EQ(phases[0][Counter::GlobalStoreRequests], 0U);
  EXPECT_EQ(phases[1][Counter::GlobalLoadRequests], 0U);
  EXPECT_EQ(phases[1][Counter::GlobalStoreRequests], 2U * 80);
}

TEST(Phases, a_loop_in_a_loop_is_one) {
  const std::string nest = "mov.u32 %r5, 0;\nouter:\n" + loop("a", kLoad, 10) + loop("b", kStore, 10) +
                           "add.u32 %r5, %r5, 1; setp.lt.u32 %p0, %r5, 10; @%p0 bra outer;\n";
  EXPECT_EQ(phases_of(nest).size(), 0U);
  EXPECT_EQ(phases_of(nest + loop("c", kStore, 100)).size(), 2U);
}

TEST(Phases, code_behind_a_loop_is_one) {
  std::string stores;
  for (int n = 0; n < 30; ++n) stores += kStore;
  const auto phases = phases_of(loop("a", kLoad, 40) + stores);
  ASSERT_EQ(phases.size(), 2U);
  EXPECT_EQ(phases[1][Counter::GlobalStoreRequests], 2U * 30);
}

// The first warp loads while the second one stores: these are not gone through one after the other.
TEST(Phases, warps_with_roles_have_none) {
  EXPECT_EQ(phases_of("setp.ge.u32 %p1, %r0, 32;\n@%p1 bra second;\n" + loop("a", kLoad, 40) + "bra end;\nsecond:\n" +
                      loop("b", kStore, 80) + "end:\n")
                .size(),
            0U);
}

TEST(Phases, loops_that_lanes_leave_at_different_times) {
  const auto phases =
      phases_of("mov.u32 %r2, 0;\na:\n" + kLoad + "add.u32 %r2, %r2, 1; setp.lt.u32 %p0, %r2, %r0; @%p0 bra a;\n" +
                loop("b", kStore, 80));
  ASSERT_EQ(phases.size(), 2U);
  EXPECT_EQ(phases[0][Counter::GlobalLoadRequests], 31U + 63);  // the turns of each warp's last lane
}

}  // namespace
}  // namespace warpwise::perf
