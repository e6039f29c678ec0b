// A statement of SQLite: values in by number, rows out. Thin, and nothing but what progress.cpp needs.
#pragma once

#include <fmt/format.h>
#include <sqlite3.h>

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace warpwise::lab {

class Statement {
 public:
  // L0102 when the text is no statement for this database.
  static Result<Statement> prepare(sqlite3* database, std::string_view text) {
    sqlite3_stmt* made = nullptr;
    if (sqlite3_prepare_v2(database, text.data(), int(text.size()), &made, nullptr) != SQLITE_OK) return failure(database);
    return Statement(database, made);
  }
  Statement(Statement&& other) noexcept : database_(other.database_), statement_(std::exchange(other.statement_, nullptr)) {}
  Statement& operator=(Statement&&) = delete;
  ~Statement() { sqlite3_finalize(statement_); }

  // The next parameter.
  Statement& bind(std::string_view text) { return sqlite3_bind_text(statement_, ++bound_, text.data(), int(text.size()), SQLITE_TRANSIENT), *this; }
  Statement& bind(int64_t number) { return sqlite3_bind_int64(statement_, ++bound_, number), *this; }
  Statement& bind(std::optional<double> number) { return number ? bind(*number) : (sqlite3_bind_null(statement_, ++bound_), *this); }
  Statement& bind(double number) { return sqlite3_bind_double(statement_, ++bound_, number), *this; }

  // True: there is a row.
  Result<bool> step() {
    const int code = sqlite3_step(statement_);
    if (code == SQLITE_ROW) return true;
    if (code == SQLITE_DONE) return false;
    return failure(database_);
  }
  Result<void> run() {
    auto row = step();
    if (!row) return row.error();
    return {};
  }

  std::string text(int column) const {
    const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
    return bytes ? std::string(bytes, size_t(sqlite3_column_bytes(statement_, column))) : std::string();
  }
  int64_t number(int column) const { return sqlite3_column_int64(statement_, column); }
  double real(int column) const { return sqlite3_column_double(statement_, column); }
  std::optional<double> maybe_real(int column) const {
    return sqlite3_column_type(statement_, column) == SQLITE_NULL ? std::nullopt : std::optional(real(column));
  }

  static Error failure(sqlite3* database) { return {"L0102", fmt::format("the database of your progress: {}", sqlite3_errmsg(database))}; }

 private:
  Statement(sqlite3* database, sqlite3_stmt* statement) : database_(database), statement_(statement) {}
  sqlite3* database_;
  sqlite3_stmt* statement_;
  int bound_ = 0;
};

// All or nothing: undone when it dies before commit().
class Transaction {
 public:
  // Takes the right to write at once, so that two terminals wait for each other here and nowhere else.
  static Result<Transaction> begin(sqlite3* database) {
    if (sqlite3_exec(database, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr) != SQLITE_OK) return Statement::failure(database);
    return Transaction(database);
  }
  Transaction(Transaction&& other) noexcept : database_(std::exchange(other.database_, nullptr)) {}
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction() {
    if (database_) sqlite3_exec(database_, "ROLLBACK", nullptr, nullptr, nullptr);
  }
  Result<void> commit() {
    if (sqlite3_exec(database_, "COMMIT", nullptr, nullptr, nullptr) != SQLITE_OK) return Statement::failure(database_);
    database_ = nullptr;
    return {};
  }

 private:
  explicit Transaction(sqlite3* database) : database_(database) {}
  sqlite3* database_;
};

}  // namespace warpwise::lab
