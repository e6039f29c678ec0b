// What a student of the class may ask, as a pure function: the rules of guard.h first, then the cookie, then a short
// list of what there is for students: joining, the page, the lab, and recordings of their own submissions. Files of the
// teacher's machine, recordings of them, live images and the teacher's console are not in it: they have another port,
// which listens on loopback alone.
//
//     POST /api/class/join   {"code": …, "nickname": …, "return_code": …}: a cookie
#pragma once

#include "serve/class/classroom.h"
#include "serve/plan.h"

namespace warpwise::serve {

// The request passes on to the lab, for this student.
struct ForStudent {
  int64_t student = 0;
  Plan plan;
};
using StudentPlan = std::variant<Response, JoinRequest, ForStudent>;

// `door`: the class's port and names; its token and session are not used.
StudentPlan plan_for_student(const Request& request, const Door& door, const Assets& assets, const Classroom& room);
// The answer to a join: the cookie, or why not.
Response join(Classroom& room, const JoinRequest& request, const Door& door, Classroom::Clock::time_point now);

}  // namespace warpwise::serve
