// What two passes of the scalar program do to small kernels, read from their dumps: privatised sums
// (simt/scalar/privatise_sums.h) and loops over barriers (simt/scalar/unroll_barrier_loops.h).
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "../dumped_code.h"

namespace warpwise::simt {
namespace {

std::string text_of(const std::string& file) {
  std::ifstream in(WARPWISE_SOURCE_DIR "/tests/ptx/exec/" + file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// A sum, and what follows it.
std::string sum_then(const std::string& sum, const std::string& then) {
  return ".version 8.5\n.target sm_90a\n.address_size 64\n.visible .entry t(.param .u64 a) {\n"
         "  .reg .b64 %a, %at;\n  .reg .b32 %i, %v;\n  .reg .f32 %f;\n"
         "  ld.param.u64 %a, [a];\n  mov.u32 %i, %tid.x;\n  mul.wide.u32 %at, %i, 4;\n  add.u64 %a, %a, %at;\n  "
         "mov.f32 %f, 0f3f800000;\n  " +
         sum + "\n  " + then + "\n  ret;\n}\n";
}

struct Found {
  size_t privatised, flushes, flushes_at;
  bool operator==(const Found&) const = default;
};

void PrintTo(const Found& f, std::ostream* out) {
  *out << f.privatised << " privatised, " << f.flushes << " ww.flush_sums, " << f.flushes_at << " ww.flush_sums.at";
}

Found sums(const std::string& sum, const std::string& then = "") {
  std::string code = code_after("privatise_sums", sum_then(sum, then), 64);
  return {count(code, "!ww.privatised"), count(code, "call void @ww.flush_sums()"),
          count(code, "call void @ww.flush_sums.at(")};
}

TEST(PrivatiseSums, integers_whose_old_value_is_unused) {
  const char* kSum = "red.global.add.u32 [%a], 1;";
  EXPECT_EQ(sums(kSum), (Found{1, 0, 0}));
  EXPECT_EQ(sums("atom.global.add.u32 %v, [%a], 1;"), (Found{1, 0, 0})) << "the old value is not used";
  EXPECT_EQ(sums("atom.global.add.u32 %v, [%a], 1;", "st.global.u32 [%a], %v;"), (Found{0, 0, 0}));
  EXPECT_EQ(sums("red.global.add.f32 [%a], %f;"), (Found{0, 0, 0})) << "the order of floats shows";
  EXPECT_EQ(sums("red.relaxed.sys.global.add.u32 [%a], 1;"), (Found{0, 0, 0})) << "the host may be watching";
  EXPECT_EQ(sums("red.release.gpu.global.add.u32 [%a], 1;"), (Found{0, 0, 0}));
  EXPECT_EQ(sums("red.shared.add.u32 [%at], 1;"), (Found{0, 0, 0}));
}

TEST(PrivatiseSums, are_flushed_before_accesses_that_may_see_them) {
  const char* kSum = "red.global.add.u32 [%a], 1;";
  EXPECT_EQ(sums(kSum, "ld.global.u32 %v, [%a];\n  st.global.u32 [%a+4], %v;"), (Found{1, 0, 2}));
  EXPECT_EQ(sums(kSum, "fence.acq_rel.gpu;\n  st.shared.u32 [%at], %i;"), (Found{1, 1, 0}));
  EXPECT_EQ(sums(kSum, "st.volatile.global.u32 [%a+4], %i;"), (Found{1, 1, 0}));
  EXPECT_EQ(sums(kSum, "red.global.add.u32 [%a+4], 2;\n  red.global.max.u32 [%a], 3;"), (Found{2, 0, 1}))
      << "sums commute, maxima do not";
  EXPECT_EQ(sums(kSum, "bar.sync 0;"), (Found{1, 0, 0})) << "the block's other threads are on the same host thread";
}

// Contiguous accesses beside sums: such kernels stay vectors.
TEST(PrivatiseSums, contiguous_accesses_of_the_window_stay_in_simt_mode) {
  const std::string kernel =
      sum_then("red.global.add.u32 [%a], 1;", "ld.global.u32 %v, [%a];\n  st.global.u32 [%a+4], %v;");
  Diagnostics diagnostics;
  auto module = ptx::load(std::make_shared<SourceText>("test.ptx", kernel), diagnostics);
  auto compiler = exec::compiler_plugin("").open();
  ASSERT_TRUE(module && compiler.ok());
  CompileOptions options;
  options.block = {64, 1, 1};
  auto compiled = (*compiler)->compile(*module, 0, options);
  ASSERT_TRUE(compiled.ok());
  EXPECT_EQ(compiled->mode, Mode::Simt);
}

TEST(UnrollBarrierLoops, steps_of_known_number_are_regions) {
  EXPECT_EQ(count(code_after("unroll_barrier_loops", text_of("barrier/barrier_loop_known_trips.ptx"), 256),
                  "call void @ww.barrier.sync("),
            1 + 8u);
  const std::string unknown = text_of("barrier/inactive_warps.ptx");
  EXPECT_EQ(code_after("unroll_barrier_loops", unknown, 256), code_after("tidy_control_flow", unknown, 256))
      << "a parameter says how many";
}

}  // namespace
}  // namespace warpwise::simt
