// What `warpwise bench` and `warpwise ladder` share: their options, and the way from versions of a computation to a
// table, files and an exit code.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "bench/measure/measure.h"
#include "cli/support/engine_options.h"
#include "cli/support/terminal.h"

namespace warpwise::cli {

class Measuring {
 public:
  void declare(CLI::App& app);
  // `command`: as it was typed, for reports.
  Result<int> run(const bench::Ladder& ladder, const std::vector<bench::Version>& versions, const std::string& command);
  // Whether all answers are right at the chosen shapes, on the virtual GPU; says which are not.
  Result<bool> answers_are_right(const bench::Ladder& ladder, const std::vector<bench::Version>& versions);
  // The shapes that --shape names; without it the small ones, or on a GPU the others.
  Result<std::vector<const bench::Shape*>> shapes(const bench::Ladder& ladder) const;
  Result<const device::Properties*> device() const { return engine_.device(); }
  Result<nlohmann::json> engine_json() const { return engine_.json(); }

 private:
  Result<bench::MeasureOptions> options();
  Result<void> write_reports(const bench::Measurement& measurement, const std::string& command) const;
  Result<int> against_baseline(const bench::Measurement& measurement, const std::string& baseline) const;
  Result<void> keep(const bench::Measurement& measurement, const std::string& command) const;

  CLI::App* app_ = nullptr;
  EngineOptions engine_;
  Progress progress_;
  std::vector<std::string> shapes_;
  std::string json_, html_, csv_, baseline_, save_, compiler_ = "auto";
  unsigned rounds_ = 30;
  double seconds_ = 3, confidence_ = 1;
  uint64_t seed_ = 0;
  bool warm_ = false, flush_ = false, quiet_ = false;
};

}  // namespace warpwise::cli
