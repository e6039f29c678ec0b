#include "cli/support/ptx_listing.h"

#include <gtest/gtest.h>

namespace warpwise::cli {
namespace {

constexpr const char* kPtx =
    ".version 8.5\n"
    "\t// .globl\t_Z1kPi\n"
    ".visible .entry _Z1kPi(\n"
    "\t.param .u64 _Z1kPi_param_0\n"
    ")\n"
    "{\n"
    "\t.loc 1 1 0\n"
    "$L__func_begin0:\n"
    "\t.reg .b32 %r<3>;\n"
    "\t.loc 2 66 3, function_name $L__info_string0, inlined_at 1 2 7\n"
    "\tmov.u32 %r1, %tid.x;\n"
    "\t.loc 1 2 9\n"
    "\tadd.s32 %r2, %r1, 1;\n"
    "$L__BB0_1:\n"
    "\t.loc 1 3 1\n"
    "\tbra.uni $L__BB0_1;\n"
    "$L__func_end0:\n"
    "}\n"
    "\t.file 1 \"/src/k.cu\"\n"
    "\t.file 2 \"/ours/builtin.h\"\n"
    ".section .debug_info {\n"
    ".b64 $L__func_begin0\n"
    "}\n";

ListingOptions options() {
  ListingOptions options;
  options.read = [](const std::string& path) -> std::optional<std::string> {
    if (path != "/src/k.cu") return std::nullopt;
    return "__global__ void k(int* p) {\n  int i = threadIdx.x + 1;\n  for (;;);\n";
  };
  options.is_system = [](const std::string& path) { return path.starts_with("/ours/"); };
  return options;
}

TEST(PtxListing, shows_each_source_line_above_what_it_became) {
  EXPECT_EQ(ptx_listing(kPtx, options()),
            ".version 8.5\n"
            "// k(int*)\n"
            ".visible .entry _Z1kPi(\n"
            "\t.param .u64 _Z1kPi_param_0\n"
            ")\n"
            "{\n"
            "\t.reg .b32 %r<3>;\n"
            "// k.cu:2    int i = threadIdx.x + 1;\n"
            "\tmov.u32 %r1, %tid.x;\n"
            "\tadd.s32 %r2, %r1, 1;\n"
            "$L__BB0_1:\n"
            "// k.cu:3    for (;;);\n"
            "\tbra.uni $L__BB0_1;\n"
            "}\n");
}

TEST(PtxListing, shows_only_the_function_asked_for) {
  ListingOptions other = options();
  other.function = "nothing";
  EXPECT_EQ(ptx_listing(kPtx, other), "");
  other.function = "k(int";
  EXPECT_NE(ptx_listing(kPtx, other).find("add.s32"), std::string::npos);
}

TEST(PtxListing, takes_any_text) {
  for (const char* text :
       {"", "}", "{", ".file", ".loc", ".section", ".entry (", ".func (", ".file 1 \"open", "$", "a:"})
    ptx_listing(text, options());
}

}  // namespace
}  // namespace warpwise::cli
