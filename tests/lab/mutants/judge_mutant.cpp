#include "lab/mutants/judge_mutant.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "device/device_file.h"
#include "device/properties.h"
#include "lab/judge/compile_submission.h"
#include "lab/trial/solve_program.h"

namespace warpwise::mutants {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kOutcomes[] = {"does-not-compile", "equal-by-code", "refused",
                                          "equal-in-sweep",   "hole",          "failed"};
// Mutants that loop for ever should not take most of the time. The solutions need hundredths of a second.
constexpr double kMostSeconds = 1;

std::string story(const lab::Refusal& r) {
  if (!r.findings.empty()) return r.findings[0].message;
  if (r.wrong)
    return fmt::format("{}[{}] is {}{}", r.wrong->array, r.wrong->index, r.wrong->element.got,
                       r.wrong->element.expected ? fmt::format(", expected {}", *r.wrong->element.expected) : "");
  if (!r.budget.empty())
    return fmt::format("{}: {} of {}", lab::words_of(r.budget[0].counter), r.budget[0].used, r.budget[0].limit);
  return r.message.substr(0, r.message.find('\n'));
}

Judged judged(Outcome outcome, const lab::Judgement& judgement) {
  Judged out{.outcome = outcome,
             .verdict = std::string(lab::name_of(judgement.verdict)),
             .case_name = {},
             .shape = {},
             .detail = {}};
  if (!judgement.refusal) return out;
  out.case_name = judgement.refusal->case_name;
  out.shape = judgement.refusal->shape;
  out.detail = story(*judgement.refusal);
  return out;
}

Judged failed(const Error& error) {
  return {.outcome = Outcome::Failed,
          .verdict = {},
          .case_name = {},
          .shape = {},
          .detail = fmt::format("{}: {}", error.code, error.message)};
}

}  // namespace

std::string_view name_of(Outcome outcome) { return kOutcomes[size_t(outcome)]; }
std::optional<Outcome> find_outcome(std::string_view name) {
  for (size_t i = 0; i < std::size(kOutcomes); ++i)
    if (kOutcomes[i] == name) return Outcome(i);
  return std::nullopt;
}

std::string without_places(std::string_view ptx) {
  std::string out;
  bool debug = false;
  while (!ptx.empty()) {
    const size_t end = std::min(ptx.find('\n'), ptx.size());
    std::string_view line = ptx.substr(0, end);
    ptx.remove_prefix(std::min(end + 1, ptx.size()));
    if (const size_t comment = line.find("//"); comment != line.npos) line = line.substr(0, comment);
    const size_t begin = line.find_first_not_of(" \t");
    if (begin == line.npos) continue;
    line = line.substr(begin, line.find_last_not_of(" \t") + 1 - begin);
    if (line.starts_with(".section")) debug = true;  // Clang writes .debug sections after all code
    if (!debug && !line.starts_with(".loc") && !line.starts_with(".file")) out.append(line).push_back('\n');
    if (line == "}") debug = false;
  }
  return out;
}

Result<MutantJudge> MutantJudge::create(const JudgeSettings& settings) {
  return MutantJudge(settings, TRY(toolchain::TemporaryFolder::create(fs::temp_directory_path())));
}

lab::JudgeOptions MutantJudge::options() const {
  lab::JudgeOptions options;
  options.seed = settings_.seed;
  options.sandbox = settings_.sandbox;
  options.likely_refused = true;
  options.shrink = false;
  return options;
}

Result<fs::path> MutantJudge::write(const fs::path& file, const std::string& source) {
  const fs::path path = folder_.path() / file.filename();
  TRY(toolchain::write_file(path, source));
  return path;
}

// The optimised code, as the large case runs it; nothing when it does not compile.
Result<std::optional<std::string>> MutantJudge::code_of(const lab::Problem& problem, const fs::path& source) {
  const lab::JudgeOptions judge = options();
  const auto* gpu = TRY(device::device_named(judge.device));
  const lab::CompileOptions how{
      toolchain::BuildPurpose::Run, gpu->major * 10 + gpu->minor, judge.compiler, {}, judge.sandbox};
  if (problem.kind == lab::Kind::Kernel) {
    const lab::CompiledSubmission made = TRY(lab::compile_device_half(source, how));
    return made.compiled ? std::optional(without_places(made.ptx)) : std::nullopt;
  }
  const lab::SolveProgram made = TRY(lab::build_solve_program(problem, source, how));
  if (!made.compiled) return std::optional<std::string>();
  std::string code;
  for (const std::string& image : made.images) code += without_places(image);
  return std::optional(code);
}

// Both are compiled under one name, because PTX names its source.
Result<bool> MutantJudge::same_code(const lab::Problem& problem, const fs::path& original, const fs::path& mutant) {
  const std::optional<std::string> code = TRY(code_of(problem, mutant));
  if (!originals_.contains(original.string())) {
    const std::string text = TRY(toolchain::read_file(mutant));
    TRY(toolchain::write_file(mutant, TRY(toolchain::read_file(original))));
    auto own = code_of(problem, mutant);
    TRY(toolchain::write_file(mutant, text));
    originals_[original.string()] = TRY(std::move(own));
  }
  return code && code == originals_[original.string()];
}

Judged MutantJudge::judge(const lab::Problem& problem, const Sweep& sweep, const fs::path& file,
                          const std::string& source, bool in_kernel) {
  const auto start = std::chrono::steady_clock::now();
  Judged out = decide(problem, sweep, file, source, in_kernel);
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return out;
}

Judged MutantJudge::decide(const lab::Problem& given, const Sweep& sweep_shapes, const fs::path& file,
                           const std::string& source, bool in_kernel) {
  lab::Problem problem = given;
  problem.seconds = std::min(problem.seconds, kMostSeconds);
  auto path = write(file, source);
  if (!path) return failed(path.error());
  // The large case takes longer than all others together, so it comes last.
  lab::Problem small = problem;
  std::erase_if(small.cases, [](const lab::CaseSpec& c) { return c.timed; });
  auto judgement = lab::judge(small, *path, options());
  if (!judgement) return failed(judgement.error());
  if (judgement->verdict == lab::Verdict::DoesNotCompile) return judged(Outcome::DoesNotCompile, *judgement);
  if (!judgement->accepted()) return judged(Outcome::Refused, *judgement);
  if (in_kernel) {
    auto same = same_code(problem, file, *path);
    if (!same) return failed(same.error());
    if (*same) return judged(Outcome::EqualByCode, *judgement);
  }
  Judged out = sweep(given, sweep_shapes, *path);
  if (small.cases.size() == problem.cases.size() || out.outcome == Outcome::Failed) return out;
  // What the sweep accepted only has to give the right answer there. What it refused is a hole if users' files of this
  // kind are accepted.
  lab::JudgeOptions how = options();
  how.only_timed = out.outcome == Outcome::EqualInSweep;
  how.likely_refused = false;
  judgement = lab::judge(problem, *path, how);
  if (!judgement) return failed(judgement.error());
  return judgement->accepted() ? out : judged(Outcome::Refused, *judgement);
}

Judged MutantJudge::sweep(const lab::Problem& problem, const Sweep& shapes, const fs::path& source) {
  auto other = swept(problem, shapes, settings_.seed, settings_.shapes);
  if (!other) return failed(other.error());
  auto judgement = lab::judge(*other, source, options());
  if (!judgement) return failed(judgement.error());
  return judged(judgement->accepted() ? Outcome::EqualInSweep : Outcome::Hole, *judgement);
}

}  // namespace warpwise::mutants
