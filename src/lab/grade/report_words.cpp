#include "lab/grade/report_words.h"

#include <fmt/format.h>

#include <cmath>

namespace warpwise::lab {

std::string verdict_text(const Graded& g) { return g.judged ? std::string(words_of(g.verdict)) : "not judged"; }

std::string late_text(const Graded& g) {
  return fmt::format("{} day{} late", g.days_late, g.days_late == 1 ? "" : "s");
}

std::string points_text(double points) { return fmt::format("{}", std::round(points * 100) / 100); }

}  // namespace warpwise::lab
