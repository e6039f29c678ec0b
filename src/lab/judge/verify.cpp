#include "lab/judge/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/json.h"
#include "base/suggest.h"
#include "lab/judge/judge.h"
#include "lab/judge/workers.h"
#include "lab/problem/reference.h"
#include "lab/trial/trial.h"
#include "toolchain/files.h"

namespace warpwise::lab {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr size_t kFewestWrong = 6;

// `// verdict: race` in the first lines of a file: the text after the key; "" when there is none.
std::string comment_line(const std::string& text, const std::string& key) {
  size_t at = 0;
  for (unsigned line = 0; line < 5 && at < text.size(); ++line) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string start = "// " + key + ":";
    if (text.compare(at, start.size(), start) == 0) {
      std::string value = text.substr(at + start.size(), end - at - start.size());
      value.erase(0, value.find_first_not_of(' '));
      return value;
    }
    at = end + 1;
  }
  return "";
}

std::vector<fs::path> sources_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".cu") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

bool has_text(const fs::path& file) {
  auto text = toolchain::read_file(file);
  return text && text->find_first_not_of(" \n\t") != text->npos;
}

// The mistakes that can be found without judging anything.
class Statics {
 public:
  Statics(const Problem& problem, const std::vector<std::string>& slugs, std::vector<std::string>& mistakes)
      : p_(problem), slugs_(slugs), mistakes_(mistakes) {}

  void look() {
    for (const char* name : {"statement.md", "starter.cu", "hints.md", "lesson.md"})
      if (!has_text(p_.folder / name)) mistakes_.push_back(fmt::format("{} is missing or empty", name));
    auto any = [&](auto what) { return std::any_of(p_.cases.begin(), p_.cases.end(), what); };
    if (!p_.has_samples()) mistakes_.push_back("no case is a sample");
    if (!any([](const CaseSpec& c) { return c.shuffle; })) mistakes_.push_back("no case is shuffled");
    if (p_.kind == Kind::Kernel && !any([&](const CaseSpec& c) { return threads(c) > 32; }))
      mistakes_.push_back("no case has blocks of more than one warp");
    if (p_.idea.empty()) mistakes_.push_back("`idea` is empty");
    for (const std::string& need : p_.needs) {
      if (slugs_.empty() || std::find(slugs_.begin(), slugs_.end(), need) != slugs_.end()) continue;
      const std::vector<std::string_view> known(slugs_.begin(), slugs_.end());
      mistakes_.push_back(
          fmt::format("`needs` names `{}`, and there is no such problem{}", need, did_you_mean(need, known)));
    }
    reference();
  }

 private:
  uint64_t threads(const CaseSpec& c) const {
    auto shape = shape_of(p_, c, draw_sizes(c, 1));
    return shape ? uint64_t{shape->launch.block[0]} * shape->launch.block[1] * shape->launch.block[2] : 0;
  }

  void reference() {
    auto reference = Reference::open(p_);
    if (!reference) return mistakes_.push_back(reference.error().message);
    bool floats = false, zeros_pass = true, halves_pass = true, half_is_enough = true;
    for (const CaseSpec& spec : p_.cases) {
      if (spec.timed) continue;
      const uint64_t seed = seed_of_case(1, spec);
      auto one = make_trial(p_, *reference, spec, draw_sizes(spec, seed), seed),
           two = make_trial(p_, *reference, spec, draw_sizes(spec, seed), seed);
      if (!one) return mistakes_.push_back(fmt::format("case `{}`: {}", spec.name, one.error().message));
      if (!two || !same(*one, *two))
        mistakes_.push_back(fmt::format("case `{}`: the same seed made different inputs or answers", spec.name));
      answers_fit(*one, *reference);
      zeros_pass = zeros_pass && passes(*one, *reference, [](double, ElementType) { return 0.0; });
      halves_pass =
          halves_pass && passes(*one, *reference, [](double x, ElementType type) {
            return type == ElementType::Float || type == ElementType::Double ? rounded_to(x, ElementType::Half) : x;
          });
      for (const TrialArray& a : one->arrays)
        if (a.parameter->is_output() &&
            (a.parameter->type == ElementType::Float || a.parameter->type == ElementType::Double)) {
          floats = true;
          half_is_enough = half_is_enough && p_.tolerance_of(*a.parameter).half_is_enough;
        }
    }
    if (zeros_pass) mistakes_.push_back("an answer of zeros would be accepted in every case");
    if (floats && halves_pass && !half_is_enough)
      mistakes_.push_back(
          "the answer rounded to half precision would be accepted in every case: tighten the tolerance, or choose "
          "inputs that half precision cannot hold");
  }

