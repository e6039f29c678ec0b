// Kernels of very many instructions in one piece: no pass recurses into chains of operands, and what LLVM's passes over
// machine code would take minutes for is compiled in the quick tier (codegen.cpp, affordable_tier).
#include "large_kernels.h"

#include <gtest/gtest.h>

#include <ctime>

#include "base/sanitized.h"
#include "exec/loading/compiler_plugin.h"
#include "ptx/parse/parser.h"

namespace warpwise::simt {
namespace {

// A value that `n` steps make, multiplications by one number if nothing else is said, and that is stored; threads leave
// by it, and others go on to a loop.
std::string chain(unsigned n, const std::string& step = "  fma.rn.f32 %f, %f, %f, %g;\n") {
  std::string text =
      ".version 8.5\n.target sm_90a\n.address_size 64\n.visible .entry t(.param .u64 a, .param .u32 n) {\n  .reg .b64 "
      "%a;\n  .reg .b32 %i, %k, %n;\n"
      "  .reg .f32 %f, %g;\n  .reg .pred %p, %q;\n  ld.param.u64 %a, [a];\n  ld.param.u32 %n, [n];\n  mov.u32 %i, "
      "%tid.x;\n  mov.b32 %f, %i;\n  mov.b32 %g, %n;\n"
      "  setp.lt.u32 %p, %i, %n;\n";
  for (unsigned k = 0; k < n; ++k) text += step;
  return text +
         "  st.global.f32 [%a+4], %f;\n  setp.gt.f32 %p, %f, 0f3f800000;\n  @%p bra away;\n  mov.u32 %k, 0;\nnext:\n  "
         "add.u32 %k, %k, 1;\n  st.global.u32 [%a], %k;\n"
         "  setp.ne.u32 %q, %k, %n;\n  @%q bra next;\naway:\n  ret;\n}\n";
}

// Seconds of processor time to compile it for blocks of 64 threads; in which mode it runs then.
double seconds_to_compile(const std::string& ptx, Mode* mode = nullptr) {
  Diagnostics diagnostics;
  auto module = ptx::load(std::make_shared<SourceText>("test.ptx", ptx), diagnostics);
  auto compiler = exec::compiler_plugin("").open();
  if (!module || !compiler.ok()) {
    ADD_FAILURE() << (module ? compiler.error().message : render_text(diagnostics, false));
    return 0;
  }
  CompileOptions options;
  options.block = {64, 1, 1};
  options.tier = Tier::Optimised;
  const std::clock_t begun = std::clock();
  uint32_t entry = 0;
  while (!module->functions[entry].is_entry) ++entry;
  auto kernel = (*compiler)->compile(*module, entry, options);
  EXPECT_TRUE(kernel.ok()) << (kernel.ok() ? "" : kernel.error().message);
  if (mode && kernel.ok()) *mode = kernel->mode;
  return double(std::clock() - begun) / CLOCKS_PER_SEC / kSlowdown;  // as people run it
}

TEST(LargeKernels, many_uses_of_one_number) { EXPECT_LT(seconds_to_compile(chain(20'000)), 15); }

TEST(LargeKernels, a_condition_at_the_end_of_a_long_chain) { EXPECT_LT(seconds_to_compile(chain(70'000)), 40); }

// Each float is chosen from the one before and a sum with it, down to one that was only moved.
TEST(LargeKernels, guarded_sums) { EXPECT_LT(seconds_to_compile(chain(20'000, "  @%p add.f32 %f, %f, %g;\n")), 15); }

// Vectors of 32 lanes are twice as many instructions without AVX-512, and those have half the registers.
double limit(double with_avx512, double without) { return __builtin_cpu_supports("avx512f") ? with_avx512 : without; }

// Most of it in LLVM's register allocator: 28,000 instructions take 10 s, and 52 s without AVX-512.
TEST(LargeKernels, an_unrolled_product) { EXPECT_LT(seconds_to_compile(test::unrolled(10'000)), limit(13, 33)); }

// 15,000 multiplications of 64 bits in one block: 20 s with Live Range Shrink, 9 s without. Without AVX-512 45 s with
// Machine InstCombiner, 25 s without.
TEST(LargeKernels, products_of_64_bits) { EXPECT_LT(seconds_to_compile(test::field(5)), limit(16, 40)); }

TEST(LargeKernels, branches_in_loops) { EXPECT_LT(seconds_to_compile(test::branching(2'200)), 5); }

// Inlined, it would be 234 million instructions.
TEST(LargeKernels, a_tree_of_calls) {
  Mode mode = Mode::Automatic;
  EXPECT_LT(seconds_to_compile(test::field(12), &mode), 5);
  EXPECT_EQ(mode, Mode::Independent) << "calls stay";
  seconds_to_compile(test::field(2), &mode);
  EXPECT_EQ(mode, Mode::Simt) << "all is inlined";
}

}  // namespace
}  // namespace warpwise::simt
