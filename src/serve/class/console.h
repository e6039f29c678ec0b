// The teacher's console: who is where, and which kinds of refusals there are. It is answered on loopback alone, to the
// browser that has opened the link of `warpwise serve`.
//
//     GET /api/class
//     {"name": "cs101", "code": "K7QM2X", "addresses": ["http://192.168.1.20:8642"], "running": 1, "waiting": 3,
//      "students": [{"nickname": "ada", "return_code": …, "problem": "puzzles/map", "state": "running", "seconds": 4,
//                    "solved": 3, "attempts": 9, "verdict": "race", "at": …}],
//      "refusals": [{"problem": "puzzles/map", "verdict": "race", "students": ["ada"]}]}
//
// `problem`, `seconds`: what a student asked about last, and how long ago; null when they have asked nothing since the
// server started. `verdict`: of the last submission. A student's refusal of a problem counts until the problem is
// solved.
#pragma once

#include <map>

#include "serve/class/classroom.h"
#include "serve/lab/judge_runs.h"
#include "serve/message.h"

namespace warpwise::serve {

// Where students are: what each has asked about last.
class Places {
 public:
  struct Place {
    std::string problem;
    Classroom::Clock::time_point at;
  };
  void note(int64_t student, std::string_view problem, Classroom::Clock::time_point now);
  const Place* of(int64_t student) const;

 private:
  std::map<int64_t, Place> places_;
};

Response answer_console(const Classroom& room, const std::vector<std::string>& addresses, const JudgeRuns& runs,
                        const Places& places, Classroom::Clock::time_point now);

}  // namespace warpwise::serve
