// The options of commands that run programs: which device, which engine, in which order. They reach the engine in the
// program through an environment variable.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/result.h"
#include "device/gpu/gpu.h"
#include "device/properties.h"

namespace warpwise::cli {

constexpr const char* kOptionsVariable = "WARPWISE_OPTIONS";  // exec/options.h says what it holds

class EngineOptions {
 public:
  void declare(CLI::App& app);
  // The command uses both: options that shape the virtual GPU may stand beside --on=gpu, and device() is the one to
  // model, by its own figures unless --device names another.
  void allow_both() { both_ = true; }
  // The device: the one to model, or with --on=gpu the one that is there. U0005 when an option and --on=gpu contradict
  // each other; R0601 and R0602 when there is no GPU to run on.
  Result<const device::Properties*> device() const;
  // The number of the GPU that is to run the program; none: the virtual GPU.
  Result<std::optional<unsigned>> gpu() const;
  // R0604 with --on=gpu: `command` is no use there, and `why`.
  Result<void> need_virtual(std::string_view command, std::string_view why) const;
  // The value of the variable so far, with the options added.
  Result<nlohmann::json> json() const;

 private:
  CLI::App* app_ = nullptr;
  std::string device_;
  mutable std::unique_ptr<const device::gpu::Description> gpu_;  // owns what device() returns
  bool both_ = false;
};

}  // namespace warpwise::cli
