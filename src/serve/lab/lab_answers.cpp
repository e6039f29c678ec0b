#include "serve/lab/lab_answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/json.h"
#include "lab/judge/budget.h"
#include "lab/judge/submission.h"
#include "lab/problem/hints.h"
#include "lab/progress/path.h"
#include "toolchain/files.h"

namespace warpwise::serve {

namespace {

using Json = nlohmann::ordered_json;

// Of the attempts at a problem the page lists the last ones.
constexpr size_t kMostAttempts = 50;

Error not_of_the_lab(std::string what) { return {"W0005", std::move(what)}; }

// One question: what it is about, and the user's progress.
class AskedLab {
 public:
  AskedLab(const lab::Catalogue& catalogue, const Request& request, lab::Progress progress)
      : catalogue(catalogue), request(request), progress(std::move(progress)) {}

  // The page names problems by their whole names.
  Result<lab::Problem> problem() const {
    const auto name = request.query.find("name");
    if (name == request.query.end()) return not_of_the_lab("the request names no problem");
    const auto& slugs = catalogue.slugs();
    if (std::find(slugs.begin(), slugs.end(), name->second) == slugs.end())
      return Error{"L0005", fmt::format("there is no problem `{}`", name->second)};
    return catalogue.load(name->second);
  }
  Result<int64_t> number(std::string_view name) const {
    const auto at = request.query.find(name);
    int64_t value = 0;
    const std::string& text = at == request.query.end() ? std::string() : at->second;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size())
      return not_of_the_lab(fmt::format("`{}` is no number for {}", text, name));
    return value;
  }

