// The options of commands that run programs: which device, which engine, in which order. They reach the engine in the
// program through an environment variable.
#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "base/result.h"
#include "device/properties.h"

namespace warpwise::cli {

constexpr const char* kOptionsVariable = "WARPWISE_OPTIONS";  // exec/options.h says what it holds

class EngineOptions {
 public:
  void declare(CLI::App& app);
  Result<const device::Properties*> device() const;
  // The value of the variable so far, with the options added.
  Result<nlohmann::json> json() const;

 private:
  CLI::App* app_ = nullptr;
  std::string device_;
};

}  // namespace warpwise::cli
