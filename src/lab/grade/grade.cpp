#include "lab/grade/grade.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <map>

#include "base/json.h"
#include "lab/grade/handed_in.h"
#include "lab/grade/similarity.h"
#include "lab/judge/judge.h"
#include "lab/judge/submission.h"
#include "lab/judge/workers.h"
#include "lab/report/judgement_text.h"
#include "toolchain/files.h"
#include "toolchain/hash.h"

namespace warpwise::lab {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

// The reason of a refusal in one line.
std::string one_line(const Judgement& j) {
  if (!j.refusal) return "";
  const Refusal& r = *j.refusal;
  std::string text;
  if (!r.findings.empty())
    text = r.findings[0].message;
  else if (r.wrong && r.wrong->element.unwritten)
    text = fmt::format("{}[{}] was never written", r.wrong->array, r.wrong->index);
  else if (r.wrong)
    text = fmt::format(
        "{}[{}] is {}{}", r.wrong->array, r.wrong->index, number_text(r.wrong->element.got, r.wrong->type),
        r.wrong->element.expected ? ", expected " + number_text(*r.wrong->element.expected, r.wrong->type) : "");
  else if (!r.budget.empty() && r.message.empty())
    text = fmt::format("{}: {} of {}", words_of(r.budget[0].counter), r.budget[0].used, r.budget[0].limit);
  else
    text = r.message;
  text = text.substr(0, text.find('\n'));
  return r.case_name.empty() ? text : fmt::format("case `{}`: {}", r.case_name, text);
}

// Counts up when answers in the log mean something else than before.
constexpr uint64_t kLogFormat = 3;

bool has_budgets(const Problem& problem) {
  return !problem.budget.empty() ||
         std::any_of(problem.cases.begin(), problem.cases.end(), [](const CaseSpec& c) { return !c.budget.empty(); });
}

// Compilers name files by their paths here, which say where the teacher has them or where an archive was unpacked.
// Reports name them as they were handed in.
std::string with_shown_names(std::string text, const fs::path& path, const fs::path& shown) {
  const std::string here = path.parent_path().string() + "/";
  const std::string there = shown.has_parent_path() ? shown.parent_path().string() + "/" : "";
  for (size_t at = 0; (at = text.find(here, at)) != text.npos; at += there.size()) text.replace(at, here.size(), there);
  return text;
}

class Grading {
 public:
  Grading(const Catalogue& catalogue, const fs::path& folder, const GradeOptions& options)
      : catalogue_(catalogue), folder_(folder), options_(options) {}

  Result<Grades> run(const std::function<void(size_t, size_t)>& progress) {
    TRY(list_files());
    read_log();
    std::vector<size_t> open;
    for (size_t i = 0; i < items_.size(); ++i)
      if (!items_[i].known) open.push_back(i);
    size_t done = items_.size() - open.size();
    if (progress) progress(done, items_.size());
    std::ofstream log;
    if (!options_.log.empty()) {
      log.open(options_.log, std::ios::app);
      if (!log) return Error{"U0002", fmt::format("cannot write the log `{}`", options_.log.string())};
    }
    TRY(run_in_workers(
        open.size(), options_.jobs, [&](size_t i) { return dump_json(judge_item(items_[open[i]])); },
        [&](size_t i, const std::string& answer, bool died) {
          Item& item = items_[open[i]];
          const Json json = died ? Json{{"error", "the process that judged it died"}} : parse_json<Json>(answer);
          take(item, json);
          if (!died && log) {
            log << Json({{"key", item.key}, {"file", item.grade.file}, {"answer", json}})
                       .dump(-1, ' ', false, Json::error_handler_t::replace)
                << "\n"
                << std::flush;
          }
          if (progress) progress(++done, items_.size());
        }));
    mark_similar();
    count_points();
    grades_.title = options_.assignment.title;
    grades_.device = options_.device;
    grades_.at = std::time(nullptr);
    for (Item& item : items_) {
      item.grade.source = std::move(item.source);
      grades_.files.push_back(std::move(item.grade));
    }
    return std::move(grades_);
  }