  static bool same(const Trial& a, const Trial& b) {
    for (size_t i = 0; i < a.arrays.size(); ++i) {
      if (!(a.arrays[i].before == b.arrays[i].before)) return false;
      for (size_t k = 0; k < a.arrays[i].expected.size(); ++k)
        if (a.arrays[i].expected[k] != b.arrays[i].expected[k] &&
            !(std::isnan(a.arrays[i].expected[k]) && std::isnan(b.arrays[i].expected[k])))
          return false;
    }
    return true;
  }

  // The arrays as they would be if each answer were change(expected).
  template <class Change>
  static std::vector<std::vector<std::byte>> answers(const Trial& trial, Change change) {
    std::vector<std::vector<std::byte>> all;
    for (const TrialArray& a : trial.arrays) {
      all.emplace_back(a.before.begin(), a.before.end());
      problem::Values values(all.back().data(), a.count, a.parameter->type);
      for (size_t i = 0; i < a.expected.size(); ++i) values.set(i, change(a.expected[i], a.parameter->type));
    }
    return all;
  }
  template <class Change>
  static bool passes(const Trial& trial, const Reference& reference, Change change) {
    auto all = answers(trial, change);
    auto wrong = compare(trial, reference, {all.begin(), all.end()});
    return wrong && !*wrong;
  }
  void answers_fit(const Trial& trial, const Reference& reference) {
    auto all = answers(trial, [](double x, ElementType) { return x; });
    auto wrong = compare(trial, reference, {all.begin(), all.end()});
    if (!wrong)
      mistakes_.push_back(fmt::format("case `{}`: {}", trial.spec->name, wrong.error().message));
    else if (*wrong)
      mistakes_.push_back(fmt::format("case `{}`: the reference's own answer is refused: {}[{}]", trial.spec->name,
                                      trial.arrays[(*wrong)->array].parameter->name, (*wrong)->index));
  }

  const Problem& p_;
  const std::vector<std::string>& slugs_;
  std::vector<std::string>& mistakes_;
};

// One task: a file of a problem under one seed; or, with file == kStatics, the check of the problem
// itself.
struct Task {
  static constexpr size_t kStatics = ~size_t{0}, kStarter = kStatics - 1;
  size_t problem = 0, file = 0;  // into solutions and then wrong
  uint64_t seed = 0;
};

class Verification {
 public:
  Verification(const std::vector<Problem>& problems, const VerifyOptions& options)
      : problems_(problems), options_(options) {
    for (size_t i = 0; i < problems.size(); ++i) list_files(i);
    // The largest first would be best; the slow ones are not known, so all seeds of a file stay together and share what
    // is cached.
    for (size_t i = 0; i < problems.size(); ++i) {
      tasks_.push_back({i, Task::kStatics, 0});
      tasks_.push_back({i, Task::kStarter, options.first_seed});
      for (size_t f = 0; f < files_of(i); ++f)
        for (unsigned s = 0; s < options.seeds; ++s) tasks_.push_back({i, f, options.first_seed + s});
    }
  }

  Result<std::vector<VerifiedProblem>> run(const std::function<void(size_t, size_t)>& progress) {
    size_t finished = 0;
    std::function<std::string(size_t)> task = [this](size_t i) { return dump_json(work(tasks_[i])); };
    TRY(run_in_workers(tasks_.size(), options_.jobs, task, [&](size_t i, const std::string& answer, bool died) {
      take(tasks_[i], died ? Json::object({{"error", "the process that judged it died"}}) : parse_json<Json>(answer));
      if (progress) progress(++finished, tasks_.size());
    }));
    for (VerifiedProblem& v : verified_) conclude(v);
    return std::move(verified_);
  }

 private:
  size_t files_of(size_t problem) const {
    return verified_[problem].solutions.size() + verified_[problem].wrong.size();
  }
  VerifiedFile& file(size_t problem, size_t index) {
    VerifiedProblem& v = verified_[problem];
    return index < v.solutions.size() ? v.solutions[index] : v.wrong[index - v.solutions.size()];
  }

