// bench_peers: the same kernels on Warpwise, on PoCL and as warps written by hand, side by side.
//
// For each kernel every competitor allocates and fills its buffers, runs once, and must give the right answer.
// Then they take turns, A B C A B C …, so that whatever the machine does besides hits all of them alike, and
// the median of each is the result. A ratio above 1 means that Warpwise is faster.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "peers/competitor.h"
#include "peers/machine.h"
#include "peers/measure.h"

namespace warpwise::bench {

void give_up(const std::string& why) {
  fmt::print(stderr, "bench_peers: {}\n", why);
  std::exit(2);
}

namespace {

using Json = nlohmann::json;

// What --check demands.
constexpr double kLeastMeanToPocl = 8, kLeastMeanToHand = 0.7, kLeastToPocl = 1;

struct Row {
  const char* name;
  Case (*make)();
};
constexpr Row kRows[] = {
#define CASE(name) {#name, make_##name},
#include "cases/cases.inc"
#undef CASE
};

struct Result {
  std::string kernel;
  Rate rate;
  double work;
  std::vector<Times> times;  // as competitors
};

using Competitors = std::vector<std::unique_ptr<Competitor>>;

Result compare(const Row& row, const Competitors& competitors, int rounds) {
  Case the_case = row.make();
  std::vector<std::unique_ptr<Prepared>> prepared;
  for (const auto& competitor : competitors) {
    prepared.push_back(competitor->prepare(row.name, the_case));
    prepared.back()->run();
    std::string problem = the_case.problem(prepared.back()->output());
    if (!problem.empty()) give_up(fmt::format("{} by {}: {}", row.name, competitor->name(), problem));
    prepared.back()->run();  // warm, also where the first run taught a scheduler how long blocks take
  }
  std::vector<std::vector<Times>> times(prepared.size());
  for (int round = 0; round < rounds; ++round)
    for (size_t i = 0; i < prepared.size(); ++i) times[i].push_back(time_once([&] { prepared[i]->run(); }));
  Result result{row.name, the_case.rate, the_case.work, {}};
  for (const auto& t : times) result.times.push_back(median(t));
  return result;
}

// Geometric mean over the kernels of (time of competitor i) / (time of Warpwise).
double mean_ratio(const std::vector<Result>& results, size_t i, double Times::* time) {
  double sum = 0;
  for (const Result& r : results) sum += std::log(r.times[i].*time / r.times[0].*time);
  return std::exp(sum / static_cast<double>(results.size()));
}

void print_head(const Competitors& competitors) {
  fmt::print("{:18}", "kernel");
  for (const auto& c : competitors) fmt::print("{:>14} ms", c->name());
  fmt::print("{:>10}", "rate");
  for (size_t i = 1; i < competitors.size(); ++i) fmt::print("{:>16}", fmt::format("× {}", competitors[i]->name()));
  fmt::print("   (by CPU time)\n");
}

void print(const Result& r) {
  fmt::print("{:18}", r.kernel);
  for (const Times& t : r.times) fmt::print("{:>17.3f}", t.wall_ms);
  fmt::print("{:>10.1f} {}", r.work / r.times[0].wall_ms * 1e-6, r.rate == Rate::Gflops ? "GFLOP/s" : "GB/s   ");
  for (size_t i = 1; i < r.times.size(); ++i)
    fmt::print("{:>8.2f} ({:.2f})", r.times[i].wall_ms / r.times[0].wall_ms, r.times[i].cpu_ms / r.times[0].cpu_ms);
  fmt::print("\n");
  std::fflush(stdout);
}

Json to_json(const std::vector<Result>& results, const Competitors& competitors, int rounds) {
  MachineDescription m = describe_machine();
  Json json;
  json["machine"] = {{"cpu", m.cpu}, {"cores", m.cores}, {"isa", m.isa}, {"load", m.load}};
  json["date"] = m.date;
  json["rounds"] = rounds;
  json["competitors"] = Json::array();
  for (const auto& c : competitors)
    json["competitors"].push_back({{"name", c->name()}, {"description", c->description()}});
  json["kernels"] = Json::array();
  for (const Result& r : results) {
    Json row = {{"name", r.kernel}, {"unit", r.rate == Rate::Gflops ? "GFLOP/s" : "GB/s"}, {"work", r.work}};
    for (size_t i = 0; i < competitors.size(); ++i)
      row["times"][competitors[i]->name()] = {{"wall_ms", r.times[i].wall_ms}, {"cpu_ms", r.times[i].cpu_ms}};
    json["kernels"].push_back(row);
  }
  for (size_t i = 1; i < competitors.size() && !results.empty(); ++i)
    json["means"][competitors[i]->name()] = {{"wall", mean_ratio(results, i, &Times::wall_ms)},
                                             {"cpu", mean_ratio(results, i, &Times::cpu_ms)}};
  return json;
}

// 0, or 1 after a line for each demand that is not met.
int check(const std::vector<Result>& results, const Competitors& competitors) {
  int status = 0;
  auto demand = [&](const std::string& what, double got, double least) {
    if (got >= least) return;
    fmt::print("NOT MET: {}: {:.2f}, wanted {}\n", what, got, least);
    status = 1;
  };
  for (size_t i = 1; i < competitors.size(); ++i) {
    bool pocl = competitors[i]->name() == "PoCL";
    demand(fmt::format("geometric mean to {}", competitors[i]->name()), mean_ratio(results, i, &Times::wall_ms),
           pocl ? kLeastMeanToPocl : kLeastMeanToHand);
    if (pocl)
      for (const Result& r : results)
        demand(fmt::format("{} to PoCL", r.kernel), r.times[i].wall_ms / r.times[0].wall_ms, kLeastToPocl);
  }
  return status;
}

int main(int argc, char** argv) {
  int rounds = 9;
  std::string json_file;
  std::vector<std::string> only;
  bool checking = false, alone = false;
  CLI::App app("Warpwise beside PoCL and warps written by hand", "bench_peers");
  app.add_option("--rounds", rounds, "how often each competitor runs each kernel (9)")->check(CLI::Range(1, 1000));
  app.add_option("--json", json_file, "write the results there, too");
  app.add_option("--only", only, "these kernels");
  app.add_flag("--alone", alone, "without competitors");
  app.add_flag("--check", checking, "exit with 1 when Warpwise is slower than promised");
  CLI11_PARSE(app, argc, argv);

  Competitors competitors;
  competitors.push_back(open_warpwise());
  for (auto* open : {open_pocl, open_hand_written})
    if (alone)
      break;
    else if (auto competitor = open())
      competitors.push_back(std::move(competitor));
  for (const auto& c : competitors) fmt::print("{}: {}\n", c->name(), c->description());

  std::vector<Result> results;
  print_head(competitors);
  for (const Row& row : kRows) {
    if (!only.empty() && std::find(only.begin(), only.end(), row.name) == only.end()) continue;
    results.push_back(compare(row, competitors, rounds));
    print(results.back());
  }
  if (results.empty()) give_up("no kernel of that name");
  for (size_t i = 1; i < competitors.size(); ++i)
    fmt::print("geometric mean to {}: {:.2f} ({:.2f} by CPU time)\n", competitors[i]->name(),
               mean_ratio(results, i, &Times::wall_ms), mean_ratio(results, i, &Times::cpu_ms));
  if (!json_file.empty()) {
    std::ofstream file(json_file);
    file << to_json(results, competitors, rounds).dump(2) << '\n';
    if (!file.flush()) give_up("cannot write " + json_file);
  }
  return checking ? check(results, competitors) : 0;
}

}  // namespace
}  // namespace warpwise::bench

int main(int argc, char** argv) { return warpwise::bench::main(argc, argv); }
