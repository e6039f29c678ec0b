#include "serve/answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "lab/lesson/look.h"
#include "trace/arrays.h"
#include "trace/json.h"
#include "trace/queries.h"

namespace warpwise::serve {

namespace {

constexpr uint64_t kMostStepsOfAnswer = 1024;

Error no_question(std::string what) { return {"W0005", std::move(what)}; }

// The parameters of one question.
class Asked {
 public:
  Asked(trace::TraceFile& file, const Parameters& parameters) : file(file), queries(file), parameters_(parameters) {}

  // A number; `otherwise` where it is left out.
  Result<uint64_t> number(std::string_view name, uint64_t otherwise = 0) const {
    const auto at = parameters_.find(name);
    if (at == parameters_.end()) return otherwise;
    const std::string& text = at->second;
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size())
      return no_question(fmt::format("`{}` is no number for {}", text, name));
    return value;
  }
  Result<uint32_t> warp() const {
    const uint64_t warp = TRY(number("warp")), count = file.recording().warps.size();
    if (warp >= count) return Error{"V0008", fmt::format("the block has warps 0 to {}", count - 1)};
    return uint32_t(warp);
  }
  std::string text(std::string_view name) const {
    const auto at = parameters_.find(name);
    return at == parameters_.end() ? std::string() : at->second;
  }

  trace::TraceFile& file;
  trace::Queries queries;

