// Sources that are recorded once more: their names, and the words of the command.
#include "serve/variations.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "serve/beside_answers.h"
#include "trace/made_file.h"

namespace warpwise::serve {
namespace {

TEST(Variations, are_named_by_what_varies) {
  EXPECT_EQ(variation_of("order:7:race.cu")->source, "race.cu");
  EXPECT_EQ(variation_of("order:7:race.cu")->option, "--schedule=shuffle:7");
  EXPECT_EQ(variation_of("device:a100:race.cu")->option, "--device=a100");
  for (const char* name : {"race.cu", "order:race.cu", "order:x:race.cu", "order:-1:race.cu", "order::race.cu",
                           "device:nothing:race.cu", "device:../a100.toml:race.cu", "lab:7", ""})
    EXPECT_FALSE(variation_of(name)) << name;
}

TEST(Variations, are_of_one_block) {
  const auto same = same_block({{"launch", "3"}, {"block", "1,0,2"}, {"values", "12,14"}});
  EXPECT_EQ(same->launch, 3u);
  EXPECT_EQ(same->block, "1,0,2");
  EXPECT_TRUE(same_block({{"launch", "0"}, {"block", "0,0,0"}, {"values", ""}}).ok());
  for (const Parameters& wrong :
       std::initializer_list<Parameters>{{},
                                         {{"launch", "0"}, {"block", "0,0,0,0"}},
                                         {{"launch", "x"}, {"block", "0,0,0"}},
                                         {{"launch", "0"}, {"block", "0;0"}},
                                         {{"launch", "0"}, {"block", "0"}, {"values", "1 2"}}})
    EXPECT_EQ(same_block(wrong).error().code, "W0005");
}

TEST(Variations, keep_what_does_not_choose) {
  const Variation order{"race.cu", "--schedule=shuffle:7"};
  const auto words = words_of(order, {.launch = 3, .block = "1,0,2", .values = "12"},
                              {"--kernel", "race", "--device=a100", "--steps=100", "--schedule=shuffle:1", "--values=3",
                               "--no-check", "64", "--", "--block=9"});
  const std::vector<std::string> wanted{
      "--schedule=shuffle:7", "--no-check", "--launch=3", "--block=1,0,2", "--values=12", "--device=a100",
      "--steps=100",          "64",         "--",         "--block=9"};
  EXPECT_EQ(words, wanted);
  const auto on_device = words_of({"race.cu", "--device=a100"}, {.launch = 0, .block = "0", .values = ""},
                                  {"--device=h100", "--schedule=shuffle:1"});
  EXPECT_EQ(on_device, (std::vector<std::string>{"--device=a100", "--no-check", "--launch=0", "--block=0",
                                                 "--schedule=shuffle:1"}));
}

TEST(Variations, are_compared_step_by_step) {
  const std::string bytes = trace::made_file(60),
                    other_bytes = trace::made_file(60, {}, [](uint32_t warp, uint64_t n, trace::Step& step) {
                      if (warp == 0 && n == 21) step.values.at(0).bits.fill(7);
                    });
  const auto one = trace::TraceFile::read(bytes).value(), other = trace::TraceFile::read(other_bytes).value();
  BesideAnswers answers(*one, *other);
  const std::string found = answers.answer("differences", {}).body;
  EXPECT_NE(found.find(R"("differing":1,"path":0,"lanes":0,"addresses":0,"values":1,"warps":[[[21,1]],[]])"),
            found.npos)
      << found;
  const std::string partner = answers.answer("partner", {{"warp", "0"}, {"step", "21"}}).body;
  EXPECT_NE(partner.find(R"("step": 21)"), partner.npos) << partner;
  EXPECT_EQ(answers.answer("partner", {{"warp", "9"}, {"step", "21"}}).body, "null\n");
  EXPECT_EQ(answers.answer("partner", {{"warp", "0"}, {"step", "x"}}).status, 400u);
  EXPECT_EQ(answers.answer("summary", {}).status, 404u);
}

}  // namespace
}  // namespace warpwise::serve
