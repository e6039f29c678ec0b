#include "serve/class/console.h"

#include "base/json.h"

namespace warpwise::serve {

namespace {

using Json = nlohmann::ordered_json;

Json row_of(const Student& student, const lab::Standings& standings, const JudgeRuns& runs, const Places::Place* place,
            Classroom::Clock::time_point now) {
  size_t solved = 0, attempts = 0;
  std::string at, verdict;
  for (const auto& [problem, standing] : standings) {
    solved += standing.accepted, attempts += standing.attempts;
    if (standing.last_at > at) at = standing.last_at, verdict = standing.last_verdict;
  }
  Json row{{"nickname", student.nickname},
           {"return_code", student.return_code},
           {"problem", nullptr},
           {"seconds", nullptr},
           {"state", runs.now_of(student.id).second},
           {"solved", solved},
           {"attempts", attempts},
           {"verdict", verdict},
           {"at", at}};
  if (place) {
    row["problem"] = place->problem;
    row["seconds"] = std::chrono::duration_cast<std::chrono::seconds>(now - place->at).count();
  }
  return row;
}

}  // namespace

void Places::note(int64_t student, std::string_view problem, Classroom::Clock::time_point now) {
  Place& place = places_[student];
  if (!problem.empty()) place.problem = problem;
  place.at = now;
}

const Places::Place* Places::of(int64_t student) const {
  const auto at = places_.find(student);
  return at == places_.end() ? nullptr : &at->second;
}

Response answer_console(const Classroom& room, const std::vector<std::string>& addresses, const JudgeRuns& runs,
                        const Places& places, Classroom::Clock::time_point now) {
  Json students = Json::array();
  std::map<std::pair<std::string, std::string>, Json> refused;  // by problem and verdict
  for (const Student& student : room.students()) {
    const auto standings = room.standings(student.id);
    if (!standings) return refuse(500, standings.error());
    students.push_back(row_of(student, *standings, runs, places.of(student.id), now));
    for (const auto& [problem, standing] : *standings)
      if (standing.attempts > 0 && !standing.accepted)
        refused[{problem, standing.last_verdict}].push_back(student.nickname);
  }
  Json refusals = Json::array();
  for (auto& [kind, names] : refused)
    refusals.push_back({{"problem", kind.first}, {"verdict", kind.second}, {"students", std::move(names)}});
  const QueueLength length = runs.length();
  const Json json{{"name", room.name()},
                  {"code", room.code()},
                  {"addresses", addresses},
                  {"running", length.running},
                  {"waiting", length.waiting},
                  {"students", std::move(students)},
                  {"refusals", std::move(refusals)}};
  return {.body = dump_json(json) + "\n"};
}

}  // namespace warpwise::serve
