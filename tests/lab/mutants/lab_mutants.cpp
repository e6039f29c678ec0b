// lab_mutants: proves the cases of the lab's problems with mutants of their solutions. Each mutant must be refused, or
// be equal to its original: docs/internals/mutants.md.
//
//     lab_mutants --all --count=66 --log=mutants.jsonl    66 mutants of each problem; what is in the log is not judged
//     again lab_mutants --only=puzzles/dot --operators=barrier-dropped,guard-dropped lab_mutants --all --solutions the
//     solutions themselves, in the shapes of the sweeps
//
// Exit code: 0 all refused or equal, 1 a hole or a failure, 2 wrong option.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lab/judge/workers.h"
#include "lab/mutants/judge_mutant.h"
#include "lab/mutants/mutate.h"
#include "lab/mutants/reviewed.h"
#include "lab/mutants/sweep.h"
#include "lab/problem/catalogue.h"
#include "toolchain/files.h"

namespace warpwise::mutants {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

struct Options {
  std::vector<std::string> only;
  std::set<std::string> operators;  // empty: all
  uint64_t seed = 1, count = 66;
  unsigned jobs = 1, shapes = 24;
  std::string log, problems;
  bool all = false, solutions = false, sandbox = true, list = false, markdown = false;
};

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const size_t end = std::min(text.find(','), text.size());
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

// False for what is not an option.
bool read_option(std::string_view word, Options& o) {
  const size_t sign = word.find('=');
  const std::string_view name = word.substr(0, sign);
  const std::string value(sign == word.npos ? "" : word.substr(sign + 1));
  auto number = [&](auto& out) {
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), out);
    return error == std::errc() && end == value.data() + value.size();
  };
  if (name == "--only") return o.only = split(value), !o.only.empty();
  if (name == "--operators") {
    for (const std::string& op : split(value)) o.operators.insert(op);
    return !o.operators.empty();
  }
  if (name == "--seed") return number(o.seed);
  if (name == "--count") return number(o.count);
  if (name == "--jobs") return number(o.jobs) && o.jobs > 0;
  if (name == "--shapes") return number(o.shapes) && o.shapes > 0;
  if (name == "--log") return o.log = value, !value.empty();
  if (name == "--problems") return o.problems = value, !value.empty();
  if (sign != word.npos) return false;
  if (name == "--all") return o.all = true;
  if (name == "--solutions") return o.solutions = true;
  if (name == "--no-sandbox") return o.sandbox = false, true;
  if (name == "--list") return o.list = true;
  if (name == "--markdown") return o.markdown = true;
  return false;
}

// A mutant, or with no operator a solution as it is.
struct Task {
  size_t problem = 0;
  fs::path file;
  std::optional<Mutant> mutant;
  std::string key, difference;
};

std::vector<fs::path> solutions_of(const lab::Problem& problem) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(problem.folder / "solutions", error))
    if (entry.path().extension() == ".cu") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

class Run {
 public:
  Run(const Options& options, std::vector<lab::Problem> problems, std::map<std::string, Sweep> sweeps,
      Reviewed reviewed)
      : options_(options), problems_(std::move(problems)), sweeps_(std::move(sweeps)), reviewed_(std::move(reviewed)) {}

  Result<int> run() {
    for (size_t i = 0; i < problems_.size(); ++i) TRY(list(i));
    read_log();
    std::vector<size_t> left;
    for (size_t i = 0; i < tasks_.size(); ++i)
      if (!results_.contains(tasks_[i].key)) left.push_back(i);
    std::fprintf(stderr, "%zu mutants, %zu of them in the log\n", tasks_.size(), tasks_.size() - left.size());
    std::function<std::string(size_t)> work = [&](size_t i) {
      return judge(tasks_[left[i]]).dump(-1, ' ', false, Json::error_handler_t::replace);
    };
    // Workers end without destructors: what they leave goes with this folder.
    const toolchain::TemporaryFolder temporaries = TRY(toolchain::TemporaryFolder::create(fs::temp_directory_path()));
    setenv("TMPDIR", temporaries.path().c_str(), 1);
    size_t finished = 0;
    TRY(lab::run_in_workers(left.size(), options_.jobs, work, [&](size_t i, const std::string& answer, bool died) {
      take(tasks_[left[i]],
           died ? Json{{"outcome", "failed"}, {"detail", "the process that judged it died"}} : Json::parse(answer));
      if (++finished % 50 == 0) std::fprintf(stderr, "%zu of %zu\n", finished, left.size());
    }));
    return report();
  }

