// Grading: each file by each of many people gets one verdict and its points, in a few processes side by side. With its
// log, an interrupted run can continue.
//
// Files are found as handed_in.h says. A file's problem is the one of its name, or --problem for all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "lab/grade/assignment.h"
#include "lab/judge/verdict.h"
#include "lab/problem/catalogue.h"
#include "toolchain/build.h"

namespace warpwise::lab {

struct GradeOptions {
  std::string problem;  // of all files; "": each file has the name of its problem
  Assignment assignment;
  unsigned jobs = 0;
  std::string device = "h100";
  toolchain::CompilerChoice compiler = toolchain::CompilerChoice::Clang;
  bool sandbox = true;
  std::filesystem::path log;  // of verdicts, one line of JSON each; files in it are not judged again
};

struct Graded {
  std::string person, problem, file;  // file: below the folder
  bool judged = false;
  Verdict verdict = Verdict::Accepted;
  std::string message;  // why it was refused, in a line; or why it could not be judged
  double seconds = 0;
  std::vector<CaseMark> cases;  // all of the problem's; those that were not reached are not right
  uint64_t seed = 0;
  int days_late = 0;                    // days begun after the deadline
  double points = 0, of = 0;            // what it earned, and what is to be had
  bool counts = false;                  // of several files of one person for one problem, the one with the most points
  std::string report, source;           // the full verdict; the text of the file
  std::vector<std::string> similar_to;  // other people's files
  bool accepted() const { return judged && verdict == Verdict::Accepted; }
  size_t right_cases() const;
};

// Two files by different people that are nearly the same.
struct AlikePair {
  size_t first = 0, second = 0;                 // in Grades::files
  double share = 0;                             // of the fingerprints of both, from kAlike to 1
  std::vector<bool> first_lines, second_lines;  // for each line, whether it is in what they share
};

struct Grades {
  std::vector<Graded> files;  // in the order of people and problems
  std::vector<AlikePair> alike;
  std::map<std::string, double> worth;  // the points of each problem of the assignment, or of those that are there
  // For the report's head.
  std::string title, device, version;
  int64_t at = 0;  // when it was made: seconds since 1970
};

// Errors: L0004, U0001 no such folder; L0009.
Result<Grades> grade(const Catalogue& catalogue, const std::filesystem::path& folder, const GradeOptions& options,
                     const std::function<void(size_t done, size_t of)>& progress);

// What one person has, and what is to be had: over all problems of the report.
struct PersonPoints {
  std::string person;
  double points = 0, of = 0;
};
std::vector<PersonPoints> points_of_people(const Grades& grades);

std::string grades_to_text(const Grades& grades, bool color);
std::string grades_to_csv(const Grades& grades);
std::string grades_to_junit(const Grades& grades);
std::string grades_to_json(const Grades& grades);
// One file without scripts or anything from elsewhere: the table, each full verdict with its source, and similar files
// side by side.
std::string grades_to_html(const Grades& grades);

}  // namespace warpwise::lab
