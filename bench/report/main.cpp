// bench_report PEERS.json OVERHEADS.json MATRIX.json...: the results as the page docs/performance.md, on standard
// output.
#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace {

using Json = nlohmann::json;

Json read(const char* name) {
  std::ifstream file(name);
  Json json = Json::parse(file, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) {
    fmt::print(stderr, "bench_report: {} is not JSON\n", name);
    std::exit(2);
  }
  return json;
}

double wall(const Json& kernel, const std::string& name) { return kernel["times"][name]["wall_ms"]; }
double cpu(const Json& kernel, const std::string& name) { return kernel["times"][name]["cpu_ms"]; }

void write_machine(const Json& peers) {
  const Json& m = peers["machine"];
  fmt::print("Measured on {} on {}, {} cores, {}; two host threads for each competitor.\n\n",
             peers["date"].get<std::string>(), m["cpu"].get<std::string>(), m["cores"].get<int>(),
             m["isa"].get<std::string>());
  for (const Json& c : peers["competitors"])
    fmt::print("- **{}**: {}\n", c["name"].get<std::string>(), c["description"].get<std::string>());
  fmt::print("\n");
  constexpr double kBusy = 2.5;  // our own two threads, and nothing much besides
  if (m["load"].get<double>() > kBusy)
    fmt::print("The machine was busy with other work (load {:.1f}): compare columns, not machines.\n\n",
               m["load"].get<double>());
}

void write_kernels(const Json& peers) {
  std::vector<std::string> others;
  for (const Json& c : peers["competitors"])
    if (c["name"] != "Warpwise") others.push_back(c["name"]);
  fmt::print("| kernel | Warpwise | rate |");
  for (const auto& other : others) fmt::print(" {} | Warpwise / {} | by CPU time |", other, other);
  fmt::print("\n|---|---:|---:|");
  for (size_t i = 0; i < others.size(); ++i) fmt::print("---:|---:|---:|");
  fmt::print("\n");
  for (const Json& k : peers["kernels"]) {
    double own = wall(k, "Warpwise");
    fmt::print("| `{}` | {:.2f} ms | {:.1f} {} |", k["name"].get<std::string>(), own,
               k["work"].get<double>() / own * 1e-6, k["unit"].get<std::string>());
    for (const auto& other : others)
      fmt::print(" {:.2f} ms | {:.2f} | {:.2f} |", wall(k, other), wall(k, other) / own,
                 cpu(k, other) / cpu(k, "Warpwise"));
    fmt::print("\n");
  }
  fmt::print("| geometric mean | | |");
  for (const auto& other : others)
    fmt::print(" | **{:.2f}** | {:.2f} |", peers["means"][other]["wall"].get<double>(),
               peers["means"][other]["cpu"].get<double>());
  fmt::print("\n\n");
}

void write_overheads(const Json& overheads) {
  fmt::print("| | measured | target |\n|---|---:|---:|\n");
  for (const Json& o : overheads)
    fmt::print("| {} | {:.1f} {} | {:g} {} |\n", o["what"].get<std::string>(), o["value"].get<double>(),
               o["unit"].get<std::string>(), o["target"].get<double>(), o["unit"].get<std::string>());
}

void write_matrix(const std::vector<Json>& files) {
  fmt::print("| | rate | beside the host's best | target |\n|---|---:|---:|---:|\n");
  for (const Json& file : files)
    for (const Json& row : file) {
      const double value = row["value"], host = row["host_value"], target = row["target"];
      fmt::print("| {} | {:.1f} {} |", row["what"].get<std::string>(), value, row["unit"].get<std::string>());
      if (host > 0)
        fmt::print(" {:.2f} of {} |", value / host, row["host"].get<std::string>());
      else
        fmt::print(" |");
      if (target > 0)
        fmt::print(" {:g} |\n", target);
      else
        fmt::print(" |\n");
    }
  fmt::print("\n");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    fmt::print(stderr, "usage: bench_report PEERS.json OVERHEADS.json MATRIX.json...\n");
    return 2;
  }
  std::vector<Json> matrix;
  for (int k = 3; k < argc; ++k) matrix.push_back(read(argv[k]));
  Json peers = read(argv[1]), overheads = read(argv[2]);
  fmt::print("# Performance\n\n<!-- Written by bench/run --publish. Do not edit. -->\n\n");
  write_machine(peers);
  fmt::print(
      "## Kernels\n\n"
      "Times are medians of {} rounds in which the competitors take turns, launch and wait included; every answer was\n"
      "checked against plain C++ first. A ratio above 1 means that Warpwise is faster. *By hand* is the same kernel as "
      "a\n"
      "warp of 32 lanes in AVX-512 intrinsics, block after block ([bench/hand](../bench/hand/warp.h)): the most that\n"
      "Warpwise's way of compiling can hope for. [bench/README.md](../bench/README.md) says how to measure.\n\n",
      peers["rounds"].get<int>());
  write_kernels(peers);
  fmt::print(
      "## Products, copies, sorts\n\n"
      "Rates per second of CPU time. Tensor cores round as the device's do, bit by bit, unless the fast mode is asked "
      "for\n"
      "([docs/tensor_cores.md](tensor_cores.md)). The host's best: OpenBLAS's single-precision product, "
      "`std::sort`.\n\n");
  write_matrix(matrix);
  fmt::print("## Around the kernels\n\n");
  write_overheads(overheads);
  return 0;
}
