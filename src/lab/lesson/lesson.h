// A lesson: a chapter read step by step. It is a text file (docs/lesson_format.md). A step explains one thing, with a
// picture of one step of one warp, from a kernel that really ran; a question has no answer in the file, but the figure
// that its answer is, which is read from a recording.
//
//     ## Who am I?                       a step, with its text
//     ```kernel … ```                    CUDA C++
//     ```picture … ```                   how it is launched, and where to look
//     ```question … ```                  choices, and the figure that one of them is
//
// Expected answers in the file would be simpler, and wrong as soon as a kernel is changed.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace warpwise::lab {

// A program that a lesson runs: a kernel with a launch.
struct LessonRun {
  std::string kernel, launch;
  std::string finding;  // code of what the checkers must find; "": nothing
  std::string block;    // that is recorded: "1,0,0"
  unsigned values = 0;  // the line of the kernel whose values are recorded; 0: none
  bool operator==(const LessonRun&) const = default;
};

// Which step of a run: the access, barrier or branch of a source line.
struct LessonLook {
  size_t run = 0;     // index into Lesson::runs
  unsigned line = 0;  // of the kernel, from 1
  unsigned warp = 0;
  unsigned time = 1;              // 1: when the warp is there for the first time
  std::string of;                 // "shared", "store", the name of a shared array: which, where a line has several
  std::vector<std::string> show;  // "source", "warps", "lanes", "memory"
};

struct LessonChoice {
  std::string key, text;  // the answer is the choice whose key is the figure
};
struct LessonQuestion {
  std::string ask, because;
  std::vector<LessonChoice> choices;
  std::string figure;  // "sectors", "value 3": look.h
  std::string kernel;  // where it is another one than the picture's
  LessonLook look;
};
struct LessonStep {
  std::string title, text, kernel;  // `kernel`: "" where the step shows none
  std::optional<LessonLook> picture;
  std::optional<LessonQuestion> question;
};
struct Lesson {
  std::string name, title, chapter, about;
  std::vector<LessonStep> steps;
  std::vector<LessonRun> runs;
};

// L0001 with the line of each mistake.
Result<Lesson> load_lesson(const std::filesystem::path& file);
Result<Lesson> read_lesson(const std::string& text, const std::string& file_name);

// The names of the lessons beside these problems, sorted: "indexing" is lessons/indexing.md.
std::vector<std::string> lesson_names(const std::filesystem::path& problems);
std::filesystem::path lesson_file(const std::filesystem::path& problems, const std::string& name);

// The whole program: the kernel first, so that its lines keep their numbers.
std::string program_of(const LessonRun& run);
// Writes the program as `source`, and says what records it as `output`.
Result<std::vector<std::string>> prepare_recording(const LessonRun& run, const std::filesystem::path& warpwise,
                                                   const std::filesystem::path& source,
                                                   const std::filesystem::path& output);

// Runs all programs of a lesson. A line for each that does not compile, does not run or has other findings than it
// says, for each picture that shows nothing, and for each question whose answer is none of its choices, or two.
std::vector<std::string> check_lesson(const Lesson& lesson, const std::filesystem::path& warpwise);

}  // namespace warpwise::lab