 private:
  const Parameters& parameters_;
};

Result<Response> json(std::string text) { return Response{.body = std::move(text)}; }

Result<Response> summary(Asked& ask) { return json(trace::to_json(TRY(ask.queries.summary()), "")); }
Result<Response> lines(Asked& ask) { return json(trace::to_json(TRY(ask.queries.lines()), ask.file.recording())); }
Result<Response> sources(Asked& ask) { return json(trace::sources_answer(TRY(ask.file.sources()))); }

Result<Response> arrays(Asked& ask) { return json(trace::to_json(TRY(trace::sums_of_arrays(ask.file)))); }

Result<Response> profile(Asked& ask) {
  std::string text = TRY(ask.file.profile());
  return json(text.empty() ? "null" : std::move(text));
}

Result<Response> overview(Asked& ask) {
  const uint64_t zoom = TRY(ask.number("zoom"));
  return json(trace::to_json(TRY(ask.queries.overview(unsigned(std::min<uint64_t>(zoom, 63))))));
}

Result<Response> steps(Asked& ask) {
  const uint32_t warp = TRY(ask.warp());
  const uint64_t first = TRY(ask.number("first")), count = TRY(ask.number("count", kMostStepsOfAnswer));
  const auto views = TRY(ask.queries.steps(warp, first, std::min(count, kMostStepsOfAnswer)));
  return json(trace::to_json(views, warp, ask.file.recording()));
}

Result<Response> step(Asked& ask) {
  const uint32_t warp = TRY(ask.warp());
  return json(trace::to_json(TRY(ask.queries.step(warp, TRY(ask.number("step")))), warp, ask.file.recording()));
}

Result<Response> next(Asked& ask) {
  const std::string name = ask.text("event");
  const auto event = trace::event_named(name);
  if (!event) return no_question(fmt::format("there is no event `{}`", name));
  const trace::Place from{TRY(ask.warp()), TRY(ask.number("step"))};
  return json(trace::to_json(TRY(ask.queries.next(*event, from, TRY(ask.number("back")) != 0)), name));
}

// "3,7,9"
Result<std::vector<uint32_t>> numbers_of(const std::string& text) {
  constexpr size_t kMost = 256;
  std::vector<uint32_t> numbers;
  const char *at = text.data(), *end = at + text.size();
  while (numbers.size() < kMost) {
    uint32_t number = 0;
    const auto [behind, error] = std::from_chars(at, end, number);
    if (error != std::errc{} || (behind != end && *behind != ',')) break;
    numbers.push_back(number);
    if (behind == end) return numbers;
    at = behind + 1;
  }
  return no_question(fmt::format("`{}` is no list of lines", text));
}

Result<Response> line(Asked& ask) {
  const std::vector<uint32_t> lines = TRY(numbers_of(ask.text("lines")));
  const trace::Place from{TRY(ask.warp()), TRY(ask.number("step"))};
  auto place = TRY(ask.queries.next_of_lines(lines, from));
  // Behind the last one comes the first: the step behind "before step 0" is step 0.
  constexpr uint64_t kBeforeTheFirst = ~uint64_t{0};
  if (!place) place = TRY(ask.queries.next_of_lines(lines, {0, kBeforeTheFirst}));
  return json(trace::to_json(place, "line"));
}

// Where a lesson looks (lab/lesson/look.h).
Result<Response> look(Asked& ask) {
  constexpr uint64_t kMost = ~uint32_t{0};
  const lab::LessonLook at{.line = unsigned(std::min(kMost, TRY(ask.number("line")))),
                           .warp = unsigned(std::min(kMost, TRY(ask.number("warp")))),
                           .time = unsigned(std::min(kMost, TRY(ask.number("time", 1)))),
                           .of = ask.text("of"),
                           .show = {}};
  const lab::LessonPlace found = TRY(lab::find_place(ask.file, at, ask.text("figure")));
  return json(nlohmann::json{{"warp", found.place.warp}, {"step", found.place.step}, {"figure", found.figure}}.dump() +
              "\n");
}

void put(std::string& out, uint64_t number) {
  // A sum that does not fit is as large as can be said.
  const uint32_t word = uint32_t(std::min<uint64_t>(number, ~uint32_t{0}));
  for (unsigned byte = 0; byte < 4; ++byte) out += char(word >> (8 * byte));
}

// A fold is drawn as its first warp; a finding in any of its warps shall be seen.
void add_marks_of_folds(const trace::Summary& summary, trace::Window& window) {
  for (const trace::Mark& mark : summary.findings.marks)
    for (size_t row = 0; row < window.rows.size(); ++row) {
      const std::vector<uint32_t>& warps = summary.folds[row].warps;
      const uint64_t column = (mark.step - window.first) >> window.shift;
      if (mark.step >= window.first && column < window.rows[row].size() &&
          std::find(warps.begin() + 1, warps.end(), mark.warp) != warps.end())
        ++window.rows[row][column].marks;
    }
}

Result<Response> weave(Asked& ask) {
  const trace::Summary summary = TRY(ask.queries.summary());
  std::vector<uint32_t> warps;
  if (ask.text("rows") == "warps")
    for (uint32_t w = 0; w < ask.file.recording().warps.size(); ++w) warps.push_back(w);
  else
    for (const trace::Fold& fold : summary.folds) warps.push_back(fold.warps[0]);
  const uint64_t columns = TRY(ask.number("columns", 512)), shift = TRY(ask.number("shift"));
  trace::Window window = TRY(
      ask.queries.window(warps, TRY(ask.number("first")), unsigned(std::min<uint64_t>(shift, 63)), size_t(columns)));
  if (ask.text("rows") != "warps") add_marks_of_folds(summary, window);
  constexpr unsigned kMagic = 'W' | 'E' << 8 | 'A' << 16 | 'V' << 24, kVersion = 1, kFurtherPlanes = 3;
  std::string out;
  for (const uint64_t number :
       {uint64_t{kMagic}, uint64_t{kVersion}, uint64_t{window.shift}, uint64_t{warps.size()},
        uint64_t{window.rows.empty() ? 0 : window.rows[0].size()}, uint64_t{trace::kOverviewFields + kFurtherPlanes},
        window.first & 0xffff'ffff, window.first >> 32})
    put(out, number);
  for (size_t row = 0; row < warps.size(); ++row) {
    put(out, warps[row]);
    for (unsigned field = 0; field < trace::kOverviewFields; ++field)
      for (const trace::WindowBucket& bucket : window.rows[row]) put(out, bucket.sums.value[field]);
    for (const trace::WindowBucket& bucket : window.rows[row]) put(out, bucket.waits);
    for (const trace::WindowBucket& bucket : window.rows[row]) put(out, bucket.site);
    for (const trace::WindowBucket& bucket : window.rows[row]) put(out, bucket.marks);
  }
  return Response{.type = "application/octet-stream", .body = std::move(out)};
}

struct Question {
  std::string_view name;
  Result<Response> (*answer)(Asked&);
};
constexpr Question kQuestions[] = {
    {"summary", summary},   {"lines", lines}, {"sources", sources}, {"profile", profile},
    {"overview", overview}, {"steps", steps}, {"step", step},       {"next", next},
    {"line", line},         {"weave", weave}, {"look", look},       {"arrays", arrays},
};

}  // namespace

bool reads_all_steps(std::string_view question) {
  return question == "lines" || question == "next" || question == "line" || question == "look" || question == "arrays";
}

Response answer_about(trace::TraceFile& file, std::string_view question, const Parameters& parameters) {
  for (const Question& row : kQuestions) {
    if (row.name != question) continue;
    Asked ask(file, parameters);
    auto answer = row.answer(ask);
    if (answer) return std::move(*answer);
    const std::string& code = answer.error().code;
    return refuse(code == "W0005" ? 400 : code == "V0008" ? 404 : 422, answer.error());
  }
  return refuse(404, no_question(fmt::format("a recording has no `{}`", question)));
}

}  // namespace warpwise::serve
