// Where diverged lanes reconverge: what a warp executes for that, beside its own branches.
#include "counted_kernel.h"

namespace warpwise::perf {
namespace {

// More than becomes predicated.
std::string work(const std::string& reg) {
  std::string text;
  for (int n = 0; n < 9; ++n) text += "mul.lo.u32 " + reg + ", " + reg + ", " + reg + ";\n";
  return text;
}
const std::string kStore = "st.global.u32 [%rd0], %r2;\n";

class Reconverging : public testing::TestWithParam<exec::ModeChoice> {
 protected:
  uint64_t of(const std::string& body, uint32_t n = 0) const {
    CountedKernel kernel;
    kernel.mode = GetParam();
    kernel.n = n;
    kernel.body = "mov.u32 %r2, 3; mov.u32 %r3, 0;\n" + body;
    return kernel.run().totals[Counter::MoreBranches];
  }
};

INSTANTIATE_TEST_SUITE_P(Modes, Reconverging, testing::Values(exec::ModeChoice::Simt, exec::ModeChoice::Independent),
                         [](const auto& info) {
                           return info.param == exec::ModeChoice::Independent ? "split" : "converged";
                         });

std::string branch_around(const std::string& condition) {
  return condition + "@%p0 bra join;\n" + work("%r2") + "join:\n" + kStore;
}

TEST_P(Reconverging, behind_a_branch) {
  // One is set, and waited for by each of the two groups.
  EXPECT_EQ(of(branch_around("setp.lt.u32 %p0, %r0, 7;")), 3U);
  // All lanes go the same way, which ptxas cannot know.
  EXPECT_EQ(of(branch_around("setp.lt.u32 %p0, %r0, 32;")), 2U);
}

TEST_P(Reconverging, none_where_no_lanes_diverge) { EXPECT_EQ(of(branch_around("setp.lt.u32 %p0, %r1, 7;")), 0U); }

TEST_P(Reconverging, none_at_the_end) {
  EXPECT_EQ(of("setp.lt.u32 %p0, %r0, 7; @%p0 bra end;\n" + work("%r2") + "end:\n"), 0U);
}

TEST_P(Reconverging, none_of_predicated_blocks) {
  EXPECT_EQ(of("setp.lt.u32 %p0, %r0, 7; @%p0 bra join;\nadd.u32 %r2, %r2, 1;\njoin:\n" + kStore), 0U);
}

// Lanes leave after 1 to 32 turns: 31 times some of them go and others stay.
const std::string kLoop = "loop:\n" + work("%r2") + "add.u32 %r3, %r3, 1; setp.le.u32 %p0, %r3, %r0; @%p0 bra loop;\n";

TEST_P(Reconverging, behind_a_loop) { EXPECT_EQ(of(kLoop + "join:\n" + kStore), 2U + 31); }

TEST_P(Reconverging, one_behind_a_loop_and_the_branch_around_it) {
  EXPECT_EQ(of("setp.gt.u32 %p1, %r0, 31; @%p1 bra join;\n" + kLoop + "join:\n" + kStore), 2U + 31);
}

// Once for each time that the loop begins, and not in each of its turns.
TEST_P(Reconverging, before_a_loop) {
  const std::string loop =
      "loop:\nadd.u32 %r3, %r3, 1;\n" + work("%r2") + "setp.lt.u32 %p1, %r3, 20; @%p1 bra loop;\n" + kStore;
  EXPECT_EQ(of("setp.lt.u32 %p0, %r0, 7; @%p0 bra loop;\n" + work("%r2") + loop), 3U);
}

TEST_P(Reconverging, in_each_turn_of_a_loop) {
  EXPECT_EQ(of("loop:\nsetp.lt.u32 %p0, %r0, 7; @%p0 bra join;\n" + work("%r2") +
               "join:\nadd.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 20; @%p1 bra loop;\n" + kStore),
            20U * 3);
}

}  // namespace
}  // namespace warpwise::perf
