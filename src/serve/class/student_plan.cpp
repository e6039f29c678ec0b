#include "serve/class/student_plan.h"

#include <fmt/format.h>

#include "serve/beside_answers.h"
#include "serve/lab/lessons.h"

namespace warpwise::serve {

namespace {

constexpr std::string_view kJoin = "/api/class/join", kTrace = "/api/trace/";

std::string session_cookie(const Door& door) { return fmt::format("warpwise-class-{}", door.port); }

StudentPlan join_of(const Request& request) {
  auto asks = join_request_in(request.body, request.peer);
  if (!asks) return refuse(400, asks.error());
  return std::move(*asks);
}

// By what it does, so that what is added to the page is not for students until it is named here.
bool is_for_students(const Plan& plan) {
  return std::holds_alternative<ListFiles>(plan) || std::holds_alternative<AskLab>(plan) ||
         std::holds_alternative<AskLessons>(plan) || std::holds_alternative<StartRun>(plan) ||
         std::holds_alternative<FollowRun>(plan) || std::holds_alternative<StopRun>(plan) ||
         std::holds_alternative<DiagnoseText>(plan);
}

Response not_there(const Request& request) {
  return refuse(404, Error{"W0005", fmt::format("there is no `{}` to {}", request.path, request.method)});
}

}  // namespace

StudentPlan plan_for_student(const Request& request, const Door& door, const Assets& assets, const Classroom& room) {
  if (auto refused = refusal_of_foreign(request, door)) return std::move(*refused);
  if (request.path == kJoin && request.method == "POST") return join_of(request);
  if (!request.path.starts_with("/api/"))
    return request.method == "GET" ? StudentPlan(assets.answer(request)) : StudentPlan(not_there(request));
  const auto cookie = cookie_of(request, session_cookie(door));
  const Student* student = cookie ? room.of_session(*cookie) : nullptr;
  if (!student) return refuse(401, Error{"W0010", "join the class first: type its code and a nickname"});
  if (request.path.starts_with(kTrace)) {
    const auto name = request.query.find("file"), beside = request.query.find("vs");
    const auto is_theirs = [](const std::string& recording) {
      return run_of_recording(recording) || is_of_lesson(recording);
    };
    if (request.method != "GET" || name == request.query.end() || !is_theirs(name->second)) return not_there(request);
    AskRecording ask{{.name = name->second}, request.path.substr(kTrace.size())};
    if (is_about_two(ask.question)) {
      if (beside == request.query.end() || !is_theirs(beside->second)) return not_there(request);
      ask.beside = LibraryFile{.name = beside->second};
    }
    return ForStudent{student->id, std::move(ask)};
  }
  if (request.path != "/api/files" && request.path != "/api/lab" && !request.path.starts_with("/api/lab/") &&
      !request.path.starts_with("/api/lesson"))
    return not_there(request);
  Plan plan = plan_of(request, assets, Library());
  if (Response* response = std::get_if<Response>(&plan)) return std::move(*response);
  if (!is_for_students(plan)) return not_there(request);
  return ForStudent{student->id, std::move(plan)};
}

Response join(Classroom& room, const JoinRequest& request, const Door& door, Classroom::Clock::time_point now) {
  const auto joined = room.join(request, now);
  if (!joined) return refuse(joined.error().code == "W0011" ? 403 : 500, joined.error());
  Response response{.body = "{}\n"};
  // It goes with the browser's session: machines of a school have another user in the next hour.
  response.headers.emplace_back(
      "Set-Cookie", fmt::format("{}={}; Path=/; HttpOnly; SameSite=Strict", session_cookie(door), joined->session));
  return response;
}

}  // namespace warpwise::serve
