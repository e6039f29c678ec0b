#include "lab/progress/progress.h"

#include <sqlite3.h>

#include <chrono>
#include <cstdlib>
#include <random>
#include <thread>

#include "lab/progress/statement.h"
#include "toolchain/hash.h"

namespace warpwise::lab {
namespace {

namespace fs = std::filesystem;

constexpr int kWaitMilliseconds = 5000;

// The files NNN_….sql in order, made into this by CMakeLists.txt.
constexpr const char* kMigrations[] = {
#include "migrations.inc"
};

std::string now() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
  const time_t seconds = milliseconds / 1000;
  tm utc{};
  gmtime_r(&seconds, &utc);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec, milliseconds % 1000);
}

std::string new_uid() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

Result<void> execute(sqlite3* database, const char* text) {
  if (sqlite3_exec(database, text, nullptr, nullptr, nullptr) != SQLITE_OK) return Statement::failure(database);
  return {};
}

constexpr const char* kColumns = "id, uid, at, problem, verdict, samples_only, seed, seconds, file, modelled_seconds, device";

// A log of what is written, instead of a copy of what was there. SQLite does not wait where two connections change to it at the same
// time, or where one of them mends what a killed process left (https://sqlite.org/wal.html, 9): so we do.
Result<void> use_write_ahead_log(sqlite3* database) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(kWaitMilliseconds);
  for (;;) {
    const int code = sqlite3_exec(database, "PRAGMA journal_mode = WAL", nullptr, nullptr, nullptr);
    if (code == SQLITE_OK) return {};
    if ((code & 0xff) != SQLITE_BUSY || std::chrono::steady_clock::now() > deadline) return Statement::failure(database);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

Attempt attempt_from(const Statement& row, bool whole) {
  Attempt a;
  a.id = row.number(0), a.uid = row.text(1), a.at = row.text(2), a.problem = row.text(3), a.verdict = row.text(4);
  a.samples_only = row.number(5) != 0, a.seed = uint64_t(row.number(6)), a.seconds = row.real(7), a.file = row.text(8);
  a.modelled_seconds = row.maybe_real(9), a.device = row.text(10);
  if (whole) a.source = row.text(11), a.judgement = row.text(12);
  return a;
}

}  // namespace

fs::path Progress::default_file() {
  const char* data = std::getenv("XDG_DATA_HOME");
  const char* home = std::getenv("HOME");
  const fs::path folder = data && *data == '/' ? fs::path(data) : fs::path(home && *home ? home : "/tmp") / ".local/share";
  return folder / "warpwise/lab.sqlite";
}

Result<Progress> Progress::open() { return open(default_file()); }

Result<Progress> Progress::open(const fs::path& file) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error) return Error{"L0101", fmt::format("cannot make `{}`: {}", file.parent_path().string(), error.message())};
  sqlite3* opened = nullptr;
  const int code = sqlite3_open_v2(file.c_str(), &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
  std::shared_ptr<sqlite3> database(opened, [](sqlite3* d) { sqlite3_close_v2(d); });
  if (code != SQLITE_OK) return Error{"L0101", fmt::format("cannot open `{}`: {}", file.string(), opened ? sqlite3_errmsg(opened) : "no memory")};
  sqlite3_busy_timeout(opened, kWaitMilliseconds);
  Progress progress(std::move(database));
  auto ready = progress.migrate();
  if (!ready) return Error{"L0101", fmt::format("`{}`: {}", file.string(), ready.error().message)};
  return progress;
}

Result<void> Progress::migrate() {
  sqlite3* database = database_.get();
  // With a write-ahead log, NORMAL loses nothing when a process is killed, only (the last moment) when the machine is.
  TRY(use_write_ahead_log(database));
  TRY(execute(database, "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;"));
  auto version = [&]() -> Result<int64_t> {
    Statement statement = TRY(Statement::prepare(database, "PRAGMA user_version"));
    TRY(statement.step());
    return statement.number(0);
  };
  const int64_t known = int64_t(std::size(kMigrations));
  if (TRY(version()) == known) return {};
  Transaction transaction = TRY(Transaction::begin(database));
  const int64_t found = TRY(version());  // another terminal may have been here meanwhile
  if (found > known) return Error{"L0101", fmt::format("it is of a newer version of Warpwise (format {}, this one knows {})", found, known)};
  for (int64_t i = found; i < known; ++i) {
    TRY(execute(database, kMigrations[i]));
    TRY(execute(database, fmt::format("PRAGMA user_version = {}", i + 1).c_str()));
  }
  return transaction.commit();
}

