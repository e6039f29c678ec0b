// Reads a TOML file: typed values by key. Mistakes are collected, with file and line, instead of returned, so a reader
// asks for all of its keys and looks at the result once. A key that the reader did not ask for is a mistake, too, so
// that a misspelt key is never silently ignored.
//
//     TomlFile file = TRY(parse_toml(text, "problem.toml", "L0001"));
//     TomlTable top = file.top();
//     std::string title = top.text("title");             // missing, or not a string: a mistake, and ""
//     std::optional<int64_t> n = top.maybe_number("n");  // missing: nullopt;  not a number: a mistake, and nullopt
//     top.finish();                                      // keys that were not asked for
//     TRY(file.result());                                // the first mistake
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/suggest.h"
#include "base/toml.h"

namespace warpwise::lab {

// The mistakes of one file, shared by its tables. Only the first is kept: later ones often follow from it.
struct TomlMistakes {
  std::string file;
  std::string first;  // "file:12: …"; "": none so far

  void note(uint32_t line, std::string_view what) {
    if (first.empty()) first = line ? fmt::format("{}:{}: {}", file, line, what) : fmt::format("{}: {}", file, what);
  }
};

// The enumerator with this name; `names` stand in the order of the enumerators.
template <class Enum>
std::optional<Enum> find_name(std::span<const std::string_view> names, std::string_view name) {
  const auto at = std::find(names.begin(), names.end(), name);
  return at == names.end() ? std::nullopt : std::optional(Enum(at - names.begin()));
}

class TomlTable {
 public:
  // `what` names the table in messages: "[[case]] `tiny`"; "" for the file itself. `mistakes` outlives the table.
  TomlTable(const toml::table& table, TomlMistakes& mistakes, std::string what)
      : table_(&table), mistakes_(&mistakes), what_(std::move(what)) {}

  void rename(std::string what) { what_ = std::move(what); }
  bool has(std::string_view key) const { return table_->contains(key); }
  uint32_t line() const { return table_->source().begin.line; }
  void mistake(std::string_view text) const { note(line(), text); }
  // No mistake so far, in any table of the file.
  bool good() const { return mistakes_->first.empty(); }

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
  // `format`: the version of what the file may say. This program reads one.
  void expect_format(int64_t known) {
    if (const int64_t format = number("format"); format != known && has("format"))
      note(line_of("format"), fmt::format("format {} is not known: this version reads format {}", format, known));
  }
  // One of some words; `names` stand in the order of the enumerators.
  template <class Enum>
  Enum choice(std::string_view key, std::span<const std::string_view> names) {
    const auto word = maybe_text(key);
    if (!word) return missing(key, fmt::format("{}", fmt::join(names, ", "))), Enum(0);
    if (auto found = find_name<Enum>(names, *word)) return *found;
    note(line_of(key), fmt::format("`{}` is not a {}: {} are", *word, key, fmt::join(names, ", ")));
    return Enum(0);
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
  // What `read` makes of each key of a table below this one: `sizes = { rows = 37, columns = 1000 }`.
  template <class Read>
  auto each(std::string_view key, Read read) {
    std::map<std::string, std::invoke_result_t<Read, TomlTable&, const std::string&>, std::less<>> all;
    if (auto table = maybe_table(key)) {
      for (const std::string& name : table->keys()) all[name] = std::invoke(read, *table, name);
      table->finish();
    }
    return all;
  }
  // The keys of a table below this one with their expressions, in the file's order: one may use those above it.
  std::vector<std::pair<std::string, std::string>> expressions(std::string_view key) {
    std::vector<std::pair<std::string, std::string>> all;
    if (auto table = maybe_table(key)) {
      for (const std::string& name : table->keys_in_order())
        if (auto text = table->maybe_expression(name)) all.emplace_back(name, *text);
      table->finish();
    }
    return all;
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
  // Sorted by their names, as toml++ holds them.
  std::vector<std::string> keys() const {
    std::vector<std::string> all;
    for (const auto& [key, value] : *table_) all.emplace_back(key.str());
    return all;
  }
  std::vector<std::string> keys_in_order() const {
    auto place = [this](const std::string& key) {
      const toml::source_position begin = table_->get(key)->source().begin;
      return std::pair(begin.line, begin.column);
    };
    std::vector<std::string> all = keys();
    std::ranges::sort(all, {}, place);
    return all;
  }
  void wrong_kind(const toml::node& n, std::string_view key, std::string_view wanted) const {
    note(n.source().begin.line, fmt::format("`{}` takes {}", key, wanted));
  }
  // Each key that was not asked for is a mistake. To be called last.
  void finish() const {
    for (const auto& [key, value] : *table_) {
      if (asked_.contains(key.str())) continue;
      std::vector<std::string_view> known(asked_.begin(), asked_.end());
      note(value.source().begin.line, fmt::format("there is no key `{}`{}", key.str(), did_you_mean(key.str(), known)));
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
    if (!table_->contains(key)) mistake(fmt::format("`{}` is missing: {}", key, wanted));
  }
  uint32_t line_of(std::string_view key) const { return table_->get(key)->source().begin.line; }
  void note(uint32_t at, std::string_view text) const {
    mistakes_->note(at, what_.empty() ? std::string(text) : fmt::format("{}: {}", what_, text));
  }

  const toml::table* table_;
  TomlMistakes* mistakes_;
  std::string what_;
  std::set<std::string, std::less<>> asked_;
};

// A parsed file and the mistakes in it. It outlives its tables and stays where it is while they are used.
class TomlFile {
 public:
  TomlFile(toml::table table, TomlMistakes mistakes, const char* code)
      : table_(std::move(table)), mistakes_(std::move(mistakes)), code_(code) {}

  // `what` names the file's own keys in messages.
  TomlTable top(std::string what = "") { return {table_, mistakes_, std::move(what)}; }
  // The first mistake.
  Result<void> result() const {
    if (mistakes_.first.empty()) return {};
    return Error{code_, mistakes_.first};
  }

 private:
  toml::table table_;
  TomlMistakes mistakes_;
  const char* code_;
};

// `file` is how messages call it, `code` that of all errors.
inline Result<TomlFile> parse_toml(std::string_view text, const std::string& file, const char* code) {
  toml::parse_result parsed = toml::parse(text);
  if (!parsed)
    return Error{code,
                 fmt::format("{}:{}: {}", file, parsed.error().source().begin.line, parsed.error().description())};
  return TomlFile(std::move(parsed).table(), TomlMistakes{file, ""}, code);
}

}  // namespace warpwise::lab
