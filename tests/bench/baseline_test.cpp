// What is said against an earlier measurement, and with which one nothing is said.
#include <gtest/gtest.h>

#include "base/json.h"
#include "bench/report/report.h"
#include "device/properties.h"

namespace warpwise::bench {
namespace {

struct Told {
  Ladder ladder;
  Shape shape;
  Measurement measurement;

  explicit Told(double seconds) {
    ladder.name = "counts", ladder.title = "Counts";
    shape.name = "large", shape.sizes = {{"n", 1000}};
    measurement.ladder = &ladder;
    measurement.device = &device::default_device();
    measurement.place = "gpu:0";
    measurement.versions.resize(1);
    measurement.versions[0].name = "01_naive";
    Cell cell;
    cell.verdict = Verdict::Right;
    cell.seconds = {seconds, {seconds * 0.99, seconds * 1.01}, true};
    measurement.shapes.push_back({&shape, {}, {{}}, {cell}});
  }
  std::string json() const { return dump_json(to_json(measurement, {}), 2); }
};

Difference difference(double now, double before) {
  const Told measured(now);
  auto changes = compare_with(measured.measurement, Told(before).json());
  EXPECT_TRUE(changes.ok());
  return changes.ok() && changes->size() == 1 ? changes->front().difference : Difference::None;
}
std::string refusal(const Told& before) {
  const Told now(1);
  auto changes = compare_with(now.measurement, before.json());
  return changes.ok() ? "" : changes.error().code + " " + changes.error().message;
}

TEST(Baseline, differences_are_those_of_intervals) {
  EXPECT_EQ(difference(1.0, 1.01), Difference::None);
  EXPECT_EQ(difference(1.0, 1.1), Difference::Faster);
  EXPECT_EQ(difference(1.1, 1.0), Difference::Slower);
}

TEST(Baseline, other_devices_and_places_are_refused) {
  EXPECT_EQ(refusal(Told(1)), "");
  Told other(1);
  other.measurement.device = device::find_device("a100");
  EXPECT_TRUE(refusal(other).starts_with("B0009 the baseline's device is")) << refusal(other);
  Told modelled(1);
  modelled.measurement.place = "modelled";
  EXPECT_EQ(refusal(modelled), "B0009 the baseline's place is `modelled`, and this one's `gpu`");
  Told warm(1);
  warm.measurement.warm = true;
  EXPECT_TRUE(refusal(warm).starts_with("B0009 the baseline's l2 is `warm`")) << refusal(warm);
}

TEST(Baseline, a_shape_of_another_size_is_another_shape) {
  Told other(1);
  other.shape.sizes["n"] = 2000;
  EXPECT_TRUE(refusal(other).starts_with("B0009 the baseline and this measurement have no version and shape"));
}

TEST(Baseline, what_is_no_measurement_is_refused) {
  const Told now(1);
  for (const char* text : {"", "{}", "[]", "{\"format\": 1}", "{\"format\": 2, \"shapes\": []}"})
    EXPECT_EQ(compare_with(now.measurement, text).error().code, "B0008") << text;
}

TEST(Baseline, values_of_other_types_are_as_good_as_missing) {
  const Told now(1);
  for (const char* shapes : {"{}", "3", "[3]", "[{\"name\": 3}]", "[{\"name\": \"large\", \"sizes\": {\"n\": 1000}}]",
                             "[{\"name\": \"large\", \"sizes\": {\"n\": 1000}, \"versions\": \"all\"}]",
                             "[{\"name\": \"large\", \"sizes\": {\"n\": 1000}, \"versions\": [{\"name\": \"01_naive\", "
                             "\"seconds\": \"1\", \"low\": 1, \"high\": 1}]}]"}) {
    nlohmann::json baseline = parse_json(Told(1).json());
    baseline["shapes"] = parse_json(shapes);
    auto changes = compare_with(now.measurement, dump_json(baseline));
    ASSERT_FALSE(changes.ok()) << shapes;
    EXPECT_EQ(changes.error().code, "B0009") << shapes;
  }
}

}  // namespace
}  // namespace warpwise::bench
