#include "lab/grade/grade.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

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

// A date, or a date and a time, as seconds since 1970; nothing when it is neither.
std::optional<int64_t> seconds_of(const std::string& text) {
  tm t{};
  const int n = std::sscanf(text.c_str(), "%d-%d-%dT%d:%d:%d", &t.tm_year, &t.tm_mon, &t.tm_mday, &t.tm_hour, &t.tm_min,
                            &t.tm_sec);
  if (n < 3) return std::nullopt;
  if (n == 3) t.tm_hour = 23, t.tm_min = 59, t.tm_sec = 59;
  t.tm_year -= 1900, t.tm_mon -= 1;
  return int64_t(timegm(&t));
}

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
  else if (!r.budget.empty())
    text = fmt::format("{}: {} of {}", words_of(r.budget[0].counter), r.budget[0].used, r.budget[0].limit);
  else
    text = r.message;
  text = text.substr(0, text.find('\n'));
  return r.case_name.empty() ? text : fmt::format("case `{}`: {}", r.case_name, text);
}

class Grading {
 public:
  Grading(const Catalogue& catalogue, const fs::path& folder, const GradeOptions& options)
      : catalogue_(catalogue), folder_(folder), options_(options) {}

  Result<std::vector<Graded>> run(const std::function<void(size_t, size_t)>& progress) {
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
        open.size(), options_.jobs,
        [&](size_t i) { return judge_item(items_[open[i]]).dump(-1, ' ', false, Json::error_handler_t::replace); },
        [&](size_t i, const std::string& answer, bool died) {
          Item& item = items_[open[i]];
          const Json json = died ? Json{{"error", "the process that judged it died"}} : Json::parse(answer);
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
    std::vector<Graded> grades;
    for (Item& item : items_) grades.push_back(std::move(item.grade));
    return grades;
  }

 private:
  struct Item {
    fs::path path;
    std::string source, key;
    bool known = false;
    Graded grade;
  };

  Result<void> list_files() {
    std::error_code error;
    if (!fs::is_directory(folder_, error))
      return Error{"U0001", fmt::format("there is no folder `{}`", folder_.string())};
    std::optional<int64_t> deadline;
    if (!options_.deadline.empty()) {
      deadline = seconds_of(options_.deadline);
      if (!deadline)
        return Error{"U0005", fmt::format("`{}` is not a date: 2026-12-31 or 2026-12-31T18:00", options_.deadline)};
    }
    for (fs::recursive_directory_iterator at(folder_, error), end; !error && at != end; at.increment(error)) {
      if (at->path().filename().string().starts_with(".")) {
        if (at->is_directory(error)) at.disable_recursion_pending();
        continue;
      }
      // A link would lead to another person's work, or to the problem's own solution.
      if (at->path().extension() != ".cu" || at->is_symlink(error) || !at->is_regular_file(error)) continue;
      Item item;
      item.path = at->path();
      auto source = read_submission(item.path);
      if (source) item.source = *source;
      const fs::path below = item.path.lexically_relative(folder_);
      item.grade.file = below;
      item.grade.person = below.has_parent_path() ? below.begin()->string() : item.path.stem().string();
      item.grade.problem = options_.problem.empty() ? item.path.stem().string() : options_.problem;
      if (auto problem = catalogue_.find(item.grade.problem, item.source)) item.grade.problem = problem->slug;
      if (deadline) {
        const auto stamp = toolchain::stamp_of(item.path);
        item.grade.late = stamp && stamp->modified_ns / 1'000'000'000 > *deadline;
      }
      item.key =
          toolchain::Hasher().add(item.grade.problem).add(options_.seed).add(options_.device).add(item.source).hex();
      items_.push_back(std::move(item));
    }
    std::sort(items_.begin(), items_.end(), [](const Item& a, const Item& b) {
      return std::tie(a.grade.person, a.grade.problem, a.grade.file) <
             std::tie(b.grade.person, b.grade.problem, b.grade.file);
    });
    return {};
  }

  // A line that an interrupted run has half written counts as absent.
  void read_log() {
    if (options_.log.empty()) return;
    std::map<std::string, Json> known;
    std::ifstream in(options_.log);
    for (std::string line; std::getline(in, line);) {
      const Json json = Json::parse(line, nullptr, false);
      if (json.is_object() && json.contains("key") && json.contains("answer"))
        known[json["key"].get<std::string>()] = json["answer"];
    }
    for (Item& item : items_)
      if (auto at = known.find(item.key); at != known.end()) take(item, at->second);
  }

  // In a working process.
  Json judge_item(const Item& item) const {
    auto problem = catalogue_.find(item.grade.problem, item.source);
    if (!problem) return {{"error", problem.error().message}};
    auto judgement = judge(*problem, item.path,
                           {.seed = options_.seed,
                            .device = options_.device,
                            .sandbox = options_.sandbox,
                            .likely_refused = true,
                            .shrink = false});
    if (!judgement) return {{"error", judgement.error().message}};
    return {
        {"verdict", name_of(judgement->verdict)}, {"message", one_line(*judgement)}, {"seconds", judgement->seconds}};
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
  }

  void mark_similar() {
    std::map<std::string, std::vector<size_t>> by_problem;
    for (size_t i = 0; i < items_.size(); ++i) by_problem[items_[i].grade.problem].push_back(i);
    for (const auto& [slug, members] : by_problem) {
      Fingerprints common;
      if (auto problem = catalogue_.find(slug)) {
        std::error_code error;
        auto add = [&](const fs::path& file) {
          if (auto text = toolchain::read_file(file)) common.merge(fingerprints_of(*text));
        };
        add(problem->folder / "starter.cu");
        for (const fs::directory_entry& entry : fs::directory_iterator(problem->folder / "solutions", error))
          add(entry.path());
      }
      std::vector<Fingerprints> prints;
      for (size_t i : members) prints.push_back(fingerprints_of(items_[i].source));
      for (const SimilarPair& pair : find_similar(prints, common)) {
        Graded &a = items_[members[pair.first]].grade, &b = items_[members[pair.second]].grade;
        if (a.person == b.person) continue;
        a.similar_to.push_back(b.file);
        b.similar_to.push_back(a.file);
      }
    }
  }

  const Catalogue& catalogue_;
  const fs::path folder_;
  const GradeOptions& options_;
  std::vector<Item> items_;
};

}  // namespace

Result<std::vector<Graded>> grade(const Catalogue& catalogue, const fs::path& folder, const GradeOptions& options,
                                  const std::function<void(size_t, size_t)>& progress) {
  return Grading(catalogue, folder, options).run(progress);
}

}  // namespace warpwise::lab
