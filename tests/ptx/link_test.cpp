// Linking PTX modules: what is shared, what is renamed, what is refused.
#include "ptx/link.h"

#include <gtest/gtest.h>

#include "ptx/parse/parser.h"

namespace warpwise::ptx {
namespace {

constexpr std::string_view kFirst = R"(.version 8.0
.target sm_90
.address_size 64
.file 1 "a.cu"
.extern .func (.param .b32 r) twice (.param .b32 p);
.extern .global .align 4 .u32 counter;
.global .align 1 .b8 $str[3] = {104, 105, 0};
.weak .func shared_by_both () { ret; }
.visible .entry first (.param .u64 out)
{
  .reg .b32 %r<3>;
  .reg .b64 %rd<3>;
  .loc 1 7 3
  mov.u64 %rd1, $str;
  ld.global.u32 %r1, [counter];
  ret;
}
)";
constexpr std::string_view kSecond = R"(.version 9.0
.target sm_90
.address_size 64
.file 1 "b.cu"
.visible .global .align 4 .u32 counter = 100;
.global .align 1 .b8 $str[2] = {33, 0};
.weak .func shared_by_both () { ret; }
.visible .func (.param .b32 r) twice (.param .b32 p)
{
  .reg .b32 %r<3>;
  .reg .b64 %rd<3>;
  .loc 1 3 1
  mov.u64 %rd1, $str;
  ld.param.b32 %r1, [p];
  add.u32 %r2, %r1, %r1;
  st.param.b32 [r], %r2;
  ret;
}
)";

size_t count(std::string_view text, std::string_view part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(Link, TwoModulesBecomeOne) {
  auto linked = link({kFirst, kSecond});
  ASSERT_TRUE(linked.ok()) << linked.error().message;
  EXPECT_EQ(count(*linked, ".version"), 1u);
  EXPECT_EQ(count(*linked, ".version 9.0"), 1u);  // the newer one
  EXPECT_EQ(count(*linked, ".weak .func shared_by_both () { ret; }"), 1u);
  EXPECT_EQ(count(*linked, "$str$link1[2]"), 1u);
  EXPECT_EQ(count(*linked, "mov.u64 %rd1, $str$link1;"), 1u);
  EXPECT_EQ(count(*linked, ".file 3 \"b.cu\""), 1u);
  EXPECT_EQ(count(*linked, ".loc 3 3 1"), 1u);
  Diagnostics diagnostics;
  auto module = load(std::make_shared<SourceText>("linked", *linked), diagnostics);
  EXPECT_TRUE(module.has_value()) << render_text(diagnostics, false) << *linked;
}

// As NVIDIA's compiler wants it: no declaration as .extern beside a definition.
TEST(Link, WhatIsDefinedIsNotDeclaredAsExternal) {
  auto linked = link({kFirst, kSecond});
  ASSERT_TRUE(linked.ok());
  EXPECT_EQ(count(*linked, ".extern"), 0u) << *linked;
  EXPECT_EQ(count(*linked, ".visible .global .align 4 .u32 counter = 100;"), 1u);
  EXPECT_EQ(count(*linked, ".visible .func (.param .b32 r) twice (.param .b32 p)\n;"), 1u) << *linked;
  EXPECT_EQ(count(*linked, ".visible .func (.param .b32 r) twice (.param .b32 p)\n{"), 1u);
}

TEST(Link, WhatNoModuleDefinesStaysExternal) {
  auto linked = link({kFirst});
  ASSERT_TRUE(linked.ok());
  EXPECT_EQ(count(*linked, ".extern .func (.param .b32 r) twice"), 1u);
  EXPECT_EQ(count(*linked, ".extern .global .align 4 .u32 counter;"), 1u);
}

TEST(Link, TheOrderDoesNotMatter) {
  auto linked = link({kSecond, kFirst});
  ASSERT_TRUE(linked.ok());
  Diagnostics diagnostics;
  auto module = load(std::make_shared<SourceText>("linked", *linked), diagnostics);
  EXPECT_TRUE(module.has_value()) << render_text(diagnostics, false) << *linked;
}

TEST(Link, ASymbolIsDefinedOnce) {
  auto linked = link({kSecond, kSecond});
  ASSERT_FALSE(linked.ok());
  EXPECT_EQ(linked.error().code, "P0902");
}

TEST(Link, ModulesInOneTextAreSeparated) {
  std::string both = std::string(kFirst) + std::string(kSecond);
  EXPECT_FALSE(is_several_modules(kFirst));
  ASSERT_TRUE(is_several_modules(both));
  EXPECT_EQ(split_modules(both)[1], kSecond);
}

}  // namespace
}  // namespace warpwise::ptx
