// Broken, truncated and hostile text: a diagnostic, never a crash, never a flood.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

#include "ptx_files.h"

namespace warpwise::ptx {
namespace {

constexpr char kHead[] = ".version 8.5\n.target sm_90\n.address_size 64\n";

std::string kernel(const std::string& body) { return std::string(kHead) + ".entry k()\n{\n" + body + "\n}\n"; }

std::string first_code(const std::string& text) {
  Diagnostics diagnostics;
  auto module = load_text(text, diagnostics);
  EXPECT_EQ(module.has_value(), !diagnostics.has_errors());
  return diagnostics.has_errors() ? diagnostics.all()[0].code : "";
}

TEST(Limits, every_prefix_of_every_case_is_survived) {
  for (const auto& entry : std::filesystem::directory_iterator(test_path("cases"))) {
    std::string text = read_text(entry.path());
    size_t step = text.size() > 3000 ? 7 : 1;
    for (size_t n = 0; n < text.size(); n += step) {
      Diagnostics diagnostics;
      auto module = load_text(text.substr(0, n), diagnostics);
      EXPECT_EQ(module.has_value(), !diagnostics.has_errors()) << entry.path() << " " << n;
    }
  }
}

TEST(Limits, every_character_replaced_is_survived) {
  std::string text = read_text(test_path("cases/everything.ptx"));
  const char bad[] = {'\0', '{', '}', '(', ';', '"', '%', '.', '\xff', '0'};
  for (size_t i = 0; i < text.size(); i += 3) {
    std::string broken = text;
    broken[i] = bad[i % sizeof bad];
    Diagnostics diagnostics;
    load_text(broken, diagnostics).has_value();
    // One slip causes few messages at most; what depends on a lost declaration is named once.
    EXPECT_LE(diagnostics.error_count(), 45u) << i;
  }
}

TEST(Limits, nesting) {
  EXPECT_EQ(first_code(kernel(std::string(5000, '{') + std::string(5000, '}'))), "P0005");
  EXPECT_EQ(first_code(kernel(".reg .b32 %r; mov.b32 %r, " + std::string(100000, '(') + "1;")), "P0005");
  EXPECT_EQ(first_code(kernel(".reg .b32 %r; mov.b32 %r, " + std::string(100000, '-') + "1;")), "P0005");
  EXPECT_EQ(first_code(kernel(".reg .b32 %r; mov.b32 %r, " + std::string(100000, '{') + ";")), "P0005");
  EXPECT_EQ(first_code(std::string(kHead) + ".global .b8 x[] = " + std::string(100000, '{') + ";"), "P0005");
}

TEST(Limits, sizes) {
  EXPECT_EQ(first_code(std::string(kHead) + ".global .b8 x[1099511627777];"), "P0003");
  EXPECT_EQ(first_code(std::string(kHead) + ".global .b64 x[1099511627776][1099511627776];"), "P0005");
  EXPECT_EQ(first_code(std::string(kHead) + ".global .b8 x[1099511627776] = {1};"), "P0005");
  EXPECT_EQ(first_code(kernel(".reg .b32 %r<4294967296>;")), "P0005");
  EXPECT_EQ(first_code(kernel(".reg .b32 %r<1000000000>; mov.b32 %r999999999, 1;")), "");
  EXPECT_EQ(first_code(std::string(kHead) + ".entry k(.param .b8 p[99999999]) {}"), "P0005");
}

TEST(Limits, a_flood_of_errors_is_cut) {
  std::string body;
  for (int i = 0; i < 100000; ++i) body += "add.s32 %a" + std::to_string(i) + ", 1, 2;\n";
  Diagnostics diagnostics;
  EXPECT_FALSE(load_text(kernel(body), diagnostics));
  EXPECT_LE(diagnostics.error_count(), 250u);
}

TEST(Limits, an_undeclared_register_is_named_once) {
  Diagnostics diagnostics;
  EXPECT_FALSE(load_text(kernel("add.s32 %x, %x, 1;\nadd.s32 %x, %x, 2;\nmov.b32 %x, 3;"), diagnostics));
  EXPECT_EQ(diagnostics.error_count(), 1u);
}

}  // namespace
}  // namespace warpwise::ptx
