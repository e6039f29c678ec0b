// The options as JSON gives them, and the page that is made of options.inc.
//
//   WARPWISE_BLESS=1 test_exec_options    rewrites docs/engine_options.md
#include "exec/options.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>

#include "exec/option_rows.h"

namespace warpwise::exec {
namespace {

TEST(Options, are_read_from_json) {
  auto options =
      parse_options(R"({"device": "a100", "mode": "independent", "engine": "interpreter", "timeout": 1.5, "threads": 3,
                                   "schedule": "shuffle:77", "dump": ["after:vectorise"], "fast": true,
                                   "verbosity": -1, "trace_values": [7, 9]})");
  ASSERT_TRUE(options.ok()) << options.error().message;
  EXPECT_EQ(options->device, "a100");
  EXPECT_EQ(options->mode, ModeChoice::Independent);
  EXPECT_EQ(options->engine, EngineKind::Interpreter);
  EXPECT_EQ(options->timeout_seconds, 1.5);
  EXPECT_EQ(options->threads, 3u);
  EXPECT_TRUE(options->schedule.shuffle);
  EXPECT_EQ(options->schedule.seed, 77u);
  EXPECT_EQ(options->dump, std::vector<std::string>{"vectorise"});
  EXPECT_TRUE(options->fast);
  EXPECT_EQ(options->verbosity, -1);
  EXPECT_EQ(options->trace_values, (std::vector<uint32_t>{7, 9}));
}

TEST(Options, that_are_wrong_are_named) {
  for (auto [text, name] : {std::pair{R"({"thread": 3})", "thread"},
                            {R"({"threads": "x"})", "threads"},
                            {R"({"threads": -1})", "threads"},
                            {R"({"threads": 4294967296})", "threads"},
                            {R"({"fast": 1})", "true or false"},
                            {R"({"devices": 17})", "from 1 to 16"},
                            {R"({"engine": 0})", "`jit`, `interpreter`"},
                            {R"({"check": ["x"]})", "checker `x`"},
                            {R"({"mode": "diverged"})", "simt"},
                            {R"({"schedule": "shuffle:"})", "schedule"},
                            {R"({"schedule": "shuffle:1x"})", "schedule"},
                            {R"({"dump": ["after:x"]})", "dump"},
                            {R"({"off": ["vectorise"]})", "off"},
                            {R"({"timeout": -1})", "timeout"},
                            {R"({"verbosity": 2})", "verbosity"},
                            {R"({"trace_values": 7})", "a list of whole numbers"},
                            {R"({"trace_values": [-1]})", "trace_values"},
                            {"[]", "WARPWISE_OPTIONS"},
                            {"{", "WARPWISE_OPTIONS"}}) {
    auto options = parse_options(text);
    ASSERT_FALSE(options.ok()) << text;
    EXPECT_EQ(options.error().code, "U0005");
    EXPECT_NE(options.error().message.find(name), std::string::npos) << options.error().message;
  }
}

TEST(Options, that_are_not_given_keep_their_defaults) {
  auto options = parse_options(R"({"threads": 2})");
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->device, Options{}.device);
  EXPECT_EQ(options->device, "h100");
  EXPECT_EQ(options->heap_bytes, 8u << 20);
  EXPECT_EQ(options->devices, 1);
  EXPECT_EQ(options->timeout_seconds, 0);
}

TEST(Options, stand_once_in_the_table) {
  std::set<std::string_view> keys;
  for (const OptionRow& row : kOptionRows) {
    EXPECT_TRUE(keys.insert(row.key).second) << row.key;
    EXPECT_FALSE(row.help.empty()) << row.key;
    EXPECT_FALSE(expected_by(row.values).empty()) << row.key;
    // Where the table promises a value, the parser has a reader for it.
    auto wrong = parse_options(fmt::format(R"({{"{}": {{}}}})", row.key));
    ASSERT_FALSE(wrong.ok()) << row.key;
    EXPECT_NE(wrong.error().message.find(expected_by(row.values)), std::string::npos) << wrong.error().message;
  }
}

std::string set_by(const OptionRow& row) {
  switch (row.place) {
    case OptionPlace::Programs:
      return fmt::format("`--{}` of `run`, `check`, `profile`", flag_of(row));
    case OptionPlace::Run:
      return fmt::format("`--{}` of `run`", flag_of(row));
    case OptionPlace::Command:
      return "the commands";
    case OptionPlace::Variable:
      return "the variable only";
  }
  return {};
}

std::string page() {
  std::string text =
      "# The options of the virtual GPU\n\n"
      "`WARPWISE_OPTIONS` holds one JSON object with these members. `warpwise run` and its relatives set the variable "
      "for the\nprogram that they start; what it holds before stays, unless an option says otherwise. An unknown "
      "member "
      "or a wrong value\nis the error U0005.\n\n"
      "This page is made of `src/exec/options.inc` (`WARPWISE_BLESS=1 build/release/bin/test_exec_options`).\n\n"
      "| Member | Value | Set by | Meaning |\n|---|---|---|---|\n";
  for (const OptionRow& row : kOptionRows)
    text += fmt::format("| `{}` | {} | {} | {} |\n", row.key, expected_by(row.values), set_by(row), row.help);
  return text;
}

TEST(Options, the_page_is_current) {
  const std::string path = WARPWISE_SOURCE_DIR "/docs/engine_options.md";
  if (std::getenv("WARPWISE_BLESS")) std::ofstream(path) << page();
  std::ifstream file(path);
  const std::string written{std::istreambuf_iterator<char>(file), {}};
  EXPECT_TRUE(written == page()) << path << " is not current: run this test with WARPWISE_BLESS=1";
}

}  // namespace
}  // namespace warpwise::exec
