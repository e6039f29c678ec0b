#include "serve/lab/lessons.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/json.h"
#include "lab/lesson/lesson.h"

namespace warpwise::serve {

namespace {

namespace fs = std::filesystem;
using LessonJson = nlohmann::ordered_json;

constexpr std::string_view kOfLesson = "lesson:";
// More than these are not recorded side by side: the page asks again.
constexpr long kMostAtOnce = 2;

LessonJson to_json(const lab::LessonLook& look) {
  return {{"run", look.run},   {"line", look.line}, {"warp", look.warp},
          {"time", look.time}, {"of", look.of},     {"show", look.show}};
}

LessonJson to_json(const lab::LessonQuestion& question) {
  LessonJson choices = LessonJson::array();
  for (const lab::LessonChoice& choice : question.choices)
    choices.push_back({{"key", choice.key}, {"text", choice.text}});
  return {{"ask", question.ask},         {"choices", std::move(choices)}, {"figure", question.figure},
          {"because", question.because}, {"kernel", question.kernel},     {"look", to_json(question.look)}};
}

LessonJson to_json(const lab::Lesson& lesson) {
  LessonJson steps = LessonJson::array();
  for (const lab::LessonStep& step : lesson.steps)
    steps.push_back({{"title", step.title},
                     {"text", step.text},
                     {"kernel", step.kernel},
                     {"launch", step.picture ? lesson.runs[step.picture->run].launch : ""},
                     {"picture", step.picture ? to_json(*step.picture) : LessonJson()},
                     {"question", step.question ? to_json(*step.question) : LessonJson()}});
  for (size_t n = 0; n < steps.size(); ++n)
    if (lesson.steps[n].question)
      steps[n]["question"]["launch"] = lesson.runs[lesson.steps[n].question->look.run].launch;
  return {{"format", 1},           {"name", lesson.name},      {"title", lesson.title}, {"chapter", lesson.chapter},
          {"about", lesson.about}, {"steps", std::move(steps)}};
}

Response json_of(const LessonJson& json) { return {.body = dump_json(json) + "\n"}; }

}  // namespace

bool is_of_lesson(std::string_view recording) { return recording.starts_with(kOfLesson); }

Response Lessons::list() const {
  const auto& chapters = catalogue_.chapters();
  std::vector<std::pair<size_t, LessonJson>> rows;
  for (const std::string& name : lab::lesson_names(catalogue_.root())) {
    const auto lesson = lab::load_lesson(lab::lesson_file(catalogue_.root(), name));
    if (!lesson) continue;  // `lab verify` says why
    const auto chapter =
        std::find_if(chapters.begin(), chapters.end(), [&](const auto& c) { return c.id == lesson->chapter; });
    rows.emplace_back(size_t(chapter - chapters.begin()), LessonJson{{"name", name},
                                                                     {"title", lesson->title},
                                                                     {"chapter", lesson->chapter},
                                                                     {"about", lesson->about},
                                                                     {"steps", lesson->steps.size()}});
  }
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  LessonJson lessons = LessonJson::array();
  for (auto& [place, row] : rows) lessons.push_back(std::move(row));
  return json_of({{"format", 1}, {"lessons", std::move(lessons)}});
}

Response Lessons::answer(const Request& request) {
  if (request.path == "/api/lessons" && request.method == "GET") return list();
  const auto wanted = request.query.find("name");
  const auto names = lab::lesson_names(catalogue_.root());
  if (wanted == request.query.end() || std::find(names.begin(), names.end(), wanted->second) == names.end())
    return refuse(404, Error{"L0005", "there is no such lesson"});
  if (request.path == "/api/lesson/run" && request.method == "POST") return run(request, wanted->second);
  if (request.path != "/api/lesson" || request.method != "GET")
    return refuse(404, Error{"W0005", fmt::format("there is no `{}` to {}", request.path, request.method)});
  const auto lesson = lab::load_lesson(lab::lesson_file(catalogue_.root(), wanted->second));
  return lesson ? json_of(to_json(*lesson)) : refuse(422, lesson.error());
}

Response Lessons::run(const Request& request, const std::string& name) {
  const auto given = request.query.find("run");
  const std::string text = given == request.query.end() ? "" : given->second;
  size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto lesson = lab::load_lesson(lab::lesson_file(catalogue_.root(), name));
  if (!lesson) return refuse(422, lesson.error());
  if (error != std::errc{} || end != text.data() + text.size() || number >= lesson->runs.size())
    return refuse(400, Error{"W0005", "the request names no program of the lesson"});

  const std::string key = fmt::format("{}{}:{}", kOfLesson, name, number);
  const auto known = recorders_.find(key);
  if (known != recorders_.end()) {
    RecordProgress progress = known->second->progress();
    if (progress.state == RecordState::Failed) recorders_.erase(known);  // so that it can be tried again
    return {.body = to_json(progress)};
  }
  const auto running = std::count_if(recorders_.begin(), recorders_.end(), [](const auto& one) {
    return one.second->progress().state == RecordState::Recording;
  });
  if (running >= kMostAtOnce) return {.body = to_json(RecordProgress{.state = RecordState::Recording})};
  const fs::path source = options_.folder / fmt::format("lesson-{}-{}.cu", name, number);
  const fs::path output = fs::path(source).replace_extension(".wwt");
  auto command = lab::prepare_recording(lesson->runs[number], options_.program, source, output);
  if (!command) return refuse(500, command.error());
  auto recorder = Recorder::start(context_, std::move(*command), options_.folder, output);
  if (!recorder) return refuse(500, recorder.error());
  recorders_[key] = std::move(*recorder);
  return {.body = to_json(recorders_[key]->progress())};
}

Result<OpenFile> Lessons::recording(const std::string& name) const {
  const auto recorder = recorders_.find(name);
  if (recorder == recorders_.end() || recorder->second->progress().state != RecordState::Ready)
    return Error{"W0006", fmt::format("`{}` has not been recorded", name)};
  std::string file = "lesson-" + name.substr(kOfLesson.size()) + ".wwt";
  std::replace(file.begin(), file.end(), ':', '-');
  return TRY(Library::open(options_.folder / file)).open_file(file);
}

}  // namespace warpwise::serve
