// Lessons: their format, and that a lesson which is wrong about its kernel is found out.
#include "lab/lesson/lesson.h"

#include <gtest/gtest.h>

namespace warpwise::lab {
namespace {

const std::string kHead = "# Threads\nchapter: indexing\nabout: what they do\n\n";
const std::string kStep =
    "## One step\nEach thread writes.\n\n```kernel\n__global__ void fill(int* out) {\n  int i = threadIdx.x;\n"
    "  out[i] = i;\n}\n```\n```picture\nlaunch: fill<<<1, 8>>>(zeros<int>(8))\nat: out[i]\nshow: lanes, memory\n```\n";

std::string question(const std::string& more) {
  return "```question\nask: How\n  many?\n- 1\n- 8 = eight of them\nat: out[i]\nbecause: There are eight.\n" + more +
         "```\n";
}
std::string mistake_of(const std::string& text) {
  const auto lesson = read_lesson(text, "threads");
  return lesson ? "" : lesson.error().message;
}

TEST(Lesson, has_steps_pictures_and_questions) {
  const auto lesson = read_lesson(kHead + kStep + question("figure: lanes\n"), "threads");
  ASSERT_TRUE(lesson) << lesson.error().message;
  EXPECT_EQ(lesson->title, "Threads");
  EXPECT_EQ(lesson->chapter, "indexing");
  ASSERT_EQ(lesson->steps.size(), 1u);
  const LessonStep& step = lesson->steps[0];
  EXPECT_EQ(step.text, "Each thread writes.");
  ASSERT_TRUE(step.picture && step.question);
  EXPECT_EQ(step.picture->line, 3u);
  EXPECT_EQ(step.picture->show, (std::vector<std::string>{"lanes", "memory"}));
  EXPECT_EQ(step.question->ask, "How many?");
  EXPECT_EQ(step.question->choices[1].key, "8");
  EXPECT_EQ(step.question->choices[1].text, "eight of them");
  EXPECT_EQ(lesson->runs.size(), 1u) << "the question is about the picture's run";
}

TEST(Lesson, another_launch_or_values_are_another_run) {
  const auto lesson = read_lesson(
      kHead + kStep + question("figure: value 3\nlaunch: fill<<<2, 8>>>(zeros<int>(16))\nblock: 1\n"), "threads");
  ASSERT_TRUE(lesson) << lesson.error().message;
  ASSERT_EQ(lesson->runs.size(), 2u);
  EXPECT_EQ(lesson->runs[1].block, "1");
  EXPECT_EQ(lesson->runs[1].values, 3u);
  // The kernel comes first: its lines keep their numbers.
  EXPECT_TRUE(program_of(lesson->runs[1]).starts_with("__global__ void fill"));
}

TEST(Lesson, mistakes_are_told_with_their_lines) {
  EXPECT_NE(mistake_of("chapter: indexing\n").find("no title"), std::string::npos);
  EXPECT_NE(mistake_of(kHead).find("no steps"), std::string::npos);
  EXPECT_NE(mistake_of(kHead + "## A\n```picture\nat: x\n```\n").find("no kernel before this"), std::string::npos);
  EXPECT_NE(mistake_of(kHead + kStep + question("figure: colour\n")).find("`figure: colour`"), std::string::npos);
  EXPECT_NE(mistake_of(kHead + kStep + question("figure: lanes\nspeed: 3\n")).find("`speed:` means nothing"),
            std::string::npos);
  EXPECT_NE(mistake_of(kHead + "## A\n```kernel\nint i;\n").find("threads.md:8: the ``` of line 6"), std::string::npos)
      << mistake_of(kHead + "## A\n```kernel\nint i;\n");
  EXPECT_NE(mistake_of(kHead + "## A\n```kernel\nint i;\nint i;\n```\n```picture\nlaunch: f()\nat: int i\n```\n")
                .find("two lines"),
            std::string::npos);
}

}  // namespace
}  // namespace warpwise::lab
