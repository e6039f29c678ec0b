// Where a lesson looks: the step of a recording that a picture shows, and the figure that answers a question.
#pragma once

#include <string>
#include <string_view>

#include "lab/lesson/lesson.h"
#include "trace/queries.h"

namespace warpwise::lab {

// `value N` and `element N` are of lane N: what it writes or reads, and at which place of the array.
constexpr std::string_view kFigureNames = "lanes, sectors, passes, times, warps, finding, value N, element N";
bool is_figure(std::string_view name);

struct LessonPlace {
  trace::Place place;
  std::string figure;  // "8"; "" where none is asked for
};
// `figure`: "" or one of these. L0012 where the warp does not come there, or the step has no such figure.
Result<LessonPlace> find_place(trace::TraceFile& file, const LessonLook& look, const std::string& figure);

}  // namespace warpwise::lab
