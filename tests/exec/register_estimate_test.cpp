// The estimate of registers: the values that are alive at once, without those in constant banks and those that are
// computed again where they are needed. The estimate adds a slack of eight, and ptxas allocates registers in units of
// eight.
#include "exec/launch/register_estimate.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/diagnostics.h"
#include "ptx/parse/parser.h"

namespace warpwise::exec {
namespace {

unsigned estimate_of(const std::string& body, const std::string& directives = "") {
  const std::string text =
      ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 x, .param .u32 n)" + directives +
      "\n{\n" + body + "\n ret;\n}\n";
  Diagnostics diagnostics;
  const auto module = ptx::load(std::make_shared<const SourceText>("k.ptx", text), diagnostics);
  EXPECT_TRUE(module) << text;
  return module ? estimate_registers(module->functions[0]) : 0;
}

std::string repeat(unsigned times, const std::string& line) {
  std::string text;
  for (unsigned i = 0; i < times; ++i) text += fmt::format(fmt::runtime(line), i);
  return text;
}

// Forty values are loaded, and all of them used afterwards: 40 + 8. The address is a parameter.
const std::string kLoadForty =
    ".reg .b64 %rd<4>; .reg .f32 %f<64>; ld.param.u64 %rd1, [x]; cvta.to.global.u64 %rd2, %rd1;\n" +
    repeat(40, "ld.global.f32 %f{0}, [%rd2+{0}];\n");

TEST(RegisterEstimate, counts_what_is_alive_at_once) {
  EXPECT_EQ(estimate_of(kLoadForty + repeat(40, "st.global.f32 [%rd2], %f{0};\n")), 48u);
  // One after the other.
  EXPECT_EQ(estimate_of(".reg .b64 %rd<4>; .reg .f32 %f<64>; ld.param.u64 %rd1, [x];\n" +
                        repeat(40, "ld.global.f32 %f{0}, [%rd1+{0}]; st.global.f32 [%rd1], %f{0};\n")),
            16u);
}

// What a loop reads in every turn is alive to its end, also where the text does not name it any more.
TEST(RegisterEstimate, knows_loops) {
  const std::string body = kLoadForty + ".reg .pred %p; .reg .b32 %r; .reg .f32 %s<16>;\n mov.u32 %r, 0;\nturn:\n" +
                           repeat(40, "st.global.f32 [%rd2], %f{0};\n") +
                           repeat(16, "ld.global.f32 %s{0}, [%rd2+{0}];\n") +
                           repeat(16, "st.global.f32 [%rd2], %s{0};\n") + "add.s32 %r, %r, 1; setp.lt.s32 %p, %r, 9;\n";
  EXPECT_EQ(estimate_of(body + "@%p bra turn;"),
            72u);                     // 40 wait for the next turn while 16 are read; the counter, and 8
  EXPECT_EQ(estimate_of(body), 56u);  // without a loop 40, the counter, and 8
}

// Parameters, block sizes and constants are operands of instructions: they take no register, however late they are
// used.
TEST(RegisterEstimate, leaves_out_constant_banks) {
  const std::string head = ".reg .b64 %rd<64>; .reg .b32 %r<64>;\n";
  EXPECT_EQ(estimate_of(head + repeat(30, "ld.param.u64 %rd{0}, [x];\n") + repeat(30, "st.global.u32 [%rd{0}], 1;\n")),
            16u);
  EXPECT_EQ(estimate_of(head + "ld.param.u64 %rd1, [x];\n" + repeat(30, "mov.u32 %r{0}, %ntid.x;\n") +
                        repeat(30, "st.global.u32 [%rd1], %r{0};\n")),
            16u);
  EXPECT_EQ(estimate_of(head + "ld.param.u64 %rd1, [x];\n" + repeat(30, "mov.u32 %r{0}, %clock;\n") +
                        repeat(30, "st.global.u32 [%rd1], %r{0};\n")),
            40u);
}

// An index that is scaled for many arrays is kept once.
TEST(RegisterEstimate, keeps_an_index_and_not_its_products) {
  const std::string head = ".reg .b64 %rd<64>; .reg .b32 %r<64>; ld.param.u64 %rd40, [x]; mov.u32 %r1, %tid.x;\n";
  EXPECT_EQ(estimate_of(head + repeat(20, "mul.wide.u32 %rd{0}, %r1, 4;\n") +
                        repeat(20, "add.s64 %rd41, %rd40, %rd{0}; st.global.u32 [%rd41], 1;\n")),
            16u);
}

TEST(RegisterEstimate, keeps_to_launch_bounds) {
  const std::string many = kLoadForty + repeat(40, "st.global.f32 [%rd2], %f{0};\n");
  EXPECT_EQ(estimate_of(many, " .maxntid 1024, 1, 1 .minnctapersm 2"), 32u);
  EXPECT_EQ(estimate_of(many, " .maxntid 1024, 1, 1"), 48u);
  EXPECT_EQ(estimate_of(many, " .maxnreg 24"), 24u);
}

}  // namespace
}  // namespace warpwise::exec
