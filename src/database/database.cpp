#include "database/database.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "base/home.h"

namespace warpwise::database {
namespace {

namespace fs = std::filesystem;

constexpr int kWaitMilliseconds = 5000;

}  // namespace

Error Connection::failure() const {
  const int code = sqlite3_errcode(sqlite) & 0xff;
  std::string message = fmt::format("{}: {}", about.name, sqlite3_errmsg(sqlite));
  if (code != SQLITE_CORRUPT && code != SQLITE_NOTADB) return {std::string(about.says_no), std::move(message)};
  const std::string file = sqlite3_db_filename(sqlite, "main");
  return {std::string(about.cannot_open),
          fmt::format("{}; move it away, and the next use makes a new one: mv '{}' '{}.broken'", message, file, file)};
}

Result<Database> Database::open(const fs::path& file, const About& about, std::span<const char* const> migrations) {
  const std::string code(about.cannot_open);
  if (!file.has_parent_path())
    return Error{code,
                 fmt::format("there is no home folder to keep {} in: set HOME, or XDG_DATA_HOME to a folder of yours",
                             about.name)};
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error) return Error{code, fmt::format("cannot make `{}`: {}", file.parent_path().string(), error.message())};
  const bool is_new = !fs::exists(file, error);
  return open_named(file.string(), is_new, about, migrations);
}

Result<Database> Database::in_memory(const About& about, std::span<const char* const> migrations) {
  return open_named(":memory:", true, about, migrations);
}

Result<Database> Database::open_named(const std::string& name, bool is_new, const About& about,
                                      std::span<const char* const> migrations) {
  const std::string code(about.cannot_open);
  sqlite3* opened = nullptr;
  const int status =
      sqlite3_open_v2(name.c_str(), &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
  Database database(std::make_shared<const Connection>(opened, about));
  if (status != SQLITE_OK)
    return Error{code, fmt::format("cannot open `{}`: {}", name, opened ? sqlite3_errmsg(opened) : "no memory")};
  sqlite3_busy_timeout(opened, kWaitMilliseconds);
  // Until there is something to lose, nothing waits for the disk.
  if (is_new) (void)database.execute("PRAGMA synchronous = OFF");
  auto ready = database.migrate(migrations);
  if (!ready) return Error{code, fmt::format("`{}`: {}", name, ready.error().message)};
  return database;
}

int64_t Database::inserted() const {
  return sqlite3_changes(connection_->sqlite) ? sqlite3_last_insert_rowid(connection_->sqlite) : 0;
}

Result<void> Database::execute(const char* text) const {
  if (sqlite3_exec(connection_->sqlite, text, nullptr, nullptr, nullptr) != SQLITE_OK) return connection_->failure();
  return {};
}

// A log of what is written, instead of a copy of what was there. SQLite does not wait where two connections change to
// it at the same time, or where one of them repairs what a killed process left (https://sqlite.org/wal.html, 9): so we
// do.
Result<void> Database::use_write_ahead_log() const {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(kWaitMilliseconds);
  for (;;) {
    const int code = sqlite3_exec(connection_->sqlite, "PRAGMA journal_mode = WAL", nullptr, nullptr, nullptr);
    if (code == SQLITE_OK) return {};
    if ((code & 0xff) != SQLITE_BUSY || std::chrono::steady_clock::now() > deadline) return connection_->failure();
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

Result<void> Database::migrate(std::span<const char* const> migrations) const {
  // With a write-ahead log, NORMAL loses nothing when a process is killed, only (the last moment) when the machine is.
  TRY(use_write_ahead_log());
  TRY(execute("PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;"));
  auto version = [&]() -> Result<int64_t> {
    Statement statement = TRY(prepare("PRAGMA user_version"));
    TRY(statement.step());
    return statement.number(0);
  };
  const int64_t known = int64_t(migrations.size());
  if (TRY(version()) == known) return {};
  Transaction transaction = TRY(begin());
  const int64_t found = TRY(version());  // another terminal may have been here meanwhile
  if (found > known)
    return Error{std::string(connection_->about.cannot_open),
                 fmt::format("it is of a newer version of Warpwise (format {}, this one knows {})", found, known)};
  for (int64_t i = found; i < known; ++i) {
    TRY(execute(migrations[size_t(i)]));
    TRY(execute(fmt::format("PRAGMA user_version = {}", i + 1).c_str()));
  }
  return transaction.commit();
}

fs::path data_folder() {
  const char* data = std::getenv("XDG_DATA_HOME");
  if (data && *data == '/') return fs::path(data) / "warpwise";
  const fs::path home = home_folder();
  return home.empty() ? fs::path() : home / ".local/share/warpwise";
}

std::string now() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
  const time_t seconds = milliseconds / 1000;
  tm utc{};
  gmtime_r(&seconds, &utc);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday,
                     utc.tm_hour, utc.tm_min, utc.tm_sec, milliseconds % 1000);
}

}  // namespace warpwise::database
