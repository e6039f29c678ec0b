// Words that the forms of a report share.
#pragma once

#include <string>
#include <string_view>

#include "lab/grade/grade.h"

namespace warpwise::lab {

std::string verdict_text(const Graded& g);  // "out of bounds", "not judged"
std::string late_text(const Graded& g);     // "2 days late"
std::string points_text(double points);     // "7.5": at most two digits after the point

}  // namespace warpwise::lab
