// The table of a suite: for people, for pages, for programs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "verdict.h"

namespace warpwise::conformance {

struct Row {
  std::string name;
  Outcome outcome;
  double build_seconds = 0, run_seconds = 0, processor_seconds = 0;
  std::filesystem::path log;  // what the build and the program said; "" for a skipped one
};

std::string as_line(const Row& row);                    // while it runs
std::string as_summary(const std::vector<Row>& rows);   // "12 of 15 pass; 2 missing, 1 crash"
std::string as_markdown(const std::vector<Row>& rows);  // the worst first
std::string as_json(const std::vector<Row>& rows);

}  // namespace warpwise::conformance