  void list_files(size_t index) {
    const Problem& p = problems_[index];
    VerifiedProblem v{.slug = p.slug, .title = p.title, .solutions = {}, .wrong = {}, .mistakes = {}};
    for (const fs::path& path : sources_in(p.folder / "solutions")) {
      const std::string text = toolchain::read_file(path).ok() ? *toolchain::read_file(path) : "";
      VerifiedFile f{
          .file = "solutions/" + path.filename().string(), .about = comment_line(text, "solution"), .got = {}};
      if (f.about.empty())
        v.mistakes.push_back(fmt::format("{}: the first line names the step: `// solution: …`", f.file));
      v.solutions.push_back(std::move(f));
    }
    for (const fs::path& path : sources_in(p.folder / "wrong")) {
      const std::string text = toolchain::read_file(path).ok() ? *toolchain::read_file(path) : "";
      VerifiedFile f{.file = "wrong/" + path.filename().string(), .about = comment_line(text, "why"), .got = {}};
      const std::string stated = comment_line(text, "verdict");
      auto verdict = find_verdict(stated);
      if (!verdict || *verdict == Verdict::Accepted)
        v.mistakes.push_back(fmt::format(
            "{}: the first lines state the verdict and the reason: `// verdict: race`, `// why: …`", f.file));
      if (f.about.empty()) v.mistakes.push_back(fmt::format("{}: `// why: …` is missing", f.file));
      f.stated = verdict.value_or(Verdict::WrongValue);
      v.wrong.push_back(std::move(f));
    }
    if (v.solutions.empty()) v.mistakes.push_back("there is no solution");
    if (v.wrong.size() < kFewestWrong)
      v.mistakes.push_back(fmt::format("{} wrong kernels: at least {} prove the cases", v.wrong.size(), kFewestWrong));
    verified_.push_back(std::move(v));
  }

  // In a working process.
  Json work(const Task& task) {
    const Problem& problem = problems_[task.problem];
    if (task.file == Task::kStatics) {
      std::vector<std::string> mistakes;
      Statics(problem, options_.slugs, mistakes).look();
      return {{"mistakes", mistakes}};
    }
    const fs::path source =
        problem.folder / (task.file == Task::kStarter ? "starter.cu" : file(task.problem, task.file).file);
    auto judgement = judge(problem, source,
                           {.seed = task.seed,
                            .device = options_.device,
                            .samples_only = false,
                            .sandbox = options_.sandbox,
                            .trusted = true,
                            .likely_refused = refused_kind(task),
                            .shrink = false});
    if (!judgement) return {{"error", judgement.error().message}};
    std::string detail;
    if (judgement->refusal)
      detail = fmt::format(
          "{}{}", judgement->refusal->case_name.empty() ? "" : "case `" + judgement->refusal->case_name + "`: ",
          story(*judgement->refusal));
    return {{"verdict", name_of(judgement->verdict)}, {"seconds", judgement->seconds}, {"detail", detail}};
  }
  // Most of the files are wrong kernels, which end long before the timed case.
  bool refused_kind(const Task& task) {
    return task.file == Task::kStarter || file(task.problem, task.file).stated != Verdict::Accepted;
  }

  static std::string story(const Refusal& r) {
    if (!r.findings.empty()) return r.findings[0].message;
    if (r.wrong)
      return fmt::format("{}[{}] is {}{}", r.wrong->array, r.wrong->index, r.wrong->element.got,
                         r.wrong->element.expected ? fmt::format(", expected {}", *r.wrong->element.expected) : "");
    if (!r.budget.empty())
      return fmt::format("{}: {} of {}", words_of(r.budget[0].counter), r.budget[0].used, r.budget[0].limit);
    return r.message;
  }

  void take(const Task& task, const Json& answer) {
    VerifiedProblem& v = verified_[task.problem];
    if (task.file == Task::kStatics && answer.contains("mistakes")) {
      for (const Json& mistake : answer["mistakes"]) v.mistakes.push_back(mistake.get<std::string>());
      return;
    }
    const std::string name = task.file == Task::kStatics   ? "problem"
                             : task.file == Task::kStarter ? "starter.cu"
                                                           : file(task.problem, task.file).file;
    if (answer.contains("error")) {
      v.mistakes.push_back(fmt::format("{}: {}", name, answer["error"].get<std::string>()));
      return;
    }
    const Verdict verdict = *find_verdict(answer["verdict"].get<std::string>());
    if (task.file == Task::kStarter) {
      if (verdict == Verdict::Accepted || verdict == Verdict::DoesNotCompile || verdict == Verdict::WrongSignature)
        v.mistakes.push_back(fmt::format("starter.cu: {}: it should compile and be refused", words_of(verdict)));
      return;
    }
    VerifiedFile& f = file(task.problem, task.file);
    f.got.push_back(verdict);
    f.slowest_seconds = std::max(f.slowest_seconds, answer["seconds"].get<double>());
    if (verdict != f.stated)
      v.mistakes.push_back(fmt::format("{} (seed {}): {}, and it states {}{}{}", f.file, task.seed, name_of(verdict),
                                       name_of(f.stated), answer["detail"].get<std::string>().empty() ? "" : "; ",
                                       answer["detail"].get<std::string>()));
  }

