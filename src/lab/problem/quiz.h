// The short quizzes between chapters: questions with choices, some of which ask what a program prints. `lab verify`
// runs those.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace warpwise::lab {

struct Question {
  std::string ask, because;
  std::vector<std::string> choices;
  unsigned answer = 0;            // 1: the first choice
  std::filesystem::path program;  // "": none; its output, without the end of its last line, is the right choice
};

// L0001: not a quiz.
Result<std::vector<Question>> load_quiz(const std::filesystem::path& file);

// Runs the programs of a quiz and compares what they print. One line for each that is wrong.
std::vector<std::string> check_quiz(const std::vector<Question>& questions);

}  // namespace warpwise::lab
