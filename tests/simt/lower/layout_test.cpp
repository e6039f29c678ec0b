// Where variables go, and what a kernel can reach.
#include "ptx/layout.h"

#include <gtest/gtest.h>

#include "base/diagnostics.h"
#include "ptx/parse/parser.h"

namespace warpwise::ptx {
namespace {

Module parse_text(const std::string& body) {
  Diagnostics diagnostics;
  auto module = parse(
      std::make_shared<SourceText>("test.ptx", ".version 8.5\n.target sm_90a\n.address_size 64\n" + body), diagnostics);
  if (!module) throw std::runtime_error(render_text(diagnostics, false));
  return std::move(*module);
}

uint32_t index_of(const Module& module, std::string_view name) {
  for (uint32_t f = 0; f < module.functions.size(); ++f) {
    if (module.functions[f].name == name) return f;
  }
  throw std::runtime_error("no such function");
}

TEST(Layout, GlobalsLieInOrderAndAlignedAndConstantsBehindThem) {
  Module module = parse_text(
      ".const .b8 b[2];\n.global .b8 a[5];\n.shared .b8 s[8];\n.const .align 64 .b8 c[3];\n.extern .global .b32 "
      "e;\n.global .u64 d;\n");
  GlobalsLayout layout = lay_out_globals(module);
  EXPECT_EQ(layout.offset, (std::vector<uint64_t>{32, 0, kNotPlaced, 64, kNotPlaced, 16}));
  EXPECT_EQ(layout.bytes, 67u);
  EXPECT_EQ(layout.align, 64u);
  EXPECT_EQ(layout.const_begin, 32u);
  EXPECT_EQ(layout.const_bytes, 35u);
}

TEST(Layout, ConstantsWithTheirMargins) {
  Module module = parse_text(".const .b8 c[4];\n.global .b8 a[16];\n");
  GlobalsLayout layout = lay_out_globals(module, 32);
  EXPECT_EQ(layout.offset, (std::vector<uint64_t>{48, 0}));
  EXPECT_EQ(layout.const_begin, 48u);
  EXPECT_EQ(layout.const_bytes, 36u);
  EXPECT_EQ(lay_out_globals(parse_text(".global .b8 a[3];\n"), 0).const_bytes, 0u);
}

const char kModule[] = R"(
.shared .align 8 .b8 used[24];
.shared .b8 unused[100];
.extern .shared .align 32 .b8 dynamic[];
.func leaf() { .local .align 8 .b8 l[40]; .shared .align 4 .b8 own[12]; .reg .b32 %r; ld.local.u32 %r, [l]; ld.shared.u32 %r, [own]; ret; }
.func middle() { .local .b8 l[8]; .reg .b32 %r; ld.local.u8 %r, [l]; call leaf; ret; }
.func pointed() { ret; }
.func never() { .local .b8 l[4096]; ret; }
.func again() { .local .b8 l[16]; call again; ret; }
.global .u64 table[1] = {pointed};
.visible .entry k() { .reg .b32 %r; .reg .b64 %rd; mov.u32 %r, used; mov.u32 %r, dynamic; mov.u64 %rd, table; call middle; ret; }
.visible .entry r() { call again; ret; }
)";

TEST(Layout, SharedMemoryOfWhatIsUsed) {
  Module module = parse_text(kModule);
  uint32_t kernel = index_of(module, "k");
  KernelLayout layout = lay_out_kernel(module, kernel);
  EXPECT_EQ(layout.module_shared[0], 0u);
  EXPECT_EQ(layout.module_shared[1], kNotPlaced);
  EXPECT_EQ(layout.static_shared_bytes, 36u);  // 24 used, 12 of leaf
  EXPECT_EQ(layout.dynamic_shared_offset, 64u);
  EXPECT_EQ(layout.module_shared[2], 64u);
}

TEST(Layout, ReachabilityAndFrames) {
  Module module = parse_text(kModule);
  KernelLayout layout = lay_out_kernel(module, index_of(module, "k"));
  EXPECT_TRUE(layout.reachable[index_of(module, "leaf")]);
  EXPECT_TRUE(layout.reachable[index_of(module, "pointed")]);  // a table the kernel reads names it
  EXPECT_FALSE(layout.reachable[index_of(module, "never")]);
  EXPECT_FALSE(layout.recursive);
  EXPECT_EQ(layout.frame_bytes[index_of(module, "leaf")], 48u);
  EXPECT_EQ(layout.local_bytes, 64u);  // middle's 16 and leaf's 48
  EXPECT_TRUE(lay_out_kernel(module, index_of(module, "r")).recursive);
}

}  // namespace
}  // namespace warpwise::ptx
