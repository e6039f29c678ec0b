#include "exec/options.h"

#include <gtest/gtest.h>

namespace warpwise::exec {
namespace {

TEST(Options, are_read_from_json) {
  auto options =
      parse_options(R"({"device": "a100", "mode": "independent", "engine": "interpreter", "timeout": 1.5, "threads": 3,
                                   "schedule": "shuffle:77", "dump": ["after:widen"], "fast": true,
                                   "verbosity": -1})");
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
}

TEST(Options, that_are_wrong_are_named) {
  for (auto [text, name] : {std::pair{R"({"thread": 3})", "thread"},
                            {R"({"threads": "x"})", "threads"},
                            {R"({"threads": -1})", "threads"},
                            {R"({"mode": "diverged"})", "simt"},
                            {R"({"schedule": "shuffle:"})", "schedule"},
                            {R"({"schedule": "shuffle:1x"})", "schedule"},
                            {R"({"dump": ["after:x"]})", "dump"},
                            {R"({"off": ["vectorise"]})", "off"},
                            {R"({"timeout": -1})", "timeout"},
                            {R"({"verbosity": 2})", "verbosity"},
                            {"[]", "WARPWISE_OPTIONS"},
                            {"{", "WARPWISE_OPTIONS"}}) {
    auto options = parse_options(text);
    ASSERT_FALSE(options.ok()) << text;
    EXPECT_EQ(options.error().code, "U0005");
    EXPECT_NE(options.error().message.find(name), std::string::npos) << options.error().message;
  }
}

}  // namespace
}  // namespace warpwise::exec
