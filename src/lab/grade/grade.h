// Grading: each file by each of many people gets one verdict, in a few processes side by side. With its log, an
// interrupted run can continue.
//
//     DIR/ada/map.cu, DIR/ada/dot.cu, DIR/bob/map.cu     person: the folder; problem: the file's name
//     DIR/ada.cu, DIR/bob.cu with --problem=map           person: the file's name
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "lab/judge/verdict.h"
#include "lab/problem/catalogue.h"

namespace warpwise::lab {

struct GradeOptions {
  std::string problem;  // of all files; "": each file has the name of its problem
  uint64_t seed = 1;    // of the inputs, the same for all files
  unsigned jobs = 0;
  std::string deadline;  // "2026-12-31" or "2026-12-31T18:00": later files are marked; UTC
  std::string device = "h100";
  bool sandbox = true;
  std::filesystem::path log;  // of verdicts, one line of JSON each; files in it are not judged again
};

struct Graded {
  std::string person, problem, file;  // file: below the folder
  bool judged = false;
  Verdict verdict = Verdict::Accepted;
  std::string message;  // why it was refused, in a line; or why it could not be judged
  double seconds = 0;
  bool late = false;
  std::vector<std::string> similar_to;  // other people's files
  bool accepted() const { return judged && verdict == Verdict::Accepted; }
};

// In the order of people and problems. Errors: L0004, U0001 no such folder; L0009.
Result<std::vector<Graded>> grade(const Catalogue& catalogue, const std::filesystem::path& folder,
                                  const GradeOptions& options,
                                  const std::function<void(size_t done, size_t of)>& progress);

std::string grades_to_text(const std::vector<Graded>& grades, bool color);
std::string grades_to_csv(const std::vector<Graded>& grades);
std::string grades_to_junit(const std::vector<Graded>& grades);
std::string grades_to_json(const std::vector<Graded>& grades);
// One file without scripts or anything from elsewhere.
std::string grades_to_html(const std::vector<Graded>& grades, const std::string& title);

}  // namespace warpwise::lab
