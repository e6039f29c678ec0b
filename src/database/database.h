// A database of SQLite in the user's data folder: the lab keeps its progress in one, `warpwise profile` its history in
// another.
//
//     $XDG_DATA_HOME/warpwise/NAME.sqlite     (~/.local/share/warpwise/NAME.sqlite)
//
// Promises. What was written in a transaction is there, whole, or not at all, whenever the process is ended; several
// terminals may work at once (write-ahead log, waiting up to five seconds for each other). Older databases are brought
// up to date when they are opened, one numbered file of SQL after the other (NNN_….sql, the number is the database's
// user_version; ww_migrations in CMakeLists.txt); one from a newer version is left alone. We repair and
// remove nothing: the message for a damaged file says to move it away.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "base/result.h"
#include "database/statement.h"

namespace warpwise::database {

class Database {
 public:
  // about.cannot_open when the file cannot be opened, is none, is damaged or is newer than `migrations`.
  static Result<Database> open(const std::filesystem::path& file, const About& about,
                               std::span<const char* const> migrations);
  // One that ends with the process.
  static Result<Database> in_memory(const About& about, std::span<const char* const> migrations);

  // about.says_no for all of these when SQLite says no.
  Result<Statement> prepare(std::string_view text) const { return Statement::prepare(connection_, text); }
  Result<Transaction> begin() const { return Transaction::begin(connection_); }

  // Of the last INSERT: 0 when it was ignored.
  int64_t inserted() const;

 private:
  explicit Database(std::shared_ptr<const Connection> connection) : connection_(std::move(connection)) {}
  static Result<Database> open_named(const std::string& name, bool is_new, const About& about,
                                     std::span<const char* const> migrations);
  Result<void> execute(const char* text) const;
  Result<void> use_write_ahead_log() const;
  Result<void> migrate(std::span<const char* const> migrations) const;

  std::shared_ptr<const Connection> connection_;
};

// Where such databases lie: $XDG_DATA_HOME/warpwise, or .local/share/warpwise in the home folder (base/home.h); "" when
// there is none of the two, and open() of a name alone then says so.
std::filesystem::path data_folder();

// The time now as databases keep it: UTC, "2026-01-31T12:00:00.123Z", so that times sort as text.
std::string now();

}  // namespace warpwise::database
