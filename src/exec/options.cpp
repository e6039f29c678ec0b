#include "exec/options.h"

#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>

#include "simt/pass_names.h"

namespace warpwise::exec {
namespace {

using Json = nlohmann::json;

Error bad(std::string_view key, std::string_view wanted) {
  return {"U0005", fmt::format("option `{}`: {}", key, wanted)};
}

Result<void> read_schedule(const std::string& text, Schedule& schedule) {
  if (text == "in-order") {
    schedule = {};
    return {};
  }
  constexpr std::string_view kPrefix = "shuffle:";
  if (text.starts_with(kPrefix) && text.size() > kPrefix.size()) {
    char* end = nullptr;
    schedule = {true, std::strtoull(text.c_str() + kPrefix.size(), &end, 10)};
    if (*end == '\0') return {};
  }
  return bad("schedule", "expected `in-order` or `shuffle:SEED`");
}

template <class E>
Result<void> read_choice(const std::string& key, const Json& value,
                         std::initializer_list<std::pair<const char*, E>> choices, E& out) {
  std::string names;
  for (auto [name, choice] : choices) {
    if (value == name) {
      out = choice;
      return {};
    }
    names += fmt::format("{}`{}`", names.empty() ? "" : ", ", name);
  }
  return bad(key, "expected one of " + names);
}

Result<void> read_option(const std::string& key, const Json& value, Options& options) {
  auto text = [&](std::string& out) -> Result<void> {
    if (!value.is_string()) return bad(key, "expected a string");
    out = value;
    return {};
  };
  auto flag = [&](bool& out) -> Result<void> {
    if (!value.is_boolean()) return bad(key, "expected true or false");
    out = value;
    return {};
  };
  auto count = [&](auto& out) -> Result<void> {
    if (!value.is_number_unsigned()) return bad(key, "expected a whole number");
    out = value;
    return {};
  };
  auto list = [&](std::vector<std::string>& out) -> Result<void> {
    if (!value.is_array()) return bad(key, "expected a list of strings");
    for (const Json& item : value) {
      if (!item.is_string()) return bad(key, "expected a list of strings");
      out.push_back(item);
    }
    return {};
  };
  if (key == "device") return text(options.device);
  if (key == "cpu") return text(options.cpu);
  if (key == "compiler_plugin") return text(options.compiler_plugin);
  if (key == "fast") return flag(options.fast);
  if (key == "approximate_mma") return flag(options.approximate_mma);
  if (key == "quick_compile") return flag(options.quick_compile);
  if (key == "time_passes") return flag(options.time_passes);
  if (key == "threads") return count(options.threads);
  if (key == "heap_bytes") return count(options.heap_bytes);
  if (key == "off") {
    TRY(list(options.off));
    for (const std::string& pass : options.off) TRY(simt::check_off(pass));
    return {};
  }
  if (key == "dump") {
    std::vector<std::string> wishes;
    TRY(list(wishes));
    for (const std::string& wish : wishes) options.dump.emplace_back(TRY(simt::read_dump(wish)));
    return {};
  }
  if (key == "findings") return text(options.findings);
  if (key == "profile") return text(options.profile);
  if (key == "profile_exact") return flag(options.profile_exact);
  if (key == "check") {
    std::vector<std::string> names;
    TRY(list(names));
    for (const std::string& name : names) {
      auto checker = find_checker(name);
      if (!checker) return bad(key, fmt::format("there is no checker `{}`", name));
      options.check.add(*checker);
    }
    return {};
  }
  if (key == "devices") {
    constexpr int kMost = 16;
    if (!value.is_number_integer() || value < 1 || value > kMost)
      return bad(key, fmt::format("expected a number from 1 to {}", kMost));
    options.devices = value;
    return {};
  }
  if (key == "verbosity") {
    if (!value.is_number_integer() || value < -1 || value > 1) return bad(key, "expected -1, 0 or 1");
    options.verbosity = value;
    return {};
  }
  if (key == "timeout") {
    if (!value.is_number() || value < 0) return bad(key, "expected seconds");
    options.timeout_seconds = value;
    return {};
  }
  if (key == "schedule") {
    std::string schedule;
    TRY(text(schedule));
    return read_schedule(schedule, options.schedule);
  }
  if (key == "engine")
    return read_choice(key, value, {std::pair{"jit", EngineKind::Jit}, {"interpreter", EngineKind::Interpreter}},
                       options.engine);
  if (key == "mode")
    return read_choice(key, value,
                       {std::pair{"automatic", ModeChoice::Automatic},
                        {"simt", ModeChoice::Simt},
                        {"independent", ModeChoice::Independent}},
                       options.mode);
  return bad(key, "there is no such option");
}

}  // namespace

Result<Options> parse_options(std::string_view text) {
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
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
