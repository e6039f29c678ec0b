// The history of profiles as text and as JSON: which names there are, the runs of one, and how long each of its kernels
// has taken.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "perf/history/history.h"

namespace warpwise::perf {

// "▁▃█▅": a column for each value, scaled to the largest.
std::string columns_of(const std::vector<double>& values);

// `when` formats a time; `kernel`: only kernels whose name contains this, drawn run by run.
struct HistoryText {
  std::string (*when)(const std::string& at);
  std::string kernel;
  bool color = false;
};
std::string to_text(const std::vector<KeptName>& names, const HistoryText& options);
std::string to_text(std::string_view name, const std::vector<KeptRun>& runs, const HistoryText& options);

nlohmann::ordered_json to_json(const std::vector<KeptName>& names);
nlohmann::ordered_json to_json(std::string_view name, const std::vector<KeptRun>& runs, std::string_view kernel);

}  // namespace warpwise::perf
