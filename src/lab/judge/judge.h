// The judge: a submission and a problem in, one verdict with its reason out.
//
//     source ──forbidden?──compile──► PTX ─┐
//     problem ──reference──► trials ───────┴─► child: every trial under all checkers ──compare, budgets──► verdict
//                                                                                     └─refused─► shrink
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/finding.h"
#include "base/result.h"
#include "lab/judge/budget.h"
#include "lab/judge/recorded_case.h"
#include "lab/judge/verdict.h"
#include "lab/problem/problem.h"
#include "lab/problem/reference.h"
#include "lab/report/performance.h"
#include "lab/trial/trial.h"
#include "toolchain/build.h"

namespace warpwise::lab {

struct JudgeOptions {
  uint64_t seed = 0;  // of the inputs: the same seed, the same verdict
  std::string device = "h100";
  bool samples_only = false;  // the cases that are shown
  bool only_timed = false;    // run no others: nothing is proved, and the file has been judged before
  bool modelled = false;      // profile the timed case, and say how fast it would be
  toolchain::CompilerChoice compiler = toolchain::CompilerChoice::Clang;
  bool sandbox = true;   // walls around kernels and host code; false: limits alone (--no-sandbox)
  bool trusted = false;  // a file of the problem's own: its compiled code may be kept where programs of others find it
  bool likely_refused =
      false;           // compile for the timed case only when it is reached, not in parallel: slower for accepted files
  bool shrink = true;  // look for a smaller case that is refused alike
  bool all_cases = false;   // go on behind a refused case: each gets its mark (CaseReport), the first refusal is shown
  bool own_headers = true;  // headers in the folder of the source belong to it
  // Called for each case as soon as it is known how it ended.
  std::function<void(const struct CaseReport&)> case_ended{};
  // Called once, when the first case has begun in another process: what the caller can do in a moment meanwhile. It
  // must leave nothing open or mapped that later children may not have.
  std::function<void()> meanwhile{};
  // Records what the warps of a block do in the case of the refusal, or in one that fills warps, in `file`; "": does
  // not.
  struct {
    std::filesystem::path file;
    std::string command, tool;  // as the recording names them
    // Instead: the case that another recording shows. The verdict's findings are of another case, and left out.
    std::optional<RecordedCase> like{};
  } recording{};
};

// The thread that wrote an element, and where.
struct WroteIt {
  Index3 block, thread;
  CodePlace code;
};

// An element that two threads of one launch stored.
struct StoredTwice {
  std::string array;
  uint64_t index = 0;
  WroteIt first, second;
};

// A wrong element with its names.
struct WrongReport {
  std::string array;  // the parameter
  ElementType type = ElementType::Float;
  uint64_t index = 0, count = 0;  // of the element; elements there are
  std::string row_and_column;     // of the element, in an array of two axes: "row 0, column 16"
  WrongElement element;
  std::optional<WroteIt> writer;
};

struct CaseReport {
  std::string name;
  bool ran = false, passed = false;
  bool right = false;  // the results are, whatever the budgets say
  std::string shape;   // "n = 4; grid 1, block 4"
  double seconds = 0;
  std::vector<BudgetLine> budget;
};

// Why a submission was refused: the facts that belong to its verdict. Facts that a verdict does not have are empty.
struct Refusal {
  std::string case_name, shape;
  bool shrunk = false;            // `shape` is smaller than the case
  std::vector<Finding> findings;  // those of the verdict's kind, the first is the one to show
  std::optional<WrongReport> wrong;
  std::vector<BudgetLine> budget;    // the lines that are not kept
  std::optional<WroteIt> greatest;   // the thread that did most of what is over budget
  std::string message;               // a compiler's words, the reason of a failure, what is forbidden
  std::vector<std::string> notes;    // a possible explanation: how the entry's parameters differ from the problem's
  std::optional<StoredTwice> twice;  // an element that two threads store, where too much is written
  std::string printed;               // by kernels and host code in this run of the case
  std::string next;                  // what to do, where the verdict's own advice does not fit; "": it does
  std::string code;                  // of the diagnostic that `message` belongs to: "R0301"; "": none
  std::optional<SourcePlace> at;     // of host code that failed, of a barrier's place
  // What shows that threads miss a barrier that the problem asks for: too few arrivals, or too few loads behind one.
  std::optional<Counter> missed_barrier;
};

struct Judgement {
  Verdict verdict = Verdict::Accepted;
  std::string problem;  // slug
  uint64_t seed = 0;
  std::vector<std::string> sources;  // the submission's files, absolute: no other is quoted in reports
  std::optional<Refusal> refusal;
  std::vector<CaseReport> cases;
  std::string compiler_messages;      // warnings
  std::vector<std::string> warnings;  // what is no refusal, and no good sign either: a sentence each
  std::string printed;                // by kernels in the case that is shown
  std::vector<std::string> not_checked;
  std::optional<Performance> performance;  // of an accepted one, if asked for, where there is a timed case
  double compile_seconds = 0, seconds = 0;
  bool accepted() const { return verdict == Verdict::Accepted; }
};

// Errors: the problem or the judge is at fault, not the submission: L0006 … L0009, T0002, U0001.
Result<Judgement> judge(const Problem& problem, const std::filesystem::path& source, const JudgeOptions& options);

// The source without comments, and without the contents of strings except in #include lines. Lines keep their numbers.
std::string without_comments(const std::string& source);

// The first forbidden thing in a source: "`thrust` (line 3): …".
std::optional<std::string> find_forbidden(const Problem& problem, const std::string& source);

}  // namespace warpwise::lab
