// What the page asks of two recordings, one beside the other: ?file=NAME&vs=NAME
//
//     differences                 which steps differ, and in what (trace/differences.h)
//     partner    ?warp=W&step=N   the step of the other recording that goes with this one, as `step` has it; or null
//
// The two are compared when the first question comes, which reads all steps of both.
#pragma once

#include <optional>

#include "serve/message.h"
#include "trace/differences.h"

namespace warpwise::serve {

bool is_about_two(std::string_view question);

class BesideAnswers {
 public:
  BesideAnswers(trace::TraceFile& one, trace::TraceFile& other) : one_(one), other_(other) {}
  // W0005 for a question that is none, V0009 where the two are not of one kernel.
  Response answer(std::string_view question, const Parameters& parameters);

 private:
  Result<Response> partner(const Parameters& parameters);

  trace::TraceFile &one_, &other_;
  std::optional<trace::Differences> differences_;
};

}  // namespace warpwise::serve