 private:
  struct Item {
    fs::path path;
    std::string source, key;
    bool known = false, own_headers = true;
    Graded grade;
  };

  Result<void> list_files() {
    handed_in_ = TRY(find_handed_in(folder_, options_.sandbox));
    const Assignment& assignment = options_.assignment;
    // A clone whose files have the names of problems is one student's, who runs this in it.
    std::error_code error;
    const bool one_student = options_.problem.empty() && fs::is_directory(folder_ / ".git", error);
    for (const HandedIn& file : handed_in_.files) {
      Item item;
      item.path = file.path;
      item.own_headers = !file.alone || one_student;
      Graded& grade = item.grade;
      grade.file = file.shown, grade.person = file.person;
      if (!file.unreadable.empty()) {
        grade.message = file.unreadable;
        item.known = true;
        items_.push_back(std::move(item));
        continue;
      }
      if (auto source = read_submission(item.path)) item.source = *source;
      grade.problem = options_.problem.empty() ? item.path.stem().string() : options_.problem;
      const auto problem = problem_of(item);
      if (problem) grade.problem = problem->slug;
      if (!assignment.asks_for(grade.problem)) continue;
      grade.seed = assignment.seed_of(grade.problem);
      grade.days_late = days_late(file.at, assignment.deadline_of(grade.problem));
      if (problem) {
        grade.of = assignment.points_of(grade.problem);
        with_budgets_[grade.problem] = has_budgets(*problem);
      }
      item.key = key_of(item);
      items_.push_back(std::move(item));
    }
    std::stable_sort(items_.begin(), items_.end(), [](const Item& a, const Item& b) {
      return std::tie(a.grade.person, a.grade.problem, a.grade.file) <
             std::tie(b.grade.person, b.grade.problem, b.grade.file);
    });
    return {};
  }

  Result<Problem> problem_of(const Item& item) const {
    return options_.problem.empty() ? catalogue_.find_by_file(item.path, item.source)
                                    : catalogue_.find(options_.problem, item.source);
  }

  // Everything that the verdict depends on.
  std::string key_of(const Item& item) const {
    toolchain::Hasher hash;
    hash.add(kLogFormat).add(item.grade.problem).add(item.grade.seed).add(options_.device).add(item.source);
    hash.add(uint64_t(options_.compiler));
    for (const OwnHeader& header : files_of(item.path, item.source, item.own_headers).headers)
      hash.add(header.path.lexically_relative(item.path.parent_path()).string()).add(header.text);
    return hash.hex();
  }

  // A line that an interrupted run has half written counts as absent.
  void read_log() {
    if (options_.log.empty()) return;
    std::map<std::string, Json> known;
    std::ifstream in(options_.log);
    for (std::string line; std::getline(in, line);) {
      const Json json = parse_json<Json>(line);
      if (json.is_object() && json.contains("key") && json.contains("answer"))
        known[json["key"].get<std::string>()] = json["answer"];
    }
    for (Item& item : items_)
      if (auto at = known.find(item.key); at != known.end()) take(item, at->second);
  }

  // In a working process.
  Json judge_item(const Item& item) const {
    auto problem = problem_of(item);
    if (!problem) return {{"error", problem.error().message}};
    auto judged = judge(*problem, item.path,
                        {.seed = item.grade.seed,
                         .device = options_.device,
                         .compiler = options_.compiler,
                         .sandbox = options_.sandbox,
                         .likely_refused = true,
                         .shrink = false,
                         .all_cases = true,
                         .own_headers = item.own_headers});
    if (!judged) return {{"error", judged.error().message}};
    Json cases = Json::array();
    for (const CaseSpec& spec : problem->cases) {
      auto report = std::find_if(judged->cases.begin(), judged->cases.end(),
                                 [&](const CaseReport& r) { return r.name == spec.name; });
      const bool reached = report != judged->cases.end();
      cases.push_back(
          {{"name", spec.name}, {"right", reached && report->right}, {"within_budget", reached && report->passed}});
    }
    return {{"verdict", name_of(judged->verdict)},
            {"message", with_shown_names(one_line(*judged), item.path, item.grade.file)},
            {"seconds", judged->seconds},
            {"cases", std::move(cases)},
            {"report", with_shown_names(to_text(*problem, *judged, {}), item.path, item.grade.file)}};
  }

