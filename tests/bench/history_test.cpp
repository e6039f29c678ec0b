// Measurements by name, and what is told of them.
#include "bench/history/history.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "bench/report/report.h"

namespace warpwise::bench {
namespace {

class HistoryTest : public ::testing::Test {
 protected:
  HistoryTest() : file_(std::filesystem::path(testing::TempDir()) / "benchmarks_test.sqlite") {
    std::filesystem::remove(file_);
    ladder_.name = "sums";
  }
  ~HistoryTest() override { std::filesystem::remove(file_); }

  Measurement measurement(const char* device, double seconds) const {
    Measurement m;
    m.ladder = &ladder_, m.device = device::find_device(device), m.place = "gpu:0";
    m.versions.resize(1);
    m.versions[0].name = "01_naive";
    ShapeResult& shape = m.shapes.emplace_back();
    shape.shape = &shape_;
    shape.cells.resize(1), shape.roofs.resize(1);
    shape.cells[0].verdict = Verdict::Right;
    shape.cells[0].seconds = {.median = seconds, .interval = {seconds, seconds}};
    return m;
  }
  int64_t add(History& history, const char* device, double seconds) const {
    const Measurement m = measurement(device, seconds);
    return history.add("main", m, to_json(m, {"0", "now", "bench"}).dump(), {"0123456789abcdef", true}).value();
  }

  const std::filesystem::path file_;
  Ladder ladder_;
  Shape shape_{.name = "4096"};
};

TEST_F(HistoryTest, keeps_measurements_by_name) {
  History history = History::open(file_).value();
  EXPECT_EQ(add(history, "h200", 2e-3), 1);
  EXPECT_EQ(add(history, "h200", 1e-3), 2);
  EXPECT_EQ(add(history, "a100", 5e-3), 3);
  const Measurement now = measurement("h200", 1.5e-3);
  const auto change = [&](const perf::RunName& which) {
    return compare_with(now, history.report(which, now).value()).value().at(0);
  };
  EXPECT_EQ(change({"main", {}}).before.median, 1e-3);  // the last on this device
  EXPECT_EQ(change({"main", {}}).difference, Difference::Slower);
  EXPECT_EQ(change({"main", 1}).before.median, 2e-3);
  EXPECT_EQ(change({"main", 1}).difference, Difference::Faster);
  EXPECT_EQ(compare_with(now, history.report({"main", 3}, now).value()).error().code, "B0009");
  EXPECT_EQ(history.report({"other", {}}, now).error().code, "B0011");
  EXPECT_EQ(history.report({"main", 4}, now).error().message, "there is no measurement 4 called `main`");
}

TEST_F(HistoryTest, is_told) {
  History history = History::open(file_).value();
  const auto when = [](const std::string&) { return std::string("just now"); };
  EXPECT_TRUE(to_text(history.names().value(), when).starts_with("No measurement has been saved yet"));
  add(history, "h200", 2e-3), add(history, "h200", 1e-3);
  const auto names = history.names().value();
  ASSERT_EQ(names.size(), 1u);
  EXPECT_EQ(names[0].measurements, 2);
  const std::string text = to_text(history.measurements("main").value(), when);
  EXPECT_NE(text.find("   @2  just now         01234567+  sums             gpu        NVIDIA H200\n"), text.npos)
      << text;
  EXPECT_NE(text.find("█▄    1.00 ms  -50 %     01_naive 4096, gpu, NVIDIA H200\n"), text.npos) << text;
  EXPECT_TRUE(history.measurements("other").value().empty());
}

}  // namespace
}  // namespace warpwise::bench