  const lab::Catalogue& catalogue;
  const Request& request;
  lab::Progress progress;
};

Json in_the_map(const lab::Problem& p, const lab::Standings& standings) {
  const lab::Standing standing = standing_of(standings, p.slug);
  return {{"name", p.slug},
          {"title", p.title},
          {"level", name_of(p.level)},
          {"number", p.number},
          {"kind", name_of(p.kind)},
          {"idea", p.idea},
          {"open", is_open(p, standings)},
          {"solved", standing.accepted},
          {"attempts", standing.attempts},
          {"last_verdict", standing.last_verdict},
          {"hints", standing.hints}};
}

Result<Json> map(AskedLab& ask) {
  const std::vector<lab::Problem> problems = ask.catalogue.all();
  const lab::Standings standings = TRY(ask.progress.standings());
  Json chapters = Json::array();
  std::vector<bool> placed(problems.size());
  const auto add = [&](const lab::Chapter& chapter, const auto& belongs) {
    Json rows = Json::array();
    for (size_t n = 0; n < problems.size(); ++n)
      if (!placed[n] && belongs(problems[n])) placed[n] = true, rows.push_back(in_the_map(problems[n], standings));
    if (!rows.empty())
      chapters.push_back({{"id", chapter.id},
                          {"title", chapter.title},
                          {"about", chapter.about},
                          {"reading", chapter.reading},
                          {"problems", std::move(rows)}});
  };
  for (const lab::Chapter& chapter : ask.catalogue.chapters())
    add(chapter, [&](const lab::Problem& p) { return p.chapter == chapter.id; });
  add({"other", "Other problems", "", ""}, [](const lab::Problem&) { return true; });
  const size_t solved = size_t(std::count_if(problems.begin(), problems.end(), [&](const lab::Problem& p) {
    return standing_of(standings, p.slug).accepted;
  }));
  const lab::Problem* next = next_problem(problems, standings);
  return Json{{"format", 1},
              {"solved", solved},
              {"of", problems.size()},
              {"next", next ? next->slug : ""},
              {"chapters", std::move(chapters)}};
}

Json to_json(const lab::Attempt& a) {
  Json out = {{"id", a.id},           {"at", a.at},     {"verdict", a.verdict}, {"samples_only", a.samples_only},
              {"seconds", a.seconds}, {"file", a.file}, {"seed", a.seed}};
  if (a.modelled_seconds) out["modelled_seconds"] = *a.modelled_seconds, out["device"] = a.device;
  return out;
}

Json judgement_of(const lab::Attempt& attempt) {
  Json judgement = parse_json<Json>(attempt.judgement);
  return judgement.is_object() ? std::move(judgement) : Json();
}

std::string range_text(const lab::SizeRange& range) {
  return range.low == range.high ? std::to_string(range.low) : fmt::format("{} to {}", range.low, range.high);
}

Json cases_of(const lab::Problem& p) {
  Json cases = Json::array();
  for (const lab::CaseSpec& spec : p.cases) {
    std::string sizes;
    for (const auto& [name, range] : spec.sizes)
      sizes += fmt::format("{}{} = {}", sizes.empty() ? "" : ", ", name, range_text(range));
    cases.push_back({{"name", spec.name}, {"sizes", sizes}, {"sample", spec.sample}, {"timed", spec.timed}});
  }
  return cases;
}

Json budgets_of(const lab::Problem& p) {
  Json budgets = Json::array();
  for (const lab::BudgetRule& rule : p.budget)
    budgets.push_back(
        fmt::format("{}: {} {}", words_of(rule.counter), rule.least ? "at least" : "at most", rule.limit));
  return budgets;
}

Result<Json> problem(AskedLab& ask) {
  const lab::Problem p = TRY(ask.problem());
  const lab::Standing standing = TRY(ask.progress.standings())[p.slug];
  std::vector<std::string> hints = lab::hints_of(TRY(toolchain::read_file(p.folder / "hints.md")));
  const size_t of = hints.size();
  hints.resize(std::min<size_t>(of, standing.hints));
  Json out = {{"name", p.slug},
              {"title", p.title},
              {"level", name_of(p.level)},
              {"number", p.number},
              {"kind", name_of(p.kind)},
              {"chapter", p.chapter},
              {"idea", p.idea},
              {"solved", standing.accepted},
              {"file", p.slug.substr(p.slug.rfind('/') + 1) + ".cu"},
              {"signature", p.signature()},
              {"statement", TRY(toolchain::read_file(p.folder / "statement.md"))},
              {"starter", TRY(toolchain::read_file(p.folder / "starter.cu"))},
              {"cases", cases_of(p)},
              {"budgets", budgets_of(p)},
              {"hints", {{"seen", std::move(hints)}, {"of", of}}}};
  const auto draft = TRY(ask.progress.draft(p.slug));
  out["draft"] = draft ? Json{{"text", draft->text}, {"revision", draft->revision}, {"at", draft->at}} : Json();
  out["attempts"] = Json::array();
  for (const lab::Attempt& a : TRY(ask.progress.attempts(p.slug, kMostAttempts))) out["attempts"].push_back(to_json(a));
  out["last"] = Json();
  for (const lab::Attempt& a : TRY(ask.progress.attempts(p.slug, 1, true)))
    out["last"] = {{"attempt", to_json(a)}, {"judgement", judgement_of(a)}, {"source", a.source}};
  // What to take away is for those who have solved it.
  const auto lesson = standing.accepted ? toolchain::read_file(p.folder / "lesson.md") : Result<std::string>("");
  out["lesson"] = lesson ? *lesson : "";
  return out;
}

Result<Json> attempt(AskedLab& ask) {
  const int64_t id = TRY(ask.number("id"));
  const auto found = TRY(ask.progress.attempt(id));
  if (!found) return Error{"L0005", fmt::format("there is no attempt {}", id)};
  return Json{{"attempt", to_json(*found)}, {"judgement", judgement_of(*found)}, {"source", found->source}};
}

Result<Json> hint(AskedLab& ask) {
  const lab::Problem p = TRY(ask.problem());
  const std::vector<std::string> hints = lab::hints_of(TRY(toolchain::read_file(p.folder / "hints.md")));
  const unsigned seen = TRY(ask.progress.standings())[p.slug].hints;
  if (seen >= hints.size()) return Error{"L0005", fmt::format("`{}` has {} hints", p.slug, hints.size())};
  TRY(ask.progress.note_look(p.slug, seen + 1));
  return Json{{"number", seen + 1}, {"of", hints.size()}, {"text", hints[seen]}};
}

Result<Json> keep_draft(AskedLab& ask) {
  const lab::Problem p = TRY(ask.problem());
  const std::string text = TRY(text_in(ask.request));
  const Json body = parse_json<Json>(ask.request.body);
  const auto revision = body.find("revision");
  if (revision == body.end() || !revision->is_number_unsigned()) return not_of_the_lab("the draft has no revision");
  return Json{{"revision", TRY(ask.progress.keep_draft(p.slug, text, revision->get<int64_t>()))}};
}

struct LabQuestion {
  std::string_view method, path;
  Result<Json> (*answer)(AskedLab&);
};
constexpr LabQuestion kLabQuestions[] = {
    {"GET", "/api/lab", map},        {"GET", "/api/lab/problem", problem},   {"GET", "/api/lab/attempt", attempt},
    {"POST", "/api/lab/hint", hint}, {"POST", "/api/lab/draft", keep_draft},
};

unsigned status_of(const Error& error) {
  if (error.code == "W0005") return 400;
  if (error.code == "L0005") return 404;
  return error.code == "L0104" ? 409 : 422;
}

}  // namespace

Result<std::string> text_in(const Request& request) {
  const auto body = parse_json<nlohmann::json>(request.body);
  const auto text = body.is_object() ? body.find("text") : body.end();
  if (!body.is_object() || text == body.end() || !text->is_string()) return not_of_the_lab("the request has no text");
  std::string out = text->get<std::string>();
  if (out.size() > lab::kMostSourceBytes)
    return not_of_the_lab(fmt::format("a submission has at most {} MiB", lab::kMostSourceBytes >> 20));
  return out;
}

Response LabAnswers::answer(const Request& request, const std::filesystem::path& file) const {
  for (const LabQuestion& row : kLabQuestions) {
    if (row.method != request.method || row.path != request.path) continue;
    auto progress = file.empty() ? lab::Progress::open() : lab::Progress::open(file);
    if (!progress) return refuse(422, progress.error());
    AskedLab ask(catalogue_, request, std::move(*progress));
    const auto json = row.answer(ask);
    if (!json) return refuse(status_of(json.error()), json.error());
    return {.body = dump_json(*json) + "\n"};
  }
  return refuse(404, not_of_the_lab(fmt::format("there is no `{}` to {}", request.path, request.method)));
}

}  // namespace warpwise::serve
