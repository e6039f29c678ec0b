// What the page learns of the lab: the catalogue and the progress of the command line, and nothing beside them.
#include "serve/lab/lab_answers.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "lab/progress/progress.h"
#include "toolchain/files.h"

namespace warpwise::serve {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

class LabOfThePage : public testing::Test {
 protected:
  LabOfThePage()
      : folder_(toolchain::TemporaryFolder::create(fs::temp_directory_path()).value()),
        answers_(lab::Catalogue::open(WARPWISE_SOURCE_DIR "/problems").value()) {
    setenv("XDG_DATA_HOME", folder_.path().c_str(), 1);
  }
  Response ask(const std::string& method, const std::string& path, Parameters query = {},
               const std::string& body = "") {
    Request request{.method = method, .path = path, .query = std::move(query)};
    request.body = body;
    return answers_.answer(request);
  }
  Json get(const std::string& path, Parameters query = {}) {
    const Response response = ask("GET", path, std::move(query));
    EXPECT_EQ(response.status, 200u) << path << response.body;
    return Json::parse(response.body);
  }
  void solve(const std::string& problem, const std::string& verdict = "accepted") {
    lab::Attempt a;
    a.problem = problem, a.verdict = verdict, a.source = "the source", a.judgement = R"({"verdict": "x"})";
    ASSERT_TRUE(lab::Progress::open()->add(a).ok());
  }

  toolchain::TemporaryFolder folder_;
  const LabAnswers answers_;
};

TEST_F(LabOfThePage, has_a_map_with_progress) {
  Json map = get("/api/lab");
  EXPECT_EQ(map["solved"], 0);
  EXPECT_EQ(map["next"], "puzzles/map");
  const Json first = map["chapters"][0];
  EXPECT_EQ(first["id"], "indexing");
  EXPECT_TRUE(first["problems"][0]["open"].get<bool>());
  EXPECT_FALSE(first["problems"][1]["open"].get<bool>()) << "it builds on the first";
  size_t all = 0;
  for (const Json& chapter : map["chapters"]) all += chapter["problems"].size();
  EXPECT_EQ(all, map["of"]);

  solve("puzzles/map");
  solve("puzzles/zip", "race");
  map = get("/api/lab");
  EXPECT_EQ(map["solved"], 1);
  EXPECT_EQ(map["next"], "puzzles/zip");
  EXPECT_TRUE(map["chapters"][0]["problems"][0]["solved"].get<bool>());
  EXPECT_EQ(map["chapters"][0]["problems"][1]["last_verdict"], "race");
}

TEST_F(LabOfThePage, shows_a_problem_and_its_lesson_when_it_is_solved) {
  Json problem = get("/api/lab/problem", {{"name", "puzzles/map"}});
  EXPECT_EQ(problem["file"], "map.cu");
  EXPECT_NE(problem["statement"].get<std::string>().find("Add 10"), std::string::npos);
  EXPECT_NE(problem["starter"].get<std::string>().find("__global__ void map"), std::string::npos);
  EXPECT_EQ(problem["budgets"][0], "global reads of one thread: at most 1");
  EXPECT_TRUE(problem["cases"][0]["sample"].get<bool>());
  EXPECT_TRUE(problem["draft"].is_null());
  EXPECT_TRUE(problem["last"].is_null());
  EXPECT_EQ(problem["lesson"], "") << "not before it is solved";

  solve("puzzles/map");
  problem = get("/api/lab/problem", {{"name", "puzzles/map"}});
  EXPECT_NE(problem["lesson"], "");
  EXPECT_EQ(problem["attempts"].size(), 1u);
  EXPECT_EQ(problem["last"]["source"], "the source");
  EXPECT_EQ(problem["last"]["judgement"]["verdict"], "x");
  const Json attempt = get("/api/lab/attempt", {{"id", problem["attempts"][0]["id"].dump()}});
  EXPECT_EQ(attempt["source"], "the source");
}

TEST_F(LabOfThePage, shows_hints_one_by_one) {
  for (int n = 1; n <= 3; ++n) {
    const Json hint = Json::parse(ask("POST", "/api/lab/hint", {{"name", "puzzles/map"}}).body);
    EXPECT_EQ(hint["number"], n);
    EXPECT_EQ(get("/api/lab/problem", {{"name", "puzzles/map"}})["hints"]["seen"].size(), size_t(n));
  }
  EXPECT_EQ(ask("POST", "/api/lab/hint", {{"name", "puzzles/map"}}).status, 404u) << "there are three";
  EXPECT_EQ(lab::Progress::open()->standings()->at("puzzles/map").hints, 3u) << "the command line knows it";
}

TEST_F(LabOfThePage, keeps_drafts_and_loses_none) {
  const auto keep = [&](const Json& body) {
    return ask("POST", "/api/lab/draft", {{"name", "puzzles/map"}}, body.dump());
  };
  EXPECT_EQ(Json::parse(keep({{"text", "one"}, {"revision", 0}}).body)["revision"], 1);
  EXPECT_EQ(Json::parse(keep({{"text", "two"}, {"revision", 1}}).body)["revision"], 2);
  const Response late = keep({{"text", "of another tab"}, {"revision", 1}});
  EXPECT_EQ(late.status, 409u);
  EXPECT_EQ(Json::parse(late.body)["error"]["code"], "L0104");
  const Json draft = get("/api/lab/problem", {{"name", "puzzles/map"}})["draft"];
  EXPECT_EQ(draft["text"], "two");
  EXPECT_EQ(draft["revision"], 2);
  for (const Json& wrong :
       {Json("text"), Json{{"text", 7}, {"revision", 2}}, Json{{"text", "x"}}, Json{{"text", "x"}, {"revision", -1}},
        Json{{"text", std::string((1 << 20) + 1, 'x')}, {"revision", 2}}})
    EXPECT_EQ(keep(wrong).status, 400u);
  EXPECT_EQ(ask("POST", "/api/lab/draft", {{"name", "puzzles/map"}}, "no JSON").status, 400u);
}

TEST_F(LabOfThePage, has_no_other_problems_and_questions) {
  for (const char* name :
       {"map", "", "puzzles", "../problems/puzzles/map", "/etc", "puzzles/map/", "puzzles/../puzzles/map"})
    EXPECT_EQ(ask("GET", "/api/lab/problem", {{"name", name}}).status, 404u) << name;
  EXPECT_EQ(ask("GET", "/api/lab/problem").status, 400u);
  EXPECT_EQ(ask("GET", "/api/lab/attempt", {{"id", "7"}}).status, 404u);
  EXPECT_EQ(ask("GET", "/api/lab/attempt", {{"id", "7x"}}).status, 400u);
  EXPECT_EQ(ask("GET", "/api/lab/hint", {{"name", "puzzles/map"}}).status, 404u) << "a look that counts is no GET";
  EXPECT_EQ(ask("GET", "/api/lab/solution", {{"name", "puzzles/map"}}).status, 404u);
}

}  // namespace
}  // namespace warpwise::serve