  static void take(Item& item, const Json& answer) {
    item.known = true;
    if (answer.contains("error")) {
      item.grade.message = answer["error"].get<std::string>();
      return;
    }
    item.grade.judged = true;
    item.grade.verdict = find_verdict(answer.value("verdict", "")).value_or(Verdict::Crashed);
    item.grade.message = answer.value("message", "");
    item.grade.seconds = answer.value("seconds", 0.0);
    item.grade.report = answer.value("report", "");
    for (const Json& mark : answer.value("cases", Json::array()))
      item.grade.cases.push_back(
          {mark.value("name", ""), mark.value("right", false), mark.value("within_budget", false)});
  }

  // Of several files of one person for one problem the best counts, and of equally good ones the first.
  void count_points() {
    std::map<std::pair<std::string, std::string>, Graded*> best;
    for (const AssignedProblem& problem : options_.assignment.problems) grades_.worth[problem.slug] = problem.points;
    for (Item& item : items_) {
      Graded& grade = item.grade;
      grade.points =
          points_for(options_.assignment, grade.of, grade.cases, with_budgets_[grade.problem], grade.days_late);
      if (grade.of <= 0) continue;
      grades_.worth[grade.problem] = grade.of;
      Graded*& known = best[{grade.person, grade.problem}];
      if (!known || grade.points > known->points) known = &grade;
    }
    for (const auto& [key, grade] : best) grade->counts = true;
  }

  void mark_similar() {
    std::map<std::string, std::vector<size_t>> by_problem;
    for (size_t i = 0; i < items_.size(); ++i)
      if (!items_[i].source.empty()) by_problem[items_[i].grade.problem].push_back(i);
    for (const auto& [slug, members] : by_problem) {
      Fingerprints common, given;
      if (auto problem = catalogue_.find(slug)) {
        std::error_code error;
        auto add = [&](const fs::path& file) {
          auto text = toolchain::read_file(file);
          if (text) common.merge(fingerprints_of(*text)), given.merge(all_fingerprints_of(*text));
        };
        add(problem->folder / "starter.cu");
        for (const fs::directory_entry& entry : fs::directory_iterator(problem->folder / "solutions", error))
          add(entry.path());
      }
      std::vector<Fingerprints> prints;
      for (size_t i : members) prints.push_back(fingerprints_of(items_[i].source));
      for (const SimilarPair& pair : find_similar(prints, common)) {
        const size_t first = members[pair.first], second = members[pair.second];
        Graded &a = items_[first].grade, &b = items_[second].grade;
        if (a.person == b.person) continue;
        a.similar_to.push_back(b.file);
        b.similar_to.push_back(a.file);
        grades_.alike.push_back({first, second, pair.share,
                                 shared_lines(items_[first].source, items_[second].source, given),
                                 shared_lines(items_[second].source, items_[first].source, given)});
      }
    }
  }

  const Catalogue& catalogue_;
  const fs::path folder_;
  const GradeOptions& options_;
  HandedInFiles handed_in_;
  std::vector<Item> items_;
  std::map<std::string, bool> with_budgets_;  // by problem
  Grades grades_;
};

}  // namespace

size_t Graded::right_cases() const {
  return size_t(std::count_if(cases.begin(), cases.end(), [](const CaseMark& mark) { return mark.right; }));
}

Result<Grades> grade(const Catalogue& catalogue, const fs::path& folder, const GradeOptions& options,
                     const std::function<void(size_t, size_t)>& progress) {
  return Grading(catalogue, folder, options).run(progress);
}

std::vector<PersonPoints> points_of_people(const Grades& grades) {
  std::map<std::string, double> earned;
  for (const Graded& g : grades.files) earned[g.person] += g.counts ? g.points : 0;
  double of = 0;
  for (const auto& [problem, points] : grades.worth) of += points;
  std::vector<PersonPoints> people;
  for (const auto& [person, points] : earned) people.push_back({person, points, of});
  return people;
}

}  // namespace warpwise::lab
