#include "perf/history/history.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "perf/counters/json.h"
#include "perf/counters/records.h"
#include "perf/report/format.h"

namespace warpwise::perf {
namespace {

using database::Statement;

constexpr database::About kAbout{"the history of profiles", "U0013", "U0013"};

// The files NNN_….sql in order, made into this by CMakeLists.txt.
constexpr const char* kMigrations[] = {
#include "migrations.inc"
};

// The id of a device of the user is a file, which may be a temporary one.
std::string_view label_of(const device::Properties& device) {
  return device::find_device(device.id) ? device.id : device.name;
}

}  // namespace

std::optional<RunName> run_name_of(std::string_view text) {
  const size_t at = text.find('@');
  RunName run{std::string(text.substr(0, at)), std::nullopt};
  auto belongs = [](unsigned char c) { return std::isalnum(c) || c == '-' || c == '_' || c == '+'; };
  if (run.name.empty() || !std::all_of(run.name.begin(), run.name.end(), belongs)) return std::nullopt;
  if (at == text.npos) return run;
  const std::string_view digits = text.substr(at + 1);
  int64_t number = 0;
  const auto [end, error] = std::from_chars(digits.begin(), digits.end(), number);
  if (error != std::errc() || end != digits.end() || number < 1) return std::nullopt;
  run.number = number;
  return run;
}

std::filesystem::path History::default_file() { return database::data_folder() / "profiles.sqlite"; }

Result<History> History::open() { return open(default_file()); }

Result<History> History::open(const std::filesystem::path& file) {
  return History(TRY(database::Database::open(file, kAbout, kMigrations)));
}

Result<int64_t> History::add(std::string_view name, const Analysis& run, const Origin& origin) {
  const Profile& profile = *run.profile;
  database::Transaction transaction = TRY(database_.begin());
  Statement last = TRY(database_.prepare("SELECT COALESCE(MAX(number), 0) FROM runs WHERE name = ?"));
  TRY(last.bind(name).step());
  const int64_t number = last.number(0) + 1;
  Statement row =
      TRY(database_.prepare("INSERT INTO runs(name, number, at, git_commit, changed, program, device, seconds, "
                            "records) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  TRY(row.bind(name)
          .bind(number)
          .bind(database::now())
          .bind(origin.commit)
          .bind(int64_t(origin.changed))
          .bind(profile.program)
          .bind(label_of(*run.device))
          .bind(run.seconds)
          .bind(to_records(profile))
          .run());
  const int64_t id = database_.inserted();
  int64_t place = 0;
  for (const KernelReport& k : run.kernels) {
    Statement kernel =
        TRY(database_.prepare("INSERT INTO kernels(run, place, kernel, grid, block, launches, seconds, limiter, "
                              "metrics) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"));
    TRY(kernel.bind(id)
            .bind(place++)
            .bind(k.launch.kernel)
            .bind(size_text(k.launch.grid))
            .bind(size_text(k.launch.block))
            .bind(int64_t(k.launches))
            .bind(k.seconds)
            .bind(k.predicted ? key_of(k.prediction.limiter) : std::string_view())
            .bind(metrics_to_json(k.launch.totals))
            .run());
  }
  TRY(transaction.commit());
  return number;
}

Result<Profile> History::profile(const RunName& run, const device::Properties& properties) const {
  const std::string device(label_of(properties));
  Statement row =
      TRY(database_.prepare("SELECT records, device FROM runs WHERE name = ?1 AND (?2 = 0 OR number = ?2) ORDER BY "
                            "device = ?3 DESC, number DESC LIMIT 1"));
  if (!TRY(row.bind(run.name).bind(run.number.value_or(0)).bind(device).step())) {
    if (!run.number)
      return Error{"U0014", fmt::format("there is no run called `{}` in the history of profiles", run.name)};
    return Error{"U0014",
                 fmt::format("there is no run {} called `{}` in the history of profiles", *run.number, run.name)};
  }
  if (row.text(1) != device) {
    const std::string which = run.number ? fmt::format("run {} called `{}`", *run.number, run.name)
                                         : fmt::format("what is called `{}`", run.name);
    return Error{"U0014", fmt::format("{} was counted for `{}` and not for `{}`, whose caches differ", which,
                                      row.text(1), device)};
  }
  Profile profile = read_records(row.text(0));
  if (profile.device.empty())
    return Error{"U0013", fmt::format("the records of `{}` in the history of profiles cannot be read", run.name)};
  return profile;
}

Result<std::vector<KeptRun>> History::runs(std::string_view name) const {
  Statement rows = TRY(database_.prepare(
      "SELECT id, number, at, git_commit, changed, program, device, seconds FROM runs WHERE name = ? ORDER BY number"));
  rows.bind(name);
  std::vector<KeptRun> runs;
  while (TRY(rows.step())) {
    KeptRun run{rows.number(1),
                rows.text(2),
                {rows.text(3), rows.number(4) != 0},
                rows.text(5),
                rows.text(6),
                rows.real(7),
                {}};
    Statement kernels = TRY(database_.prepare(
        "SELECT kernel, grid, block, launches, seconds, limiter, metrics FROM kernels WHERE run = ? ORDER BY place"));
    kernels.bind(rows.number(0));
    while (TRY(kernels.step()))
      run.kernels.push_back({kernels.text(0), kernels.text(1), kernels.text(2), uint64_t(kernels.number(3)),
                             kernels.real(4), kernels.text(5), kernels.text(6)});
    runs.push_back(std::move(run));
  }
  return runs;
}

Result<std::vector<KeptName>> History::names() const {
  // Of a group that asks for one MAX, SQLite takes the other columns from that row
  // (https://sqlite.org/lang_select.html, "bare columns").
  Statement rows = TRY(database_.prepare(
      "SELECT name, device, COUNT(*), at, seconds, MAX(number), (SELECT seconds FROM runs AS first WHERE first.name = "
      "runs.name AND "
      "first.device = runs.device ORDER BY number LIMIT 1) FROM runs GROUP BY name, device ORDER BY at DESC, name"));
  std::vector<KeptName> names;
  while (TRY(rows.step()))
    names.push_back({rows.text(0), rows.text(1), rows.number(2), rows.text(3), rows.real(6), rows.real(4)});
  return names;
}

}  // namespace warpwise::perf