 private:
  // Mutants of a problem: of each operator in turn, so that rare ones are among them, drawn from all of its solutions.
  Result<void> list(size_t index) {
    const lab::Problem& problem = problems_[index];
    if (!sweeps_.contains(problem.slug))
      return Error{"L0001", fmt::format("`{}` has no sweep in sweeps.toml", problem.slug)};
    std::vector<std::vector<Task>> by_operator(kOperators);
    for (const fs::path& file : solutions_of(problem)) {
      const std::string text = TRY(toolchain::read_file(file));
      const std::string name = fmt::format("{}/{}", problem.slug, file.filename().string());
      if (options_.solutions) {
        tasks_.push_back({index, file, {}, name, {}});
        continue;
      }
      for (Mutant& m : mutants_of(text)) {
        if (!options_.operators.empty() && !options_.operators.contains(std::string(name_of(m.op)))) continue;
        std::string key =
            fmt::format("{}:{}:{}: {}: {} -> {}", name, m.line, m.column, name_of(m.op), m.before, m.after);
        std::string lines = difference(text, m);
        by_operator[size_t(m.op)].push_back({index, file, std::move(m), std::move(key), std::move(lines)});
      }
    }
    problem::Random random(options_.seed);
    for (std::vector<Task>& tasks : by_operator) {
      std::vector<Task> shuffled;
      for (size_t i : random.permutation(tasks.size())) shuffled.push_back(std::move(tasks[i]));
      tasks = std::move(shuffled);
    }
    size_t taken = 0;
    for (size_t round = 0, more = 1; more && taken < options_.count; ++round) {
      more = 0;
      for (std::vector<Task>& tasks : by_operator)
        if (round < tasks.size() && taken < options_.count) tasks_.push_back(std::move(tasks[round])), ++taken, ++more;
    }
    return {};
  }

  // In a working process, which keeps its judge.
  Json judge(const Task& task) {
    if (!judge_) {
      auto made = MutantJudge::create({.seed = options_.seed, .shapes = options_.shapes, .sandbox = options_.sandbox});
      if (!made) return {{"outcome", "failed"}, {"detail", made.error().message}};
      judge_.emplace(std::move(made).value());
    }
    const lab::Problem& problem = problems_[task.problem];
    const Sweep& sweep = sweeps_.at(problem.slug);
    const Judged judged = task.mutant
                              ? judge_->judge(problem, sweep, task.file, task.mutant->source, task.mutant->in_kernel)
                              : judge_->sweep(problem, sweep, task.file);
    return {{"outcome", name_of(judged.outcome)},
            {"verdict", judged.verdict},
            {"case", judged.case_name},
            {"shape", judged.shape},
            {"detail", judged.detail},
            {"seconds", judged.seconds}};
  }

  void take(const Task& task, Json answer) {
    answer["key"] = task.key;
    if (!options_.log.empty()) {
      std::ofstream log(options_.log, std::ios::app);
      log << answer.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
    }
    results_[task.key] = std::move(answer);
  }

  void read_log() {
    std::ifstream log(options_.log);
    for (std::string line; !options_.log.empty() && std::getline(log, line);) {
      Json one = Json::parse(line, nullptr, false);
      // Holes are judged again: their problem may have been mended.
      if (!one.is_object() || one.value("outcome", "") == "failed" || one.value("outcome", "") == "hole") continue;
      const std::string key = one.value("key", "");
      results_[key] = std::move(one);
    }
  }

  // Of one problem or operator, or of all.
  struct Counts {
    size_t outcomes[size_t(Outcome::Failed) + 1] = {}, reviewed_right = 0, reviewed_wrong = 0;
    size_t operator[](Outcome o) const { return outcomes[size_t(o)]; }
    size_t judged() const {
      size_t sum = reviewed_right + reviewed_wrong;
      for (size_t n : outcomes) sum += n;
      return sum - outcomes[size_t(Outcome::DoesNotCompile)];
    }
  };

  std::string row(const std::string& name, const Counts& c) const {
    const char* form = options_.markdown ? "| {} | {} | {} | {} | {} | {} | {} | {} |\n"
                                         : "{:<32} {:>7} {:>8} {:>8} {:>9} {:>9} {:>12} {:>6}\n";
    return fmt::format(fmt::runtime(form), name, c.judged(), c[Outcome::Refused], c[Outcome::EqualByCode],
                       c[Outcome::EqualInSweep], c.reviewed_right, c.reviewed_wrong,
                       c[Outcome::Hole] + c[Outcome::Failed]);
  }
  std::string head(const std::string& name) const {
    const char* form = options_.markdown ? "| {} | {} | {} | {} | {} | {} | {} | {} |\n"
                                         : "{:<32} {:>7} {:>8} {:>8} {:>9} {:>9} {:>12} {:>6}\n";
    return fmt::format(fmt::runtime(form), name, "mutants", "refused", "by code", "in sweep", "reviewed", "known wrong",
                       "holes") +
           (options_.markdown ? "|---|---|---|---|---|---|---|---|\n" : "");
  }

