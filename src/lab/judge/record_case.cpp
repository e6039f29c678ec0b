#include "lab/judge/record_case.h"

#include <fmt/format.h>

#include <algorithm>

#include "lab/report/judgement_text.h"
#include "perf/counters/records.h"
#include "perf/report/hot_lines.h"
#include "perf/report/json.h"
#include "toolchain/files.h"
#include "trace/trace_file.h"

namespace warpwise::lab {
namespace {

// The thread that the refusal is about.
struct Guilty {
  std::string kernel;
  Index3 block, thread;
  CodePlace code;
};

std::optional<Guilty> guilty(const std::optional<Refusal>& refusal) {
  if (!refusal) return std::nullopt;
  for (const Finding& finding : refusal->findings)
    for (const Party& party : finding.parties)
      if (party.block && party.thread) return Guilty{party.kernel, *party.block, *party.thread, party.code};
  const WroteIt* writer = refusal->wrong && refusal->wrong->writer ? &*refusal->wrong->writer
                          : refusal->twice                         ? &refusal->twice->second
                          : refusal->greatest                      ? &*refusal->greatest
                                                                   : nullptr;
  if (!writer) return std::nullopt;
  // The outermost function is the kernel.
  const auto& frames = writer->code.frames;
  return Guilty{frames.empty() ? std::string() : frames.back().function, writer->block, writer->thread, writer->code};
}

// A wrong value as a finding, so that a view opens at the step at which it was written.
std::optional<Finding> wrong_value(const Trial& trial, const Refusal& refusal, const trace::Recording& recording) {
  if (!refusal.findings.empty() || !refusal.wrong || !refusal.wrong->writer) return std::nullopt;
  const WrongReport& wrong = *refusal.wrong;
  Finding finding{
      .code = "L0011",
      .message = fmt::format("{}[{}] is {}", wrong.array, wrong.index, number_text(wrong.element.got, wrong.type))};
  if (wrong.element.expected)
    finding.message +=
        fmt::format(", expected {}", number_text(rounded_to(*wrong.element.expected, wrong.type), wrong.type));
  finding.parties.push_back({.role = "write",
                             .kernel = recording.kernel,
                             .block = wrong.writer->block,
                             .thread = wrong.writer->thread,
                             .code = wrong.writer->code});
  const auto& parameters = trial.problem->parameters;
  const auto parameter =
      std::find_if(parameters.begin(), parameters.end(), [&](const Parameter& p) { return p.name == wrong.array; });
  // A kernel's arguments are the problem's; those of a host function's kernels are its own affair.
  for (const trace::Memory& memory : recording.memories)
    if (trial.problem->kind == Kind::Kernel && memory.argument == parameter - parameters.begin()) {
      const uint64_t bytes = bytes_of(wrong.type);
      finding.memory = MemoryPlace{.space = "global", .address = memory.base + wrong.index * bytes, .bytes = bytes};
    }
  return finding;
}

// Of an accepted file the first case that fills a few warps: what is wasted shows there, and not in four elements.
const std::string& telling_case(const std::vector<Trial>& trials, const Judgement& judgement) {
  constexpr uint64_t kFewWarps = 64;  // elements
  for (const CaseReport& report : judgement.cases)
    for (const Trial& trial : trials)
      if (trial.spec->name == report.name && !trial.spec->timed &&
          std::any_of(trial.arrays.begin(), trial.arrays.end(),
                      [](const TrialArray& array) { return array.count >= kFewWarps; }))
        return report.name;
  return judgement.cases[0].name;
}

// Whether a case can have these sizes: what asks may come from a student, and inputs are made outside of all walls.
bool fits(const Problem& problem, const CaseSpec& spec, const Numbers& sizes) {
  if (spec.timed || sizes.size() != spec.sizes.size()) return false;
  return std::all_of(spec.sizes.begin(), spec.sizes.end(), [&](const auto& size) {
    const auto& [name, range] = size;
    const auto asked = sizes.find(name), least = problem.shrink.find(name);
    const int64_t low = least == problem.shrink.end() ? range.low : std::min(range.low, least->second);
    return asked != sizes.end() && asked->second >= low && asked->second <= range.high;
  });
}

}  // namespace

Result<Trial> trial_to_record(const Problem& problem, const Reference& reference, const std::vector<Trial>& trials,
                              const Judgement& judgement, const std::optional<Numbers>& shrunk,
                              const std::optional<RecordedCase>& like) {
  const std::string& name = like                ? like->name
                            : judgement.refusal ? judgement.refusal->case_name
                                                : telling_case(trials, judgement);
  const auto missing = [&] { return Error{"L0010", fmt::format("there is no case `{}` to record", name)}; };
  const auto spec =
      std::find_if(problem.cases.begin(), problem.cases.end(), [&](const CaseSpec& one) { return one.name == name; });
  if (spec == problem.cases.end()) return missing();
  if (like && !fits(problem, *spec, like->sizes))
    return Error{"L0010", fmt::format("the case `{}` has no such sizes", name)};
  if (like) return make_trial(problem, reference, *spec, like->sizes, like->seed);
  const auto shown =
      std::find_if(trials.begin(), trials.end(), [&](const Trial& trial) { return trial.spec->name == name; });
  if (shown == trials.end()) return missing();
  return make_trial(problem, reference, *spec, shrunk ? *shrunk : shown->sizes, shown->seed);
}

RecordedCase what_to_record(const Trial& trial, const Judgement& judgement) {
  RecordedCase recorded{
      .name = trial.spec->name, .sizes = trial.sizes, .seed = trial.seed, .block = {}, .kernel = {}, .lines = {}};
  const auto who = guilty(judgement.refusal);
  if (!who) return recorded;
  recorded.block = who->block;
  if (trial.problem->kind != Kind::Kernel) recorded.kernel = who->kernel;
  // The values at the guilty line, in the submission's own words.
  if (!who->code.frames.empty()) recorded.lines.push_back(who->code.frames[0].line);
  return recorded;
}

trace::RecordRequest request_of(const RecordedCase& recorded, const Trial& trial, const std::filesystem::path& file) {
  trace::RecordRequest request{.path = file.string(), .symbol = "", .value_lines = recorded.lines};
  const auto& grid = trial.shape.launch.grid;
  if (trial.problem->kind == Kind::Kernel)
    request.block = recorded.block.x + uint64_t{grid[0]} * (recorded.block.y + uint64_t{grid[1]} * recorded.block.z);
  else if (!recorded.kernel.empty())
    request.kernel = recorded.kernel, request.at = recorded.block;
  return request;
}

void add_counts(trace::Completion& completion, const std::string& records, const std::string& kernel,
                const device::Properties& device) {
  if (records.empty()) return;
  perf::Profile profile = perf::read_records(records);
  profile.program = completion.program;
  const auto is_recorded = [&](const perf::LaunchCounts& launch) {
    return kernel.empty() || launch.kernel == kernel || launch.kernel.starts_with(kernel + "(");
  };
  const auto recorded = std::find_if(profile.launches.begin(), profile.launches.end(), is_recorded);
  if (recorded == profile.launches.end()) return;
  completion.launch = recorded->index;
  const perf::Analysis analysis = perf::analyse(profile, device);
  completion.profile = perf::profile_to_json(profile, analysis);
  if (const auto place = perf::costliest_place(analysis, recorded->symbol))
    completion.costly_line = trace::SourceFrame{place->file, place->line, place->column, place->function};
}

Result<void> complete_recording(const Trial& trial, const Judgement& judgement, const RecordedCase& recorded, bool like,
                                trace::Completion c, const std::filesystem::path& steps,
                                const std::filesystem::path& file) {
  c.program = judgement.problem;
  c.schedule = recorded.order        ? fmt::format("shuffle:{}", *recorded.order)
               : trial.spec->shuffle ? "shuffle"
                                     : "in-order";
  c.input = to_json(recorded);
  c.checked = !like;
  c.notes.push_back(fmt::format("the case `{}` of {}: {}", trial.spec->name, judgement.problem, trial.describe()));
  // No other file is read, whatever the code claims to come from.
  c.read_source = [&](const std::string& name) -> std::optional<std::string> {
    std::error_code error;
    const std::string path = std::filesystem::absolute(name, error).lexically_normal();
    if (std::find(judgement.sources.begin(), judgement.sources.end(), path) == judgement.sources.end())
      return std::nullopt;
    auto text = toolchain::read_file(path);
    return text ? std::optional(std::move(*text)) : std::nullopt;
  };
  {
    const auto made = trace::TraceFile::open(steps.string());
    if (!made)
      return Error{"V0006", fmt::format("the case `{}` launched no kernel that could be recorded ({})",
                                        trial.spec->name, made.error().message)};
    if (judgement.refusal && !like) {
      c.findings = judgement.refusal->findings, c.choice = trace::Choice::Finding;
      if (auto wrong = wrong_value(trial, *judgement.refusal, (*made)->recording()))
        c.findings.push_back(std::move(*wrong));
    }
  }
  if (const auto who = guilty(judgement.refusal); who && !like && !who->code.frames.empty()) {
    const SourcePlace& place = who->code.frames[0];
    c.costly_line = trace::SourceFrame{place.file, place.line, place.column, place.function};
  }
  return trace::complete(steps.string(), file.string(), c);
}

}  // namespace warpwise::lab
