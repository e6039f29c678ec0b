// Reads a table of a TOML file: typed values by key. Mistakes are collected, with file and line, instead of returned,
// so a reader asks for all of its keys and looks at the result once. A key that the reader did not ask for is a
// mistake, too, so that a misspelt key is never silently ignored.
//
//     TomlMistakes mistakes{"problem.toml"};
//     TomlTable table(parsed, mistakes, "");
//     std::string title = table.text("title");             // missing, or not a string: a mistake, and ""
//     std::optional<int64_t> n = table.maybe_number("n");  // missing: nullopt;  not a number: a mistake, and nullopt
//     table.finish();                                      // keys that were not asked for
//     if (!mistakes.first.empty()) return Error{"L0001", mistakes.first};
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include "base/result.h"
#include "base/suggest.h"

namespace warpwise::lab {

// The mistakes of one file, shared by its tables. Only the first is kept: later ones often follow from it.
struct TomlMistakes {
  std::string file;
  std::string first;  // "file:12: …"; "": none so far

  void note(uint32_t line, std::string_view what) {
    if (first.empty()) first = line ? fmt::format("{}:{}: {}", file, line, what) : fmt::format("{}: {}", file, what);
  }
};

class TomlTable {
 public:
  // `what` names the table in messages: "[[case]] `tiny`"; "" for the file itself. `mistakes` outlives the table.
  TomlTable(const toml::table& table, TomlMistakes& mistakes, std::string what)
      : table_(&table), mistakes_(&mistakes), what_(std::move(what)) {}

  void rename(std::string what) { what_ = std::move(what); }
  bool has(std::string_view key) const { return table_->contains(key); }
  uint32_t line() const { return table_->source().begin.line; }
  void mistake(std::string_view text) const { mistakes_->note(line(), fmt::format("{}: {}", what_, text)); }

  const toml::node* node(std::string_view key) {
    asked_.emplace(key);
    return table_->get(key);
  }
  std::string text(std::string_view key) {
    auto value = maybe_text(key);
    if (!value) missing(key, "a string");
    return value.value_or("");
  }
  std::optional<std::string> maybe_text(std::string_view key) { return maybe<std::string>(key, "a string"); }
  int64_t number(std::string_view key) {
    auto value = maybe_number(key);
    if (!value) missing(key, "a whole number");
    return value.value_or(0);
  }
  std::optional<int64_t> maybe_number(std::string_view key) { return maybe<int64_t>(key, "a whole number"); }
  double real(std::string_view key, double otherwise) {
    if (const toml::node* n = node(key); n && n->is_integer()) return double(*n->value<int64_t>());
    return maybe<double>(key, "a number").value_or(otherwise);
  }
  bool flag(std::string_view key, bool otherwise = false) {
    return maybe<bool>(key, "true or false").value_or(otherwise);
  }
  std::vector<std::string> texts(std::string_view key) {
    std::vector<std::string> all;
    const toml::node* n = node(key);
    if (!n) return all;
    const toml::array* list = n->as_array();
    if (!list) return wrong_kind(*n, key, "a list of strings"), all;
    for (const toml::node& item : *list) {
      if (!item.is_string()) return wrong_kind(item, key, "a list of strings"), all;
      all.push_back(*item.value<std::string>());
    }
    return all;
  }
  // A number or a string, as the text of an expression.
  std::optional<std::string> maybe_expression(std::string_view key) {
    const toml::node* n = node(key);
    if (!n) return std::nullopt;
    if (n->is_integer()) return std::to_string(*n->value<int64_t>());
    if (n->is_string()) return *n->value<std::string>();
    wrong_kind(*n, key, "a whole number or an expression in quotes");
    return std::nullopt;
  }
  std::optional<TomlTable> maybe_table(std::string_view key) {
    const toml::node* n = node(key);
    if (!n) return std::nullopt;
    const toml::table* t = n->as_table();
    if (!t) return wrong_kind(*n, key, "a table"), std::nullopt;
    return TomlTable(*t, *mistakes_, what_.empty() ? fmt::format("[{}]", key) : fmt::format("{}, `{}`", what_, key));
  }
  // The tables of an array of tables.
  std::vector<TomlTable> tables(std::string_view key) {
    std::vector<TomlTable> all;
    const toml::node* n = node(key);
    if (!n) return all;
    const toml::array* list = n->as_array();
    if (!list) return wrong_kind(*n, key, fmt::format("[[{}]]", key)), all;
    for (const toml::node& item : *list) {
      const toml::table* t = item.as_table();
      if (!t) return wrong_kind(item, key, fmt::format("[[{}]]", key)), all;
      all.emplace_back(*t, *mistakes_, fmt::format("[[{}]] {}", key, all.size() + 1));
    }
    return all;
  }
  std::vector<std::string> keys() const {
    std::vector<std::string> all;
    for (const auto& [key, value] : *table_) all.emplace_back(key.str());
    return all;
  }
  void wrong_kind(const toml::node& n, std::string_view key, std::string_view wanted) const {
    mistakes_->note(n.source().begin.line,
                    fmt::format("{}{}`{}` takes {}", what_, what_.empty() ? "" : ": ", key, wanted));
  }
  // Each key that was not asked for is a mistake. To be called last.
  void finish() const {
    for (const auto& [key, value] : *table_) {
      if (asked_.contains(key.str())) continue;
      std::vector<std::string_view> known(asked_.begin(), asked_.end());
      mistakes_->note(value.source().begin.line,
                      fmt::format("{}{}there is no key `{}`{}", what_, what_.empty() ? "" : ": ", key.str(),
                                  did_you_mean(key.str(), known)));
    }
  }

 private:
  template <class T>
  std::optional<T> maybe(std::string_view key, std::string_view wanted) {
    const toml::node* n = node(key);
    if (!n) return std::nullopt;
    auto value = n->value_exact<T>();
    if (!value) wrong_kind(*n, key, wanted);
    return value;
  }
  void missing(std::string_view key, std::string_view wanted) const {
    if (!table_->contains(key))
      mistakes_->note(line(), fmt::format("{}{}`{}` is missing: {}", what_, what_.empty() ? "" : ": ", key, wanted));
  }

  const toml::table* table_;
  TomlMistakes* mistakes_;
  std::string what_;
  std::set<std::string, std::less<>> asked_;
};

}  // namespace warpwise::lab
