#include "perf/history/show.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "base/json.h"
#include "perf/report/format.h"

namespace warpwise::perf {
namespace {

constexpr unsigned kBar = 30;
// A time within a hundredth is the same, as in a comparison.
constexpr double kSame = 0.01;

// "-11 %"; nothing where there is nothing to compare with.
std::string change_text(double before, double after) {
  if (before <= 0 || after <= 0) return "";
  const double change = after / before - 1;
  return std::abs(change) <= kSame ? "as before" : fmt::format("{:+.0f} %", 100 * change);
}

std::string commit_text(const Origin& origin) {
  return origin.commit.empty() ? "–" : origin.commit.substr(0, 8) + (origin.changed ? "+" : "");
}

// A kernel in one shape on one device: what can be compared from run to run.
using Key = std::tuple<std::string, std::string, std::string, std::string>;  // kernel, grid, block, device

struct Point {
  const KeptRun* run;
  const KeptKernel* kernel;
};

// Most time in its last run first.
std::vector<std::pair<Key, std::vector<Point>>> kernels_of(const std::vector<KeptRun>& runs, std::string_view part) {
  std::map<Key, std::vector<Point>> points;
  for (const KeptRun& run : runs)
    for (const KeptKernel& k : run.kernels)
      if (k.kernel.find(part) != k.kernel.npos) points[{k.kernel, k.grid, k.block, run.device}].push_back({&run, &k});
  std::vector<std::pair<Key, std::vector<Point>>> sorted(points.begin(), points.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return a.second.back().kernel->seconds > b.second.back().kernel->seconds;
  });
  return sorted;
}

class Text {
 public:
  explicit Text(const HistoryText& options) : o_(options) {}

  std::string names(const std::vector<KeptName>& names) {
    if (names.empty()) {
      line("No profile has been saved yet: `warpwise profile --save=NAME prog.cu` saves one.");
      return std::move(out_);
    }
    line("{}", strong(fmt::format("{:20} {:>5}  {:16} {:12} {:>9}    {:>9}", "name", "runs", "last", "device", "first",
                                  "last")));
    for (const KeptName& n : names)
      line("{:20} {:>5}  {:16} {:12} {:>9} -> {:>9}  {}", n.name, n.runs, o_.when(n.last_at), n.device,
           seconds_text(n.first_seconds), seconds_text(n.last_seconds),
           n.runs > 1 ? change_text(n.first_seconds, n.last_seconds) : "");
    return std::move(out_);
  }

  std::string runs(std::string_view name, const std::vector<KeptRun>& runs) {
    if (!o_.kernel.empty()) {
      const auto found = kernels_of(runs, o_.kernel);
      if (found.empty()) line("No kernel of `{}` has a name that contains `{}`.", name, o_.kernel);
      for (const auto& [key, points] : found) draw(key, points);
      return std::move(out_);
    }
    line("{}", strong(fmt::format("{:>5}  {:16} {:10} {:12} {:>9}", "run", "when", "commit", "device", "kernels")));
    std::map<std::string, double> before;  // by device
    for (const KeptRun& r : runs) {
      line("{:>5}  {:16} {:10} {:12} {:>9}  {}", fmt::format("@{}", r.number), o_.when(r.at), commit_text(r.origin),
           r.device, seconds_text(r.seconds), change_text(before[r.device], r.seconds));
      before[r.device] = r.seconds;
    }
    line("");
    const auto kernels = kernels_of(runs, "");
    size_t widest = 0;
    for (const auto& [key, points] : kernels) widest = std::max(widest, points.size());
    for (const auto& [key, points] : kernels) {
      std::vector<double> seconds;
      for (const Point& p : points) seconds.push_back(p.kernel->seconds);
      line("{}{}  {:>9}  {:9} {}{}", std::string(widest - seconds.size(), ' '), columns_of(seconds),
           seconds_text(seconds.back()), seconds.size() > 1 ? change_text(seconds.front(), seconds.back()) : "new",
           std::get<0>(key), where(key));
    }
    line("The times are those of the model at that run. --kernel=NAME draws one kernel, --baseline={} compares.", name);
    return std::move(out_);
  }

 private:
  template <class... A>
  void line(fmt::format_string<A...> format, A&&... arguments) {
    std::string text = fmt::format(format, std::forward<A>(arguments)...);
    text.erase(text.find_last_not_of(' ') + 1);
    out_ += text + '\n';
  }
  std::string strong(std::string_view text) const {
    return o_.color ? fmt::format("\x1b[1m{}\x1b[0m", text) : std::string(text);
  }
  static std::string where(const Key& key) {
    return fmt::format(", {} blocks of {}, {}", std::get<1>(key), std::get<2>(key), std::get<3>(key));
  }

  void draw(const Key& key, const std::vector<Point>& points) {
    double most = 0, before = 0;
    for (const Point& p : points) most = std::max(most, p.kernel->seconds);
    line("{}{}", strong(std::get<0>(key)), where(key));
    for (const Point& p : points) {
      const double seconds = p.kernel->seconds;
      line("{:>5}  {:16} {:10} {:>9} {} {:9} {}", fmt::format("@{}", p.run->number), o_.when(p.run->at),
           commit_text(p.run->origin), seconds_text(seconds), bar(most > 0 ? seconds / most : 0, kBar),
           change_text(before, seconds), p.kernel->limiter);
      before = seconds;
    }
  }

  const HistoryText& o_;
  std::string out_;
};

}  // namespace

std::string columns_of(const std::vector<double>& values) {
  static constexpr const char* kEighths[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const double most = values.empty() ? 0 : *std::max_element(values.begin(), values.end());
  std::string text;
  for (double v : values) text += kEighths[most > 0 ? std::clamp(int(std::ceil(8 * v / most)) - 1, 0, 7) : 0];
  return text;
}

std::string to_text(const std::vector<KeptName>& names, const HistoryText& options) {
  return Text(options).names(names);
}
std::string to_text(std::string_view name, const std::vector<KeptRun>& runs, const HistoryText& options) {
  return Text(options).runs(name, runs);
}

nlohmann::ordered_json to_json(const std::vector<KeptName>& names) {
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  for (const KeptName& n : names)
    out.push_back({{"name", n.name},
                   {"device", n.device},
                   {"runs", n.runs},
                   {"last_at", n.last_at},
                   {"first_seconds", n.first_seconds},
                   {"last_seconds", n.last_seconds}});
  return {{"history", out}};
}

nlohmann::ordered_json to_json(std::string_view name, const std::vector<KeptRun>& runs, std::string_view kernel) {
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  for (const KeptRun& r : runs) {
    nlohmann::ordered_json kernels = nlohmann::ordered_json::array();
    for (const KeptKernel& k : r.kernels)
      if (k.kernel.find(kernel) != k.kernel.npos)
        kernels.push_back({{"kernel", k.kernel},
                           {"grid", k.grid},
                           {"block", k.block},
                           {"launches", k.launches},
                           {"seconds", k.seconds},
                           {"limiter", k.limiter},
                           {"metrics", parse_json<nlohmann::ordered_json>(k.metrics)}});
    out.push_back({{"run", r.number},
                   {"at", r.at},
                   {"commit", r.origin.commit},
                   {"changed", r.origin.changed},
                   {"program", r.program},
                   {"device", r.device},
                   {"seconds", r.seconds},
                   {"kernels", kernels}});
  }
  return {{"name", name}, {"runs", out}};
}

}  // namespace warpwise::perf
