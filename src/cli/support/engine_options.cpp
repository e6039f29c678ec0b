#include "cli/support/engine_options.h"

#include <fmt/format.h>

#include <cstdlib>

#include "cli/support/device_option.h"

namespace warpwise::cli {

void EngineOptions::declare(CLI::App& app) {
  app_ = &app;
  declare_device(app, device_);
  app.add_option("--engine", engine_, "jit, or interpreter, which is slow and plain: the reference for jit")
      ->check(CLI::IsMember({"jit", "interpreter"}))
      ->type_name("NAME");
  app.add_option("--mode", mode_, "auto, simt (warps as vectors) or independent (each thread on its own)")
      ->check(CLI::IsMember({"auto", "simt", "independent"}))
      ->type_name("NAME");
  app.add_option("--schedule", schedule_, "in-order, or shuffle:SEED to run blocks in a different order, so that code relying on luck fails")
      ->type_name("ORDER");
  app.add_option("--timeout", timeout_, "end a kernel after that many seconds (0: never)")
      ->check(CLI::NonNegativeNumber)
      ->type_name("SECONDS");
  app.add_option("--devices", devices_, "how many such GPUs the program finds (1 to 16)")
      ->check(CLI::Range(1, 16))
      ->type_name("N");
  app.add_option("--threads", threads_, "host threads that run blocks (0: as many as there are)")->type_name("N");
}

Result<const device::Properties*> EngineOptions::device() const { return chosen_device(device_); }

Result<nlohmann::json> EngineOptions::json() const {
  const char* before = std::getenv(kOptionsVariable);
  nlohmann::json options =
      nlohmann::json::parse(before && *before ? before : "{}", nullptr, /*allow_exceptions=*/false);
  if (!options.is_object()) return Error{"U0005", fmt::format("{} is not a JSON object", kOptionsVariable)};
  if (app_->count("--device")) options["device"] = TRY(device())->id;
  if (!engine_.empty()) options["engine"] = engine_;
  if (!mode_.empty()) options["mode"] = mode_ == "auto" ? "automatic" : mode_;
  if (!schedule_.empty()) {
    if (schedule_ != "in-order" && !schedule_.starts_with("shuffle:"))
      return Error{"U0005", fmt::format("--schedule takes `in-order` or `shuffle:SEED`, not `{}`", schedule_)};
    options["schedule"] = schedule_;
  }
  if (app_->count("--timeout")) options["timeout"] = timeout_;
  if (app_->count("--devices")) options["devices"] = devices_;
  if (app_->count("--threads")) options["threads"] = threads_;
  return options;
}

}  // namespace warpwise::cli
