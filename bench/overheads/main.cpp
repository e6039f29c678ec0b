// bench_overheads: what a user waits for besides kernels (overheads.inc), each beside its target.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "overheads/overheads.h"

namespace warpwise::bench {

void give_up(const std::string& why) {
  fmt::print(stderr, "bench_overheads: {}\n", why);
  std::exit(2);
}

double median_of(std::vector<double> values) {
  auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

namespace {

int main(int argc, char** argv) {
  std::string json_file;
  bool checking = false;
  Programs programs{"warpwise", ""};
  CLI::App app("What surrounds kernels: launching, compiling, starting", "bench_overheads");
  app.add_option("--warpwise", programs.warpwise, "the command to measure (warpwise)");
  app.add_option("--json", json_file, "write the results there, too");
  app.add_flag("--check", checking, "exit with 1 when a target is missed");
  CLI11_PARSE(app, argc, argv);

  programs.folder = std::filesystem::temp_directory_path() / fmt::format("warpwise-bench-{}", getpid());
  std::filesystem::create_directories(programs.folder);
  bool missed = false;
  auto results = nlohmann::json::array();
  auto note = [&](const char* id, double value, const char* unit, double target, const char* what) {
    fmt::print("{:>9.2f} {}  (target {:g} {})  {}\n", value, unit, target, unit, what);
    std::fflush(stdout);
    results.push_back({{"id", id}, {"value", value}, {"unit", unit}, {"target", target}, {"what", what}});
    missed = missed || value > target;
  };
#define OVERHEAD(id, unit, target, function, what) note(#id, function, unit, target, what);
#include "overheads/overheads.inc"
#undef OVERHEAD
  std::filesystem::remove_all(programs.folder);

  if (!json_file.empty()) {
    std::ofstream file(json_file);
    file << results.dump(2) << '\n';
    if (!file.flush()) give_up("cannot write " + json_file);
  }
  return checking && missed ? 1 : 0;
}

}  // namespace
}  // namespace warpwise::bench

int main(int argc, char** argv) { return warpwise::bench::main(argc, argv); }
