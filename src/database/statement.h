// A statement of SQLite: values in by number, rows out; and a transaction. Thin, and nothing but what databases of ours
// need.
#pragma once

#include <sqlite3.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace warpwise::database {

// What messages call a database, and the codes of its errors.
struct About {
  std::string_view name;         // "the database of your progress"
  std::string_view cannot_open;  // "L0101"
  std::string_view says_no;      // "L0102"
};

struct Connection {
  Connection(sqlite3* sqlite, const About& about) : sqlite(sqlite), about(about) {}
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() { sqlite3_close_v2(sqlite); }
  // What SQLite has to say; of a damaged file also what to do.
  Error failure() const;

  sqlite3* const sqlite;
  const About about;
};

class Statement {
 public:
  static Result<Statement> prepare(std::shared_ptr<const Connection> connection, std::string_view text) {
    sqlite3_stmt* made = nullptr;
    if (sqlite3_prepare_v2(connection->sqlite, text.data(), int(text.size()), &made, nullptr) != SQLITE_OK)
      return connection->failure();
    return Statement(std::move(connection), made);
  }
  Statement(Statement&& other) noexcept
      : connection_(std::move(other.connection_)),
        statement_(std::exchange(other.statement_, nullptr)),
        bound_(other.bound_) {}
  Statement& operator=(Statement&&) = delete;
  ~Statement() { sqlite3_finalize(statement_); }

  // The next parameter.
  Statement& bind(std::string_view text) {
    return sqlite3_bind_text(statement_, ++bound_, text.data(), int(text.size()), SQLITE_TRANSIENT), *this;
  }
  Statement& bind(int64_t number) { return sqlite3_bind_int64(statement_, ++bound_, number), *this; }
  Statement& bind(std::optional<double> number) {
    return number ? bind(*number) : (sqlite3_bind_null(statement_, ++bound_), *this);
  }
  Statement& bind(double number) { return sqlite3_bind_double(statement_, ++bound_, number), *this; }

  // True: there is a row.
  Result<bool> step() {
    const int code = sqlite3_step(statement_);
    if (code == SQLITE_ROW) return true;
    if (code == SQLITE_DONE) return false;
    return connection_->failure();
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

 private:
  Statement(std::shared_ptr<const Connection> connection, sqlite3_stmt* statement)
      : connection_(std::move(connection)), statement_(statement) {}
  std::shared_ptr<const Connection> connection_;
  sqlite3_stmt* statement_;
  int bound_ = 0;
};

// All or nothing: undone when it dies before commit().
class Transaction {
 public:
  // Takes the right to write at once, so that two terminals wait for each other here and nowhere else.
  static Result<Transaction> begin(std::shared_ptr<const Connection> connection) {
    if (sqlite3_exec(connection->sqlite, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr) != SQLITE_OK)
      return connection->failure();
    return Transaction(std::move(connection));
  }
  Transaction(Transaction&& other) noexcept : connection_(std::move(other.connection_)) {}
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction() {
    if (connection_) sqlite3_exec(connection_->sqlite, "ROLLBACK", nullptr, nullptr, nullptr);
  }
  Result<void> commit() {
    if (sqlite3_exec(connection_->sqlite, "COMMIT", nullptr, nullptr, nullptr) != SQLITE_OK)
      return connection_->failure();
    connection_.reset();
    return {};
  }

 private:
  explicit Transaction(std::shared_ptr<const Connection> connection) : connection_(std::move(connection)) {}
  std::shared_ptr<const Connection> connection_;
};

}  // namespace warpwise::database