  int report() {
    Counts all;
    std::map<std::string, Counts> by_problem;
    std::vector<Counts> by_operator(kOperators);
    std::map<std::string, size_t> verdicts;
    double seconds = 0;
    std::string accepted, known, wrong;
    for (const Task& task : tasks_) {
      const Json& r = results_[task.key];
      Outcome outcome = find_outcome(r.value("outcome", "")).value_or(Outcome::Failed);
      const bool accepted_one = outcome != Outcome::Refused && outcome != Outcome::DoesNotCompile;
      const Reviewed::Entry* entry = accepted_one ? reviewed_.find(task.key) : nullptr;
      if (entry && entry->right && outcome != Outcome::Hole) entry = nullptr;  // the sweep agrees
      auto count = [&](Counts& c) {
        ++(!entry ? c.outcomes[size_t(outcome)] : entry->right ? c.reviewed_right : c.reviewed_wrong);
      };
      count(all);
      count(by_problem[problems_[task.problem].slug]);
      if (task.mutant) count(by_operator[size_t(task.mutant->op)]);
      if (outcome == Outcome::Refused) ++verdicts[r.value("verdict", "")];
      seconds += r.value("seconds", 0.0);
      if (entry)
        (entry->right ? accepted : known) += fmt::format("{}\n{}  {}\n", task.key, task.difference, entry->reason);
      else if (outcome == Outcome::EqualInSweep && task.mutant)
        accepted += fmt::format("{}\n{}", task.key, task.difference);
      else if (outcome == Outcome::Hole || outcome == Outcome::Failed)
        wrong += fmt::format("{}\n{}  {}: {} ({}; {})\n", task.key, task.difference, r.value("outcome", ""),
                             r.value("verdict", ""), r.value("shape", ""), r.value("detail", ""));
    }
    if (!options_.markdown && !accepted.empty()) fmt::print("Accepted, and equal:\n\n{}\n", accepted);
    if (!known.empty()) fmt::print("Accepted, and known to be wrong:\n\n{}\n", known);
    if (!wrong.empty()) fmt::print("Accepted, and wrong:\n\n{}\n", wrong);
    std::string table = head("problem");
    for (const auto& [slug, counts] : by_problem) table += row(slug, counts);
    table += row("all", all);
    if (!options_.solutions) {
      table += fmt::format("\n{}", head("operator"));
      for (size_t i = 0; i < kOperators; ++i)
        if (by_operator[i].judged() != 0) table += row(std::string(name_of(Operator(i))), by_operator[i]);
    }
    table += "\nrefused as:";
    for (const auto& [verdict, n] : verdicts) table += fmt::format(" {} {}", verdict, n);
    fmt::print("{}\nnot compiled, and not counted: {}; {:.0f} s in all\n", table, all[Outcome::DoesNotCompile],
               seconds);
    return all[Outcome::Hole] + all[Outcome::Failed] == 0 ? 0 : 1;
  }

  const Options options_;
  const std::vector<lab::Problem> problems_;
  const std::map<std::string, Sweep> sweeps_;
  const Reviewed reviewed_;
  std::vector<Task> tasks_;
  std::map<std::string, Json> results_;
  std::optional<MutantJudge> judge_;
};

Result<int> run(const Options& options) {
  const fs::path here = WARPWISE_MUTANTS_DIR;
  const lab::Catalogue catalogue = TRY(lab::Catalogue::open(options.problems));
  std::vector<lab::Problem> problems;
  for (const std::string& slug : catalogue.slugs())
    if (options.all || std::any_of(options.only.begin(), options.only.end(), [&](const std::string& name) {
          return slug == name || slug.starts_with(name + "/");
        }))
      problems.push_back(TRY(catalogue.load(slug)));
  if (problems.empty()) return Error{"L0005", "no such problem"};
  return Run(options, std::move(problems), TRY(read_sweeps(here / "sweeps.toml")),
             TRY(Reviewed::read(here / "reviewed.toml")))
      .run();
}

}  // namespace
}  // namespace warpwise::mutants

int main(int argc, char** argv) {
  using namespace warpwise::mutants;
  Options options;
  for (int i = 1; i < argc; ++i)
    if (!read_option(argv[i], options)) {
      fmt::print(stderr,
                 "lab_mutants: `{}` is no option: --all --only=PROBLEM,… --operators=NAME,… --seed=N --count=N "
                 "--jobs=N --shapes=N --log=FILE --problems=DIR --solutions --no-sandbox --list --markdown\n",
                 argv[i]);
      return 2;
    }
  if (options.list) {
    for (size_t i = 0; i < kOperators; ++i) fmt::print("{:<22} {}\n", name_of(Operator(i)), about(Operator(i)));
    return 0;
  }
  if (options.all == !options.only.empty()) {
    fmt::print(stderr, "lab_mutants: say --all, or --only=PROBLEM,…\n");
    return 2;
  }
  auto done = run(options);
  if (!done) fmt::print(stderr, "lab_mutants: {}: {}\n", done.error().code, done.error().message);
  return done ? *done : 1;
}