Result<int64_t> Progress::add(Attempt a) {
  sqlite3* database = database_.get();
  if (a.uid.empty()) a.uid = new_uid();
  if (a.at.empty()) a.at = now();
  const std::string hash = toolchain::hash_of(a.source);
  Transaction transaction = TRY(Transaction::begin(database));
  Statement source = TRY(Statement::prepare(database, "INSERT OR IGNORE INTO sources(hash, text) VALUES (?, ?)"));
  TRY(source.bind(hash).bind(a.source).run());
  Statement row = TRY(Statement::prepare(database, "INSERT OR IGNORE INTO attempts(uid, at, problem, verdict, samples_only, seed, seconds, file, source, judgement, "
                                                   "modelled_seconds, device) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  row.bind(a.uid).bind(a.at).bind(a.problem).bind(a.verdict).bind(int64_t(a.samples_only)).bind(int64_t(a.seed)).bind(a.seconds).bind(a.file).bind(hash).bind(a.judgement).bind(a.modelled_seconds).bind(a.device);
  TRY(row.run());
  const int64_t id = sqlite3_changes(database) ? sqlite3_last_insert_rowid(database) : 0;
  TRY(transaction.commit());
  return id;
}

Result<std::vector<Attempt>> Progress::attempts(std::string_view problem, size_t most, bool whole) const {
  const std::string text = fmt::format("SELECT {}{} FROM attempts{} WHERE ?1 = '' OR problem = ?1 ORDER BY attempts.id DESC LIMIT ?2", kColumns, whole ? ", text, judgement" : "",
                                       whole ? " JOIN sources ON source = hash" : "");
  Statement rows = TRY(Statement::prepare(database_.get(), text));
  rows.bind(problem).bind(most ? int64_t(most) : int64_t{-1});
  std::vector<Attempt> all;
  while (TRY(rows.step())) all.push_back(attempt_from(rows, whole));
  return all;
}

Result<std::optional<Attempt>> Progress::attempt(int64_t id) const {
  Statement row = TRY(Statement::prepare(database_.get(), fmt::format("SELECT {}, text, judgement FROM attempts JOIN sources ON source = hash WHERE id = ?", kColumns)));
  if (!TRY(row.bind(id).step())) return std::optional<Attempt>();
  return std::optional(attempt_from(row, true));
}

Result<std::map<std::string, Standing>> Progress::standings() const {
  std::map<std::string, Standing> all;
  Statement rows = TRY(Statement::prepare(database_.get(), "SELECT problem, verdict, at FROM attempts WHERE NOT samples_only ORDER BY id"));
  while (TRY(rows.step())) {
    Standing& s = all[rows.text(0)];
    ++s.attempts;
    s.last_verdict = rows.text(1), s.last_at = rows.text(2);
    if (s.last_verdict == "accepted" && !s.accepted) s.accepted = true, s.accepted_at = s.last_at;
  }
  Statement looks = TRY(Statement::prepare(database_.get(), "SELECT problem, number FROM looks"));
  while (TRY(looks.step())) {
    Standing& s = all[looks.text(0)];
    if (looks.number(1) == 0) s.solution_seen = true;
    else s.hints = std::max(s.hints, unsigned(looks.number(1)));
  }
  return all;
}

Result<std::optional<Attempt>> Progress::fastest(std::string_view problem, std::string_view device) const {
  Statement row = TRY(Statement::prepare(database_.get(), fmt::format("SELECT {} FROM attempts WHERE problem = ? AND device = ? AND verdict = 'accepted' AND NOT samples_only AND "
                                                                      "modelled_seconds > 0 ORDER BY modelled_seconds, id LIMIT 1", kColumns)));
  if (!TRY(row.bind(problem).bind(device).step())) return std::optional<Attempt>();
  return std::optional(attempt_from(row, false));
}

Result<void> Progress::note_look(std::string_view problem, unsigned number) {
  Statement row = TRY(Statement::prepare(database_.get(), "INSERT OR IGNORE INTO looks(problem, number, at) VALUES (?, ?, ?)"));
  return row.bind(problem).bind(int64_t(number)).bind(now()).run();
}

Result<void> Progress::note_answer(std::string_view chapter, unsigned question, bool correct) {
  Statement row = TRY(Statement::prepare(database_.get(), "INSERT OR REPLACE INTO answers(chapter, question, correct, at) VALUES (?, ?, ?, ?)"));
  return row.bind(chapter).bind(int64_t(question)).bind(int64_t(correct)).bind(now()).run();
}

Result<std::map<std::string, unsigned>> Progress::right_answers() const {
  Statement rows = TRY(Statement::prepare(database_.get(), "SELECT chapter, SUM(correct) FROM answers GROUP BY chapter"));
  std::map<std::string, unsigned> all;
  while (TRY(rows.step())) all[rows.text(0)] = unsigned(rows.number(1));
  return all;
}

}  // namespace warpwise::lab
