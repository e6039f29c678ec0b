#include "lab/grade/report_words.h"

#include <fmt/format.h>

#include <cmath>

namespace warpwise::lab {

std::string verdict_text(const Graded& g) { return g.judged ? std::string(words_of(g.verdict)) : "not judged"; }

std::string late_text(const Graded& g) {
  return fmt::format("{} day{} late", g.days_late, g.days_late == 1 ? "" : "s");
}

std::string points_text(double points) { return fmt::format("{}", std::round(points * 100) / 100); }

std::string escaped(std::string_view text) {
  std::string out;
  for (char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        // XML allows no other control characters.
        if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t') out += c;
    }
  }
  return out;
}

}  // namespace warpwise::lab
