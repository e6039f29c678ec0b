#include "exec/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <optional>

#include "base/json.h"
#include "exec/option_rows.h"
#include "simt/pass_names.h"

namespace warpwise::exec {

std::string flag_of(const OptionRow& row) {
  std::string flag(row.key);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

std::string expected_by(const OptionValues& values) {
  switch (values.kind) {
    case OptionKind::Text:
      return "a string";
    case OptionKind::Flag:
      return "true or false";
    case OptionKind::Count:
      return "a whole number";
    case OptionKind::Range:
      return fmt::format("a whole number from {} to {}", values.least, values.most);
    case OptionKind::Seconds:
      return "seconds";
    case OptionKind::Schedule:
      return "`in-order` or `shuffle:SEED`";
    case OptionKind::Choice: {
      std::vector<std::string> names;
      for (const OptionChoice& choice : values.choices) names.push_back(fmt::format("`{}`", choice.name));
      return fmt::format("one of {}", fmt::join(names, ", "));
    }
    case OptionKind::Passes:
    case OptionKind::Dumps:
    case OptionKind::Checkers:
      return "a list of strings";
    case OptionKind::Lines:
      return "a list of whole numbers";
  }
  return {};
}

namespace {

using Json = nlohmann::json;

Error bad(std::string_view key, std::string_view why) { return {"U0005", fmt::format("option `{}`: {}", key, why)}; }
Error unexpected(const OptionRow& row) { return bad(row.key, "expected " + expected_by(row.values)); }

// --- a value for a field, by the field's type

Result<void> read(const OptionRow& row, const Json& value, std::string& out) {
  if (!value.is_string()) return unexpected(row);
  out = value;
  return {};
}

Result<void> read(const OptionRow& row, const Json& value, bool& out) {
  if (!value.is_boolean()) return unexpected(row);
  out = value;
  return {};
}

template <std::unsigned_integral T>
Result<void> read(const OptionRow& row, const Json& value, T& out) {
  if (!value.is_number_unsigned() || value.get<uint64_t>() > std::numeric_limits<T>::max()) return unexpected(row);
  out = value;
  return {};
}

Result<void> read(const OptionRow& row, const Json& value, int& out) {
  if (!value.is_number_integer() || value < row.values.least || value > row.values.most) return unexpected(row);
  out = value;
  return {};
}

Result<void> read(const OptionRow& row, const Json& value, double& seconds) {
  if (!value.is_number() || value < 0) return unexpected(row);
  seconds = value;
  return {};
}

template <class E>
  requires std::is_enum_v<E>
Result<void> read(const OptionRow& row, const Json& value, E& out) {
  const auto found = std::find_if(row.values.choices.begin(), row.values.choices.end(),
                                  [&](const OptionChoice& choice) { return value == choice.name; });
  if (found == row.values.choices.end()) return unexpected(row);
  out = static_cast<E>(found - row.values.choices.begin());
  return {};
}

Result<void> read(const OptionRow& row, const Json& value, Schedule& schedule) {
  constexpr std::string_view kPrefix = "shuffle:";
  std::string text;
  TRY(read(row, value, text));
  if (text == "in-order") {
    schedule = {};
    return {};
  }
  if (!text.starts_with(kPrefix) || text.size() == kPrefix.size()) return unexpected(row);
  char* end = nullptr;
  schedule = {true, std::strtoull(text.c_str() + kPrefix.size(), &end, 10)};
  if (*end != '\0') return unexpected(row);
  return {};
}

// Names of passes, or of moments after which to dump; kept as the names of passes.
Result<void> read(const OptionRow& row, const Json& value, std::vector<std::string>& out) {
  if (!value.is_array()) return unexpected(row);
  for (const Json& item : value) {
    std::string name;
    TRY(read(row, item, name));
    if (row.values.kind == OptionKind::Passes) TRY(simt::check_off(name));
    if (row.values.kind == OptionKind::Dumps) name = TRY(simt::read_dump(name));
    out.push_back(std::move(name));
  }
  return {};
}

Result<void> read(const OptionRow& row, const Json& value, std::vector<uint32_t>& out) {
  if (!value.is_array()) return unexpected(row);
  for (const Json& item : value) TRY(read(row, item, out.emplace_back()));
  return {};
}

Result<void> read(const OptionRow& row, const Json& value, CheckerSet& out) {
  if (!value.is_array()) return unexpected(row);
  for (const Json& item : value) {
    std::string name;
    TRY(read(row, item, name));
    const auto checker = find_checker(name);
    if (!checker) return bad(row.key, fmt::format("there is no checker `{}`", name));
    out.add(*checker);
  }
  return {};
}

Result<void> read_option(std::string_view key, const Json& value, Options& options) {
  const auto row =
      std::find_if(kOptionRows.begin(), kOptionRows.end(), [&](const OptionRow& row) { return row.key == key; });
  if (row == kOptionRows.end()) return bad(key, "there is no such option");
#define OPTION(name, field, type, initial, values, place, placeholder, help) \
  if (key == #name) return read(*row, value, options.field);
#include "exec/options.inc"
#undef OPTION
  return {};
}

}  // namespace

Result<Options> parse_options(std::string_view text) {
  Json json = parse_json<Json>(text);
  if (!json.is_object()) return Error{"U0005", fmt::format("{} is not a JSON object", kOptionsVariable)};
  Options options;
  for (const auto& [key, value] : json.items()) TRY(read_option(key, value, options));
  return options;
}

Result<Options> options_from_environment() {
  const char* text = std::getenv(kOptionsVariable);
  if (!text || !*text) return Options{};
  return parse_options(text);
}

}  // namespace warpwise::exec
