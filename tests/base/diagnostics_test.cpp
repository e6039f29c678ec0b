#include "base/diagnostics.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace warpwise {
namespace {

std::shared_ptr<const SourceText> add_ptx() {
  return std::make_shared<SourceText>("add.ptx", "first\n\tadd.ftz.f64 %d, %a;\nlast");
}

TEST(SourceText, locates_spans) {
  auto source = add_ptx();
  Span ftz = source->text().substr(source->text().find(".ftz"), 4);
  LineColumn at = source->locate(ftz);
  EXPECT_EQ(at.line, 2u);
  EXPECT_EQ(at.column, 5u);
  EXPECT_EQ(source->line(3), "last");
  EXPECT_EQ(source->locate("elsewhere").line, 0u);
}

TEST(Diagnostics, renders_a_caret_under_the_span) {
  auto source = add_ptx();
  Diagnostics diagnostics;
  Span ftz = source->text().substr(source->text().find(".ftz"), 4);
  diagnostics.error("P0203", {source, ftz, ""}, "`.ftz` is not allowed on `add.f64`").help = "remove it";
  EXPECT_EQ(render_text(diagnostics, false),
            "add.ptx:2:5: error[P0203]: `.ftz` is not allowed on `add.f64`\n"
            "    2 | \tadd.ftz.f64 %d, %a;\n"
            "      | \t   ^^^^\n"
            "      = help: remove it\n");
  auto json = nlohmann::json::parse(render_json(diagnostics));
  EXPECT_EQ(json[0]["line"], 2);
  EXPECT_EQ(json[0]["code"], "P0203");
}

TEST(Diagnostics, counts_what_it_does_not_keep) {
  Diagnostics diagnostics;
  for (int i = 0; i < 60; ++i) diagnostics.error("P0001", {}, "again");
  EXPECT_EQ(diagnostics.error_count(), 60u);
  EXPECT_EQ(diagnostics.all().size(), Diagnostics::kMaxErrors);
  EXPECT_NE(render_text(diagnostics, false).find("and 10 more errors"), std::string::npos);
}

TEST(Catalogue, codes_are_unique_and_told) {
  auto all = all_diagnostics();
  for (const auto& info : all) {
    EXPECT_FALSE(info.story.empty()) << info.code;
    EXPECT_EQ(find_diagnostic(info.code)->title, info.title) << info.code << " is listed twice";
  }
}

}  // namespace
}  // namespace warpwise
