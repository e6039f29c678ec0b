// What a recording of the lab says of its case comes back as it was, through a browser that has numbers of 53 bits.
#include "lab/judge/recorded_case.h"

#include <gtest/gtest.h>

namespace warpwise::lab {
namespace {

TEST(RecordedCase, comes_back_as_it_was) {
  const RecordedCase recorded{.name = "several, `large`",
                              .sizes = {{"n", 192}, {"rows", -1}},
                              .seed = ~uint64_t{0},
                              .block = {1, 2, 3},
                              .kernel = "scan(float*)",
                              .lines = {7, 9},
                              .order = 4};
  const auto back = recorded_case_from_json(to_json(recorded));
  ASSERT_TRUE(back.ok()) << back.error().message;
  EXPECT_EQ(back->name, recorded.name);
  EXPECT_EQ(back->sizes, recorded.sizes);
  EXPECT_EQ(back->seed, recorded.seed);
  EXPECT_EQ(back->block.z, 3u);
  EXPECT_EQ(back->kernel, recorded.kernel);
  EXPECT_EQ(back->lines, recorded.lines);
  EXPECT_EQ(back->order, recorded.order);
  EXPECT_NE(to_json(recorded).find(R"("seed":"18446744073709551615")"), std::string::npos);
}

TEST(RecordedCase, is_refused_when_it_is_none) {
  for (const char* text : {"", "[]", "{}", R"({"case":"a","sizes":{},"seed":7,"block":[0,0,0],"kernel":"","lines":[]})",
                           R"({"case":"a","sizes":{"n":"x"},"seed":"7","block":[0,0,0],"kernel":"","lines":[]})",
                           R"({"case":"a","sizes":{},"seed":"7","block":[0,0],"kernel":"","lines":[]})",
                           R"({"case":"a","sizes":{},"seed":"7","block":[0,0,0],"kernel":"","lines":[-1]})"})
    EXPECT_EQ(recorded_case_from_json(text).error().code, "U0005") << text;
}

}  // namespace
}  // namespace warpwise::lab
