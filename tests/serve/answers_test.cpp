// Answers about a recording: those of `warpwise view --json`, and the weave, whose sums are those of the steps.
#include "serve/answers.h"

#include <gtest/gtest.h>

#include <bit>
#include <nlohmann/json.hpp>

#include "trace/json.h"
#include "trace/made_file.h"
#include "trace/queries.h"

namespace warpwise::serve {
namespace {

using Json = nlohmann::json;
using trace::OverviewField;

constexpr uint64_t kSteps = 5000;

class Answers : public testing::Test {
 protected:
  Answers() : bytes_(trace::made_file(kSteps)), file_(trace::TraceFile::read(bytes_).value()) {}
  Response ask(std::string_view question, const Parameters& parameters = {}) {
    return answer_about(*file_, question, parameters);
  }
  Json json(std::string_view question, const Parameters& parameters = {}) {
    const Response response = ask(question, parameters);
    EXPECT_EQ(response.status, 200u) << response.body;
    return Json::parse(response.body, nullptr, false);
  }
  std::vector<uint32_t> weave(const Parameters& parameters) {
    const Response response = ask("weave", parameters);
    EXPECT_EQ(response.status, 200u) << response.body;
    std::vector<uint32_t> numbers(response.body.size() / 4);
    std::memcpy(numbers.data(), response.body.data(), numbers.size() * 4);
    return numbers;
  }
  std::string bytes_;
  std::unique_ptr<trace::TraceFile> file_;
};

// Of the weave's numbers: a row begins behind the head.
constexpr size_t kHead = 8, kPlanes = trace::kOverviewFields + 3;
uint64_t sum_of(const std::vector<uint32_t>& weave, size_t row, size_t plane) {
  const size_t columns = weave[4], at = kHead + row * (1 + kPlanes * columns) + 1 + plane * columns;
  uint64_t sum = 0;
  for (size_t n = 0; n < columns; ++n) sum += weave[at + n];
  return sum;
}

TEST_F(Answers, are_those_of_view) {
  trace::Queries queries(*file_);
  const trace::Recording& r = file_->recording();
  EXPECT_EQ(ask("summary").body, trace::to_json(queries.summary().value(), ""));
  EXPECT_EQ(ask("lines").body, trace::to_json(queries.lines().value(), r));
  EXPECT_EQ(ask("sources").body, trace::sources_answer(file_->sources().value()));
  EXPECT_EQ(ask("overview", {{"zoom", "4"}}).body, trace::to_json(queries.overview(4).value()));
  EXPECT_EQ(ask("step", {{"warp", "1"}, {"step", "41"}}).body, trace::to_json(queries.step(1, 41).value(), 1, r));
  EXPECT_EQ(ask("steps", {{"warp", "1"}, {"first", "40"}, {"count", "9"}}).body,
            trace::to_json(queries.steps(1, 40, 9).value(), 1, r));
  EXPECT_EQ(ask("next", {{"event", "barrier"}, {"warp", "0"}, {"step", "7"}}).body,
            trace::to_json(queries.next(trace::Event::Barrier, {0, 7}).value(), "barrier"));
  EXPECT_EQ(ask("next", {{"event", "barrier"}, {"warp", "1"}, {"step", "7"}, {"back", "1"}}).body,
            trace::to_json(queries.next(trace::Event::Barrier, {1, 7}, true).value(), "barrier"));
}

// Each load and store is of one array, and their sums are those of the lines.
TEST_F(Answers, have_what_is_moved_of_each_array) {
  bytes_ = trace::made_file(kSteps, [](trace::Recording& r) {
    r.memories.push_back({.base = 0x2000'0000'0000, .bytes = 1 << 16, .name = "", .argument = 0});
    r.shared.push_back({.name = "tile", .offset = 0, .bytes = 0});
  });
  file_ = trace::TraceFile::read(bytes_).value();
  const Json arrays = json("arrays")["arrays"];
  ASSERT_EQ(arrays.size(), 3u) << arrays;
  EXPECT_EQ(arrays[0]["argument"], 0);
  EXPECT_EQ(arrays[1]["name"], "tile");
  EXPECT_EQ(arrays[2]["bytes"], 0) << "what lies in no array that is known";
  uint64_t sectors = 0, wavefronts = 0, of_lines = 0, waves_of_lines = 0;
  for (const Json& one : arrays)
    for (const char* way : {"loads", "stores"})
      sectors += one[way]["sectors"].get<uint64_t>(), wavefronts += one[way]["wavefronts"].get<uint64_t>();
  const auto lines = trace::Queries(*file_).lines().value();
  for (const trace::LineSums& line : lines) of_lines += line.cost.sectors, waves_of_lines += line.cost.wavefronts;
  EXPECT_GT(arrays[0]["loads"]["sectors"].get<uint64_t>(), 0u);
  EXPECT_EQ(sectors, of_lines);
  EXPECT_EQ(wavefronts, waves_of_lines);
  EXPECT_GT(wavefronts, 0u);
}

TEST_F(Answers, are_bounded) {
  EXPECT_EQ(json("steps", {{"count", "99999999"}})["steps"].size(), 1024u);
  EXPECT_EQ(weave({{"columns", "18446744073709551615"}})[4], trace::Queries::kMostColumns);
  EXPECT_EQ(weave({{"first", "18446744073709551615"}, {"shift", "63"}, {"columns", "3"}})[4], 3u);
  EXPECT_EQ(json("overview", {{"zoom", "18446744073709551615"}})["zoom"], 63);
}

TEST_F(Answers, refuse_what_is_no_question) {
  const auto refused = [&](std::string_view question, const Parameters& parameters, unsigned status, const char* code) {
    const Response response = ask(question, parameters);
    EXPECT_EQ(response.status, status) << question;
    EXPECT_EQ(Json::parse(response.body)["error"]["code"], code) << response.body;
  };
  refused("everything", {}, 404, "W0005");
  refused("", {}, 404, "W0005");
  refused("step", {{"step", "-1"}}, 400, "W0005");
  refused("step", {{"step", "1e3"}}, 400, "W0005");
  refused("step", {{"step", "99999999999999999999999"}}, 400, "W0005");
  refused("step", {{"warp", "2"}}, 404, "V0008");
  refused("step", {{"warp", "0"}, {"step", "5000"}}, 404, "V0008");
  refused("next", {{"event", "joy"}}, 400, "W0005");
  refused("line", {{"lines", "1,,2"}}, 400, "W0005");
  refused("line", {}, 400, "W0005");
}

TEST_F(Answers, find_the_next_step_of_a_line) {
  const Json next = json("line", {{"lines", "7,1"}, {"warp", "0"}, {"step", "7"}});
  EXPECT_EQ(next["place"]["step"], 8);
  const Json around = json("line", {{"lines", "1"}, {"warp", "1"}, {"step", "4999"}});
  EXPECT_EQ(around["place"]["warp"], 0) << "behind the last step comes the first";
  EXPECT_EQ(around["place"]["step"], 0);
  EXPECT_TRUE(json("line", {{"lines", "9"}})["place"].is_null());
}

// The same sums whatever the window is, and those of the steps.
TEST_F(Answers, weave_the_sums_of_the_steps) {
  trace::Queries queries(*file_);
  uint64_t steps = 0, lanes = 0, sectors = 0;
  const auto lines = queries.lines().value();
  for (const trace::LineSums& line : lines) steps += line.steps, lanes += line.on_lanes, sectors += line.cost.sectors;
  ASSERT_EQ(steps, 2 * kSteps);
  for (const char* shift : {"3", "5", "9"}) {
    const auto numbers = weave({{"rows", "warps"}, {"shift", shift}, {"columns", "2000"}});
    EXPECT_EQ(numbers[0], 0x56414557u);
    ASSERT_EQ(numbers[3], 2u) << "rows";
    ASSERT_EQ(numbers[5], kPlanes);
    ASSERT_EQ(numbers.size(), kHead + 2 * (1 + kPlanes * numbers[4]));
    const auto both = [&](OverviewField f) { return sum_of(numbers, 0, size_t(f)) + sum_of(numbers, 1, size_t(f)); };
    EXPECT_EQ(both(OverviewField::Steps), steps) << shift;
    EXPECT_EQ(both(OverviewField::OnLanes), lanes) << shift;
    EXPECT_EQ(both(OverviewField::Sectors), sectors) << shift;
  }
}

TEST_F(Answers, weave_a_window_step_by_step) {
  const auto numbers = weave({{"rows", "warps"}, {"first", "100"}, {"shift", "0"}, {"columns", "10"}});
  EXPECT_EQ(numbers[2], 0u);
  EXPECT_EQ(numbers[6], 100u);
  const size_t columns = 10, row = kHead + 1 + kPlanes * columns;
  EXPECT_EQ(numbers[row], 1u) << "the second row is warp 1";
  trace::Queries queries(*file_);
  const auto views = queries.steps(1, 100, 10).value();
  const auto at = [&](size_t plane, size_t n) { return numbers[row + 1 + plane * columns + n]; };
  for (size_t n = 0; n < columns; ++n) {
    EXPECT_EQ(at(size_t(OverviewField::OnLanes), n), unsigned(std::popcount(views[n].placed.step.on)));
    EXPECT_EQ(at(size_t(OverviewField::Sectors), n), views[n].cost.sectors);
    EXPECT_EQ(at(trace::kOverviewFields + 1, n), views[n].placed.step.site);
  }
}

}  // namespace
}  // namespace warpwise::serve
