// The judge of a class, with shell scripts for submissions: whose turn it is, what is judged once, and whose runs are
// whose.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/sanitized.h"
#include "serve/lab/judge_runs.h"
#include "toolchain/files.h"

namespace warpwise::serve {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;

// The text of a submission is a shell script, and the program runs it.
constexpr const char* kProgram = "#!/bin/sh\nfor word; do file=\"$word\"; done\nwords=\"$*\"\n. \"$file\"\n";

class SharedJudge : public testing::Test {
 protected:
  SharedJudge() : folder_(toolchain::TemporaryFolder::create(fs::temp_directory_path()).value()) {
    const fs::path program = folder_.path() / "program";
    EXPECT_TRUE(toolchain::write_file(program, kProgram).ok());
    fs::permissions(program, fs::perms::owner_all);
    fs::create_directory(folder_.path() / "runs");
    Sharing sharing{.at_once = 1, .most_waiting = 3};
    sharing.judged = [this](const RunRequest& request, const std::string&) { judged_.push_back(request.person); };
    runs_ = JudgeRuns::create(context_, {program, "/problems", folder_.path() / "runs", sharing});
  }
  Json start(const std::string& script, int64_t person, RunKind kind = RunKind::Submit) {
    const RunRequest request{.page = "tab", .problem = "puzzles/map", .kind = kind, .text = script, .person = person};
    return Json::parse(runs_->start(request).body);
  }
  // Waits until the file is there, then has this verdict.
  std::string script(const std::string& name, const std::string& verdict = "race") {
    return "echo " + name + " >> " + path("order") + "; while [ ! -e " + path("go") +
           " ]; do sleep 0.01; done; echo '{\"judgement\":{\"verdict\":\"" + verdict + "\"}}'";
  }
  void go() { std::ofstream(path("go")).close(); }
  Json state_of(uint64_t run, int64_t person) {
    Json news{{"state", "waiting"}};
    const auto end = Clock::now() + kSlowdown * 10s;
    while ((news["state"] == "waiting" || news["state"] == "running") && Clock::now() < end) {
      std::optional<Response> answer;
      runs_->follow(run, news.value("next", 0), [&](Response response) { answer = std::move(response); }, person);
      while (!answer && Clock::now() < end) context_.restart(), context_.run_one_for(10ms);
      if (answer) news = Json::parse(answer->body);
      if (answer && answer->status != 200) return answer->status;
    }
    return news["state"];
  }
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  std::string order() const {
    const auto text = toolchain::read_file(path("order"));
    return text ? *text : "";
  }

  toolchain::TemporaryFolder folder_;
  boost::asio::io_context context_;
  std::vector<int64_t> judged_;
  std::unique_ptr<JudgeRuns> runs_;
};

TEST_F(SharedJudge, serves_the_person_who_was_served_longest_ago) {
  const uint64_t first = start(script("ada"), 1)["run"];
  const uint64_t again = start(script("ada-again"), 1)["run"];
  const Json bob = start(script("bob"), 2);
  EXPECT_EQ(bob["state"], "waiting");
  EXPECT_EQ(bob["ahead"], 1) << "the one that runs; ada's second comes later";
  go();
  EXPECT_EQ(state_of(first, 1), "done");
  EXPECT_EQ(state_of(again, 1), "done");
  EXPECT_EQ(state_of(bob["run"], 2), "done");
  EXPECT_EQ(order(), "ada\nbob\nada-again\n");
  EXPECT_EQ(judged_, (std::vector<int64_t>{1, 2, 1}));
}

TEST_F(SharedJudge, has_one_place_for_each_person) {
  start(script("ada"), 1);
  const uint64_t second = start(script("second"), 1)["run"], third = start(script("third"), 1)["run"];
  EXPECT_EQ(state_of(second, 1), "stopped") << "the third has taken its place";
  EXPECT_EQ(start(script("b"), 2)["state"], "waiting");
  EXPECT_EQ(start(script("c"), 3)["state"], "waiting");
  EXPECT_EQ(start(script("d"), 4)["error"]["code"], "W0007");
  EXPECT_EQ(runs_->length().waiting, 3u);
  EXPECT_EQ(runs_->now_of(2).second, "waiting");
  go();
  EXPECT_EQ(state_of(third, 1), "done");
}

TEST_F(SharedJudge, judges_equal_submissions_once) {
  const uint64_t ada = start(script("same"), 1)["run"], bob = start(script("same"), 2)["run"];
  go();
  EXPECT_EQ(state_of(bob, 2), "done");
  EXPECT_EQ(state_of(ada, 1), "done");
  const Json cat = start(script("same"), 3);
  EXPECT_EQ(cat["state"], "done");
  EXPECT_EQ(cat["events"].size(), 1u);
  EXPECT_EQ(order(), "same\n");
  EXPECT_EQ(judged_, (std::vector<int64_t>{1, 2, 3})) << "each has an attempt";
}

TEST_F(SharedJudge, judges_again_what_time_decides) {
  go();
  EXPECT_EQ(state_of(start(script("slow", "too-slow"), 1)["run"], 1), "done");
  EXPECT_EQ(state_of(start(script("slow", "too-slow"), 2)["run"], 2), "done");
  EXPECT_EQ(order(), "slow\nslow\n");
  // What did not come to a verdict is none for others.
  const uint64_t ada = start("echo x >> " + path("order") + "; exit 9", 1)["run"];
  EXPECT_EQ(state_of(ada, 1), "failed");
  EXPECT_EQ(state_of(start("echo x >> " + path("order") + "; exit 9", 2)["run"], 2), "failed");
  EXPECT_EQ(order(), "slow\nslow\nx\nx\n");
}

TEST_F(SharedJudge, tells_of_no_runs_of_others) {
  go();
  const uint64_t run = start("[ \"$2\" = trace ] && : > " + path("runs/run-1.wwt"), 1, RunKind::Trace)["run"];
  EXPECT_EQ(state_of(run, 2), 404);
  EXPECT_EQ(state_of(run, 0), 404);
  EXPECT_EQ(runs_->stop(run, 2).status, 404u);
  EXPECT_EQ(state_of(run, 1), "done");
  EXPECT_EQ(runs_->recording(run, 2).error().code, "W0006");
  EXPECT_TRUE(runs_->recording(run, 1).ok());
  EXPECT_EQ(runs_->run_of("puzzles/map", 1), 0u);
}

}  // namespace
}  // namespace warpwise::serve
