#include "perf/report/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warpwise::perf {
namespace {

// Three digits that count: 1.23, 12.3, 123.
std::string three(double value) {
  double a = std::abs(value);
  return a >= 99.95 || a == 0 ? fmt::format("{:.0f}", value)
         : a >= 9.995         ? fmt::format("{:.1f}", value)
                              : fmt::format("{:.2f}", value);
}

std::string scaled(double value, std::string_view unit) {
  struct Step {
    double size;
    const char* prefix;
  };
  for (auto [size, prefix] : {Step{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}})
    if (std::abs(value) >= size * 0.9995) return fmt::format("{} {}{}", three(value / size), prefix, unit);
  std::string text = value == std::floor(value) ? fmt::format("{:.0f}", value) : three(value);
  return unit.empty() ? text : fmt::format("{} {}", text, unit);
}

}  // namespace

std::string seconds_text(double s) {
  if (s >= 0.9995) return three(s) + " s";
  if (s >= 0.9995e-3) return three(s * 1e3) + " ms";
  return three(s * 1e6) + " µs";
}
std::string bytes_text(double bytes) { return scaled(bytes, "B"); }
std::string count_text(double count) {
  std::string text = scaled(count, "");
  return text;
}
std::string percent_text(double share) {
  double p = 100 * share;
  return p >= 1 || p == 0 ? fmt::format("{:.0f} %", p) : p < 0.1 ? "<0.1 %" : fmt::format("{:.1f} %", p);
}
std::string rate_text(double per_second, std::string_view unit) {
  return scaled(per_second, fmt::format("{}/s", unit));
}

std::string size_text(const device::Dim3& d) {
  if (d.z > 1) return fmt::format("{}×{}×{}", d.x, d.y, d.z);
  return d.y > 1 ? fmt::format("{}×{}", d.x, d.y) : fmt::format("{}", d.x);
}

std::string bar(double share, unsigned width) {
  static constexpr const char* kEighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  auto eighths = static_cast<unsigned>(std::lround(std::clamp(share, 0.0, 1.0) * width * 8));
  std::string text;
  for (unsigned i = 0; i < eighths / 8; ++i) text += "█";
  unsigned used = eighths / 8;
  if (eighths % 8 && used < width) text += kEighths[eighths % 8], ++used;
  return text + std::string(width - used, ' ');
}

}  // namespace warpwise::perf
