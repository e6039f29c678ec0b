#include "verdict.h"

#include <fmt/format.h>
#include <string.h>

#include <fstream>
#include <functional>
#include <iterator>
#include <regex>

#include "likeness.h"

namespace warpwise::conformance {
namespace {

// The first line that satisfies `wanted`, without blanks around it and of bearable length.
std::string first_line(std::string_view text, const std::function<bool(const std::string&)>& wanted) {
  constexpr size_t kLongest = 240;
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    std::string line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    line.erase(0, line.find_first_not_of(" \t\r"));
    line.erase(line.find_last_not_of(" \t\r") + 1);
    if (!line.empty() && wanted(line)) return line.substr(0, kLongest);
  }
  return {};
}

std::string line_with(std::string_view text, const std::string& pattern) {
  std::regex compiled(pattern, std::regex::extended);
  return first_line(text, [&](const std::string& line) { return std::regex_search(line, compiled); });
}

// The sentence in which Warpwise says that it lacks something: an instruction, a function or a mode of the
// API, a flag, a header, device code that would have to be linked.
std::string missing_feature(std::string_view output) {
  return line_with(output,
                   "P09[0-9][0-9]|warpwise: .*(ErrorNotSupported|ERROR_NOT_SUPPORTED|not (implemented|supported) yet)|"
                   "error\\[(T0006|T0007|R0205)\\]");
}

std::string last_line(std::string_view text) {
  std::string last;
  first_line(text, [&](const std::string& line) { return last = line, false; });
  return last.substr(0, 240);
}

Outcome judge_likeness(const Program& program, const ChildResult& run) {
  if (program.like.empty()) return {Verdict::Pass, ""};
  std::ifstream file(program.like);
  if (!file) return {Verdict::Differs, fmt::format("cannot read `{}`", program.like.string())};
  std::string wanted{std::istreambuf_iterator<char>(file), {}};
  std::string difference = first_difference(run.output, wanted, program.varies, program.tolerance);
  return {difference.empty() ? Verdict::Pass : Verdict::Differs, difference};
}

}  // namespace

std::string_view word_of(Verdict verdict) {
  switch (verdict) {
#define VERDICT(name, word, meaning) \
  case Verdict::name:                \
    return word;
#include "verdicts.inc"
#undef VERDICT
  }
  return {};
}

Outcome judge_build(const ChildResult& build) {
  if (build.out_of_time) return {Verdict::Slow, "the build did not end in time"};
  if (std::string missing = missing_feature(build.output); !missing.empty()) return {Verdict::Missing, missing};
  std::string error = line_with(build.output, "error|undefined (reference|symbol)|cannot find");
  if (build.signal) error = fmt::format("the compiler was ended by {}", strsignal(build.signal));
  return {Verdict::Refused, error.empty() ? last_line(build.output) : error};
}

Outcome judge_run(const Program& program, const ChildResult& run) {
  if (!run.started) return {Verdict::Wrong, "it could not be started: " + run.output};
  std::string problem;
  if (!run.out_of_time && !run.signal) {
    if (run.exit_code != program.exit_code)
      problem = fmt::format("exit code {} instead of {}", run.exit_code, program.exit_code);
    for (const std::string& pattern : program.says)
      if (problem.empty() && line_with(run.output, pattern).empty())
        problem = fmt::format("it does not say `{}`", pattern);
    for (const std::string& pattern : program.never)
      if (std::string line = line_with(run.output, pattern); problem.empty() && !line.empty())
        problem = fmt::format("it says: {}", line);
    if (problem.empty()) return judge_likeness(program, run);
  }
  // A program that is refused something may end in any way; what it was refused is the reason.
  if (std::string missing = missing_feature(run.output); !missing.empty()) return {Verdict::Missing, missing};
  if (run.out_of_time) return {Verdict::Slow, fmt::format("ended after {:.0f} s", run.elapsed)};
  if (run.signal)
    return {Verdict::Crash, fmt::format("{}; last words: {}", strsignal(run.signal), last_line(run.output))};
  std::string ours = line_with(run.output, "^(warpwise: |error\\[)");
  if (ours.empty()) ours = line_with(run.output, "CUDA error|[Ee]rror|FAIL|[Mm]ismatch");
  if (ours.empty()) ours = last_line(run.output);
  return {Verdict::Wrong, problem.find(ours) != problem.npos ? problem : fmt::format("{}: {}", problem, ours)};
}

}  // namespace warpwise::conformance
