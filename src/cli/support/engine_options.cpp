#include "cli/support/engine_options.h"

#include <fmt/format.h>

#include <cstdlib>

#include "base/json.h"
#include "cli/support/device_option.h"
#include "exec/option_rows.h"

namespace warpwise::cli {

namespace {

using exec::OptionKind;
using exec::OptionRow;

// `device` has a declaration of its own, which other commands share.
bool is_declared_here(const OptionRow& row) { return row.place == exec::OptionPlace::Programs && row.key != "device"; }

std::string option_of(const OptionRow& row) { return "--" + exec::flag_of(row); }

void check_values(CLI::Option& option, const exec::OptionValues& values) {
  if (values.kind == OptionKind::Seconds) option.check(CLI::NonNegativeNumber);
  if (values.kind == OptionKind::Count) option.check(CLI::TypeValidator<unsigned>());
  if (values.kind == OptionKind::Range) option.check(CLI::Range(values.least, values.most));
  if (values.kind != OptionKind::Choice) return;
  std::vector<std::string> words;
  for (const exec::OptionChoice& choice : values.choices) words.emplace_back(choice.word);
  option.check(CLI::IsMember(words));
}

// The variable as it was before this command.
Result<nlohmann::json> json_before() {
  const char* before = std::getenv(kOptionsVariable);
  nlohmann::json options = parse_json(before && *before ? before : "{}");
  if (!options.is_object()) return Error{"U0005", fmt::format("{} is not a JSON object", kOptionsVariable)};
  return options;
}

// The value that was given, as WARPWISE_OPTIONS has it.
Result<nlohmann::json> json_of(const OptionRow& row, const CLI::Option& option) {
  const std::string text = option.as<std::string>();
  switch (row.values.kind) {
    case OptionKind::Seconds:
      return nlohmann::json(option.as<double>());
    case OptionKind::Count:
      return nlohmann::json(option.as<unsigned>());
    case OptionKind::Range:
      return nlohmann::json(option.as<int>());
    case OptionKind::Choice:
      for (const exec::OptionChoice& choice : row.values.choices)
        if (choice.word == text) return nlohmann::json(choice.name);
      break;
    case OptionKind::Schedule:
      if (text != "in-order" && !text.starts_with("shuffle:"))
        return Error{"U0005", fmt::format("--schedule takes `in-order` or `shuffle:SEED`, not `{}`", text)};
      break;
    default:
      break;
  }
  return nlohmann::json(text);
}

}  // namespace

void EngineOptions::declare(CLI::App& app) {
  app_ = &app;
  declare_device(app, device_);
  for (const OptionRow& row : exec::kOptionRows) {
    if (!is_declared_here(row)) continue;
    const std::string help(row.help);
    CLI::Option* option = app.add_option(option_of(row), help)->type_name(std::string(row.placeholder));
    check_values(*option, row.values);
  }
}

Result<const device::Properties*> EngineOptions::device() const {
  const auto ordinal = TRY(gpu());
  if (!ordinal || (both_ && app_->count("--device"))) return chosen_device(device_);
  for (const OptionRow& row : exec::kOptionRows) {
    const std::string name = option_of(row);
    const CLI::Option* option = app_->get_option_no_throw(name);
    if (row.key != "on" && option && option->count() > 0 && !both_)
      return Error{"U0005", fmt::format("`{}` is for the virtual GPU, and --on asks for a real one", name)};
  }
  if (!gpu_) gpu_ = TRY(device::gpu::find(*ordinal));
  return &gpu_->properties;
}

Result<std::optional<unsigned>> EngineOptions::gpu() const {
  if (app_->count("--on")) return device::gpu::read_place(app_->get_option("--on")->as<std::string>());
  const nlohmann::json before = TRY(json_before());
  return device::gpu::read_place(before.value("on", nlohmann::json("")).is_string() ? before.value("on", "") : "?");
}

Result<void> EngineOptions::need_virtual(std::string_view command, std::string_view why) const {
  if (!TRY(gpu())) return {};
  return Error{"R0604", fmt::format("`{}` needs the virtual GPU: {}; leave --on=gpu out", command, why)};
}

Result<nlohmann::json> EngineOptions::json() const {
  nlohmann::json options = TRY(json_before());
  if (app_->count("--device")) options["device"] = TRY(device())->id;
  for (const OptionRow& row : exec::kOptionRows) {
    if (!is_declared_here(row) || app_->count(option_of(row)) == 0) continue;
    options[std::string(row.key)] = TRY(json_of(row, *app_->get_option(option_of(row))));
  }
  return options;
}

}  // namespace warpwise::cli
