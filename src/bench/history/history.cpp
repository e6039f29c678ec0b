#include "bench/history/history.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <tuple>

#include "base/json.h"
#include "perf/history/show.h"
#include "perf/report/format.h"

namespace warpwise::bench {
namespace {

using database::Statement;

constexpr database::About kAboutHistory{"the history of measurements", "B0010", "B0010"};

// The files NNN_….sql in order, made into this by CMakeLists.txt.
constexpr const char* kHistoryMigrations[] = {
#include "migrations.inc"
};

std::string_view place_of(const Measurement& m) { return m.modelled() ? "modelled" : "gpu"; }

std::vector<KeptTime> times_in(const std::string& report) {
  std::vector<KeptTime> times;
  const nlohmann::json json = parse_json(report);
  for (const nlohmann::json& shape : json.value("shapes", nlohmann::json::array()))
    for (const nlohmann::json& version : shape.value("versions", nlohmann::json::array()))
      if (version.contains("seconds"))
        times.push_back({shape.value("name", ""), version.value("name", ""), version.value("seconds", 0.0)});
  return times;
}

// Within a hundredth it is the same.
std::string change_text_of(double before, double after) {
  if (before <= 0) return "";
  const double change = after / before - 1;
  return std::abs(change) <= 0.01 ? "as before" : fmt::format("{:+.0f} %", 100 * change);
}

}  // namespace

std::filesystem::path History::default_file() { return database::data_folder() / "benchmarks.sqlite"; }

Result<History> History::open() { return open(default_file()); }

Result<History> History::open(const std::filesystem::path& file) {
  return History(TRY(database::Database::open(file, kAboutHistory, kHistoryMigrations)));
}

Result<int64_t> History::add(std::string_view name, const Measurement& m, std::string_view report,
                             const perf::Origin& origin) {
  database::Transaction transaction = TRY(database_.begin());
  Statement last = TRY(database_.prepare("SELECT COALESCE(MAX(number), 0) FROM measurements WHERE name = ?"));
  TRY(last.bind(name).step());
  const int64_t number = last.number(0) + 1;
  Statement row = TRY(database_.prepare(
      "INSERT INTO measurements(name, number, at, git_commit, changed, ladder, device, place, report) VALUES (?, ?, ?, "
      "?, ?, ?, ?, ?, ?)"));
  TRY(row.bind(name)
          .bind(number)
          .bind(database::now())
          .bind(origin.commit)
          .bind(int64_t(origin.changed))
          .bind(m.ladder->name)
          .bind(m.device->name)
          .bind(place_of(m))
          .bind(report)
          .run());
  TRY(transaction.commit());
  return number;
}

Result<std::string> History::report(const perf::RunName& which, const Measurement& like) const {
  Statement row = TRY(database_.prepare(
      "SELECT report FROM measurements WHERE name = ?1 AND (?2 = 0 OR number = ?2) ORDER BY device = ?3 AND place = ?4 "
      "AND ladder = ?5 DESC, number DESC LIMIT 1"));
  if (TRY(row.bind(which.name)
              .bind(which.number.value_or(0))
              .bind(like.device->name)
              .bind(place_of(like))
              .bind(like.ladder->name)
              .step()))
    return std::string(row.text(0));
  return Error{"B0011", which.number ? fmt::format("there is no measurement {} called `{}`", *which.number, which.name)
                                     : fmt::format("there is no measurement called `{}`", which.name)};
}

Result<std::vector<KeptMeasurement>> History::measurements(std::string_view name) const {
  Statement rows = TRY(database_.prepare(
      "SELECT number, at, git_commit, changed, ladder, device, place, report FROM measurements WHERE name = ? ORDER BY "
      "number"));
  rows.bind(name);
  std::vector<KeptMeasurement> out;
  while (TRY(rows.step()))
    out.push_back({rows.number(0),
                   std::string(rows.text(1)),
                   {std::string(rows.text(2)), rows.number(3) != 0},
                   std::string(rows.text(4)),
                   std::string(rows.text(5)),
                   std::string(rows.text(6)),
                   times_in(std::string(rows.text(7)))});
  return out;
}

Result<std::vector<KeptName>> History::names() const {
  Statement rows = TRY(database_.prepare(
      "SELECT name, device, place, COUNT(*), MAX(at) FROM measurements GROUP BY name, device, place ORDER BY MAX(at) "
      "DESC, name"));
  std::vector<KeptName> names;
  while (TRY(rows.step()))
    names.push_back({std::string(rows.text(0)), std::string(rows.text(1)), std::string(rows.text(2)), rows.number(3),
                     std::string(rows.text(4))});
  return names;
}

std::string to_text(const std::vector<KeptName>& names, WhenText when) {
  if (names.empty()) return "No measurement has been saved yet: `warpwise bench --save=NAME …` saves one.\n";
  std::string text = fmt::format("{:20} {:>12}  {:16} {:10} {}\n", "name", "measurements", "last", "place", "device");
  for (const KeptName& n : names)
    text += fmt::format("{:20} {:>12}  {:16} {:10} {}\n", n.name, n.measurements, when(n.last_at), n.place, n.device);
  return text;
}

std::string to_text(const std::vector<KeptMeasurement>& all, WhenText when) {
  std::string text =
      fmt::format("{:>5}  {:16} {:10} {:16} {:10} {}\n", "run", "when", "commit", "ladder", "place", "device");
  // What can be compared from run to run.
  using Key = std::tuple<std::string, std::string, std::string, std::string, std::string>;
  std::map<Key, std::vector<double>> series;
  size_t widest = 0;
  for (const KeptMeasurement& m : all) {
    const std::string commit =
        m.origin.commit.empty() ? "–" : m.origin.commit.substr(0, 8) + (m.origin.changed ? "+" : "");
    text += fmt::format("{:>5}  {:16} {:10} {:16} {:10} {}\n", fmt::format("@{}", m.number), when(m.at), commit,
                        m.ladder, m.place, m.device);
    for (const KeptTime& t : m.times) {
      auto& times = series[{m.ladder, m.device, m.place, t.shape, t.version}];
      times.push_back(t.seconds);
      widest = std::max(widest, times.size());
    }
  }
  text += '\n';
  for (const auto& [key, times] : series) {
    const auto& [ladder, device, place, shape, version] = key;
    text += fmt::format("{}{}  {:>9}  {:9} {} {}, {}, {}\n", std::string(widest - times.size(), ' '),
                        perf::columns_of(times), perf::seconds_text(times.back()),
                        times.size() > 1 ? change_text_of(times.front(), times.back()) : "new", version, shape, place,
                        device);
  }
  return text;
}

}  // namespace warpwise::bench
