// What `warpwise lab` says to words that are missing, misspelt or no sources, and how wide it says it.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "lab_command.h"
#include "toolchain/installation.h"

namespace warpwise {
namespace {

using Json = nlohmann::json;

TEST_F(LabCommand, helps_those_who_mistype) {
  Outcome outcome = lab("sumbit map.cu");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("did you mean `submit`?"), std::string::npos) << outcome.err;
  write("mpa.cu", kSolved);
  outcome = lab("submit mpa.cu");
  EXPECT_EQ(outcome.code, 3);
  EXPECT_NE(outcome.err.find("did you mean `map`?"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("warpwise lab submit PROBLEM mpa.cu"), std::string::npos) << outcome.err;
  EXPECT_EQ(lab("submit nothing.cu").code, 3);
  EXPECT_EQ(lab("show vector_add").code, 0);
  EXPECT_EQ(lab("list --level=silly").code, 2);
  EXPECT_EQ(lab("list --problems=nowhere").code, 3);
  for (const char* command : {"list", "show", "start", "test", "submit", "watch", "hint", "solution", "quiz", "history",
                              "diff", "stats", "export", "import", "grade", "verify", "new"})
    EXPECT_TRUE(lab(std::string(command) + " --help").says("Examples:")) << command;
}

TEST_F(LabCommand, says_what_to_do_where_a_word_is_missing_or_nearly_right) {
  const Outcome alone = lab("submit");
  EXPECT_EQ(alone.code, 2);
  EXPECT_NE(alone.err.find("warpwise lab submit map.cu"), std::string::npos) << alone.err;
  EXPECT_NE(lab("submit zip").err.find("`warpwise lab start puzzles/zip` writes it"), std::string::npos);
  write("map.cu", kSolved);
  EXPECT_NE(lab("submit mpa").err.find("did you mean `map`"), std::string::npos) << content("err");
  EXPECT_TRUE(lab("hint guards.cu").says("puzzles/guards, hint 1"));
  EXPECT_NE(lab("show 1").err.find("`1` is the number of several problems: challenges/vector-add, puzzles/map"),
            std::string::npos)
      << content("err");
  EXPECT_TRUE(lab("next").says("puzzles/map"));
  EXPECT_NE(lab("quiz indexing").code, 2);
}

TEST_F(LabCommand, says_which_order_and_which_lesson_was_meant) {
  write("zip1.cu", kSolved);
  write("my zip.cu", kSolved);
  EXPECT_NE(lab("submit zip1.cu zip").err.find("the problem comes first: warpwise lab submit zip zip1.cu\n"),
            std::string::npos)
      << content("err");
  EXPECT_NE(lab("test 'my zip.cu' zip").err.find("the problem comes first: warpwise lab test zip 'my zip.cu'\n"),
            std::string::npos)
      << content("err");
  EXPECT_NE(lab("submit 'my zip.cu'").err.find(": warpwise lab submit PROBLEM 'my zip.cu'\n"), std::string::npos)
      << content("err");
  for (const auto& [words, sentence] :
       {std::pair("lesson map",
                  "there is no lesson `map`; the one of the chapter of puzzles/map is `warpwise lab lesson "
                  "indexing`\n      = help: `warpwise lab lesson` lists them\n"),
        std::pair("lesson nope", "there is no lesson `nope`\n      = help: `warpwise lab lesson` lists them\n"),
        std::pair("quiz nope", "there is no quiz for `nope`\n      = help: `warpwise lab quiz` lists them\n")}) {
    const Outcome outcome = lab(words);
    EXPECT_EQ(outcome.code, 3);
    EXPECT_NE(outcome.err.find(sentence), std::string::npos) << outcome.err;
  }
}

TEST_F(LabCommand, takes_names_and_numbers_of_problems_and_of_their_files) {
  // Both kinds have a `dot`.
  for (const char* words : {"submit dot", "submit dot.cu", "test dot", "trace dot", "watch dot"}) {
    const Outcome none = lab(words);
    EXPECT_NE(none.err.find("there is no file `dot.cu` yet; `warpwise lab start challenges/dot` or `warpwise lab start "
                            "puzzles/dot` writes it"),
              std::string::npos)
        << words << ": " << none.err;
  }
  EXPECT_NE(lab("submit challenges/dot").err.find("`warpwise lab start challenges/dot` writes it"), std::string::npos)
      << content("err");
  EXPECT_NE(lab("submit 21").err.find("there is no file `relu.cu` yet"), std::string::npos) << content("err");
  EXPECT_TRUE(lab("show 21").says("challenges/relu"));
  EXPECT_TRUE(lab("show puzzles/1").says("puzzles/map"));
  EXPECT_NE(lab("show puzzles/99").err.find("there is no problem `puzzles/99`"), std::string::npos) << content("err");
  write("map.cu", kSolved);
  write("7.cu", kSolved);
  for (const char* words : {"map", "map.cu", "puzzles/map", "puzzles/1", "1 map.cu", "puzzles/1 7.cu", "map 7"})
    EXPECT_TRUE(lab(std::string("submit --no-record ") + words).says("puzzles/map: accepted"))
        << words << ": " << content("err") << content("out");
  EXPECT_NE(lab("submit 7.cu").err.find("say which problem this file solves: warpwise lab submit PROBLEM 7.cu"),
            std::string::npos)
      << content("err");
}

TEST_F(LabCommand, names_in_one_sentence_what_is_no_source) {
  fs::create_directories(folder_.path() / "folder.cu");
  write("empty.cu", " \n\n");
  write("elf.cu", std::string("\x7f"
                              "ELF\0\1",
                              6));
  write("letter.cu", "Dear teacher,\nhere is my homework.\n");
  write("large.cu", "int a[] = {" + std::string(1 << 20, ' ') + "0};\n");
  for (const auto& [file, sentence] :
       {std::pair("folder.cu", "cannot read `folder.cu`: it is a folder\n"),
        std::pair("empty.cu", "`empty.cu` is empty\n"),
        std::pair("elf.cu", "`elf.cu` is a program or an object (ELF), not source text\n")}) {
    const Outcome outcome = lab(std::string("submit map ") + file);
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(outcome.err.ends_with(sentence)) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  }
  EXPECT_TRUE(lab("submit map letter.cu").says("`letter.cu` is not CUDA C++: it has no statement and no function"))
      << content("out");
  EXPECT_TRUE(lab("submit map large.cu").says("next     a solution takes a few kilobytes")) << content("out");
  // In a class.
  fs::create_directories(folder_.path() / "class/ada");
  fs::rename(folder_.path() / "elf.cu", folder_.path() / "class/ada/map.cu");
  EXPECT_TRUE(lab("grade class").says("`map.cu` is a program or an object (ELF), not source text")) << content("out");
}

TEST_F(LabCommand, works_where_progress_cannot_be_kept) {
  write("data", "a file where a folder should be");
  write("map.cu", kSolved);
  for (const char* words : {"", "next", "list", "hint map", "quiz", "solution --insist map"}) {
    const Outcome outcome = lab(words);
    EXPECT_EQ(outcome.code, 0) << words;
    EXPECT_NE(outcome.err.find("your progress is not kept: "), std::string::npos) << words << outcome.err;
    EXPECT_FALSE(outcome.out.empty()) << words;
  }
  EXPECT_TRUE(lab("submit map.cu").says("puzzles/map: accepted"));
}

TEST_F(LabCommand, points_to_its_own_help_where_an_option_is_misspelt) {
  for (const auto& [words, name] :
       {std::pair("grade --compilr=nvcc class", "grade"), std::pair("submit --jsn x", "submit")}) {
    const Outcome outcome = lab(words);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find(std::string("`lab ") + name + "` has no option"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find(std::string("`warpwise lab ") + name + " --help`"), std::string::npos) << outcome.err;
  }
  EXPECT_NE(lab("grade --compilr=nvcc class").err.find("did you mean `--compiler`"), std::string::npos)
      << content("err");
}

TEST_F(LabCommand, asks_again_where_an_answer_is_no_choice) {
  const std::string command = "cd " + folder_.path().string() + " && printf 'foo\n9\n2\n2\n1\n1\n' | " +
                              WARPWISE_PROGRAM + " lab quiz indexing >out 2>err";
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 0) << content("out");
  EXPECT_NE(content("out").find("a number from 1 to"), std::string::npos) << content("out");
}

// What fits on paper fits into a terminal of 80 columns. `script` makes one. Code and drawings of a
// problem, a quiz or a lesson, which are indented by four, keep their lines.
TEST_F(LabCommand, is_as_wide_as_the_terminal) {
  if (!toolchain::find_on_path("script")) GTEST_SKIP() << "script is not installed";
  write("map.cu", kSolved);
  std::vector<std::string> commands{"", "list", "next", "stats", "history", "quiz", "lesson", "submit map.cu"};
  for (const Json& problem : Json::parse(lab("list --json").out))
    for (const char* command : {"show ", "hint "}) commands.push_back(command + problem["problem"].get<std::string>());
  const fs::path problems = fs::path(WARPWISE_SOURCE_DIR) / "problems";
  for (const auto& quiz : fs::directory_iterator(problems / "quizzes"))
    if (quiz.path().extension() == ".toml") commands.push_back("quiz " + quiz.path().stem().string());
  for (const auto& lesson : fs::directory_iterator(problems / "lessons"))
    if (lesson.path().extension() == ".md") commands.push_back("lesson " + lesson.path().stem().string());
  ASSERT_GT(commands.size(), 100u);
  std::string script = "stty cols 80\n";
  for (const std::string& words : commands) {
    const bool asks = words.starts_with("quiz ") || words.starts_with("lesson ");
    script += "echo '@ " + words + "'\n";
    script += std::string(asks ? "yes 1 | head -50 | " : "") + WARPWISE_PROGRAM " lab " + words + "\n";
  }
  write("all.sh", script);
  const std::string command = "cd " + folder_.path().string() +
                              " && unset COLUMNS && TERM=dumb script -qc 'sh all.sh' /dev/null </dev/null >out 2>err";
  (void)std::system(command.c_str());
  std::istringstream lines(content("out"));
  size_t count = 0;
  std::string words;
  for (std::string line; std::getline(lines, line); ++count) {
    if (line.ends_with('\r')) line.pop_back();
    if (line.starts_with("@ ")) words = line;
    const auto columns = std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xc0) != 0x80; });
    const bool has_drawings = words.starts_with("@ show ") || words.starts_with("@ hint ") ||
                              words.starts_with("@ quiz ") || words.starts_with("@ lesson ");
    if (!has_drawings || !line.starts_with("    ")) EXPECT_LE(columns, 80) << words << ": " << line;
    EXPECT_EQ(line.find("error["), std::string::npos) << words << ": " << line;
  }
  EXPECT_EQ(words, "@ " + commands.back());
  EXPECT_GT(count, 20 * commands.size());
}

}  // namespace
}  // namespace warpwise