  void conclude(VerifiedProblem& v) { std::sort(v.mistakes.begin(), v.mistakes.end()); }

  const std::vector<Problem>& problems_;
  const VerifyOptions options_;
  std::vector<VerifiedProblem> verified_;
  std::vector<Task> tasks_;
};

std::string escaped(std::string text) {
  for (size_t at = 0; (at = text.find('|', at)) != text.npos; at += 2) text.insert(at, 1, '\\');
  return text;
}

}  // namespace

bool VerifiedFile::right() const {
  return !got.empty() && std::all_of(got.begin(), got.end(), [this](Verdict v) { return v == stated; });
}

Result<std::vector<VerifiedProblem>> verify(const std::vector<Problem>& problems, const VerifyOptions& options,
                                            const std::function<void(size_t, size_t)>& progress) {
  return Verification(problems, options).run(progress);
}

std::string to_text(const std::vector<VerifiedProblem>& problems, bool color) {
  auto paint = [color](const char* sgr, std::string_view text) {
    return color ? fmt::format("\033[{}m{}\033[0m", sgr, text) : std::string(text);
  };
  std::string out;
  size_t good = 0, solutions = 0, wrong = 0;
  for (const VerifiedProblem& v : problems) {
    good += v.ok(), solutions += v.solutions.size(), wrong += v.wrong.size();
    out += fmt::format("{} {}: {} solution{}, {} wrong kernels\n", v.ok() ? paint("32", "✓") : paint("31", "✗"), v.slug,
                       v.solutions.size(), v.solutions.size() == 1 ? "" : "s", v.wrong.size());
    for (const std::string& mistake : v.mistakes) out += fmt::format("    {}\n", mistake);
  }
  if (!problems.empty())  // it may be lessons alone
    out += fmt::format("{} of {} problems proved: {} solutions, {} wrong kernels\n", good, problems.size(), solutions,
                       wrong);
  return out;
}

std::string to_json(const std::vector<VerifiedProblem>& problems) {
  auto files = [](const std::vector<VerifiedFile>& list) {
    Json out = Json::array();
    for (const VerifiedFile& f : list) {
      Json one = {{"file", f.file},
                  {"about", f.about},
                  {"stated", name_of(f.stated)},
                  {"right", f.right()},
                  {"seconds", f.slowest_seconds},
                  {"got", Json::array()}};
      for (Verdict v : f.got) one["got"].push_back(name_of(v));
      out.push_back(std::move(one));
    }
    return out;
  };
  Json out = Json::array();
  for (const VerifiedProblem& v : problems)
    out.push_back({{"problem", v.slug},
                   {"ok", v.ok()},
                   {"mistakes", v.mistakes},
                   {"solutions", files(v.solutions)},
                   {"wrong", files(v.wrong)}});
  return dump_json(out, 2) + "\n";
}

std::string to_markdown(const std::vector<VerifiedProblem>& problems) {
  size_t solutions = 0, wrong = 0, refused = 0;
  for (const VerifiedProblem& v : problems) {
    solutions += v.solutions.size(), wrong += v.wrong.size();
    for (const VerifiedFile& f : v.wrong) refused += f.right();
  }
  std::string out = fmt::format(
      "# The problems, and what proves them\n\n"
      "Made by `warpwise lab verify --all --markdown`. {} problems; {} solutions, all of which must be accepted; {} "
      "wrong kernels, of which {} are refused for the "
      "reason they state.\n\nThe format of problems is [problem_format.md](problem_format.md).\n",
      problems.size(), solutions, wrong, refused);
  for (const VerifiedProblem& v : problems) {
    out += fmt::format("\n## {} · `{}`\n\n| file | | verdict |\n|---|---|---|\n", v.title, v.slug);
    for (const auto* list : {&v.solutions, &v.wrong})
      for (const VerifiedFile& f : *list)
        out += fmt::format("| {} | {} | {}{} |\n", f.file.substr(0, f.file.size() - 3), escaped(f.about),
                           f.got.empty() ? "not judged" : words_of(f.got[0]), f.right() ? "" : " (**not as stated**)");
  }
  return out;
}

}  // namespace warpwise::lab
