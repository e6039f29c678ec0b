// Submissions of the page, with a program in the place of `warpwise` that does what the test says: who runs, who waits,
// what is heard, and that nothing of it stays.
#include "serve/lab/judge_runs.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/sanitized.h"
#include "toolchain/files.h"

namespace warpwise::serve {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;

// The text of a submission is a shell script, and the program runs it: its words are "lab", the kind, options, the
// problem and the file.
constexpr const char* kProgram =
    "#!/bin/sh\nfor word; do file=\"$word\"; done\nwords=\"$*\"; export words\n. \"$file\"\n";

class Submissions : public testing::Test {
 protected:
  Submissions() : folder_(toolchain::TemporaryFolder::create(fs::temp_directory_path()).value()) {
    const fs::path program = folder_.path() / "program";
    EXPECT_TRUE(toolchain::write_file(program, kProgram).ok());
    fs::permissions(program, fs::perms::owner_all);
    fs::create_directory(folder_.path() / "runs");
    runs_ = JudgeRuns::create(context_, {program, "/problems", folder_.path() / "runs"});
  }

  Json start(const std::string& script, const std::string& page = "tab", RunKind kind = RunKind::Submit) {
    return Json::parse(runs_->start({.page = page, .problem = "puzzles/map", .kind = kind, .text = script}).body);
  }
  // Lets the server work until the answer is there.
  Response follow(uint64_t run, size_t from = 0) {
    std::optional<Response> answer;
    runs_->follow(run, from, [&](Response response) { answer = std::move(response); });
    work([&] { return answer.has_value(); });
    return answer.value_or(Response{.status = 0, .body = "null"});
  }
  void work(const std::function<bool()>& done) {
    const auto end = Clock::now() + kSlowdown * 10s;
    while (!done() && Clock::now() < end) context_.restart(), context_.run_one_for(10ms);
    EXPECT_TRUE(done()) << "nothing came";
  }
  Json followed_to_its_end(uint64_t run) {
    std::vector<Json> events;
    for (size_t from = 0;;) {
      Json news = Json::parse(follow(run, from).body);
      if (!news.is_object()) return news;
      for (const Json& event : news["events"]) events.push_back(event);
      from = news["next"];
      if (news["state"] == "waiting" || news["state"] == "running") continue;
      news["events"] = events;
      return news;
    }
  }
  std::string kept(const std::string& name) const {
    const auto text = toolchain::read_file(folder_.path() / name);
    return text ? *text : "";
  }
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }

  toolchain::TemporaryFolder folder_;
  boost::asio::io_context context_;
  std::unique_ptr<JudgeRuns> runs_;
};

TEST_F(Submissions, are_judged_by_the_command) {
  const Json begun = start("echo \"$words\" > " + path("words") + "; cp \"$file\" " + path("text") +
                           "; echo '{\"case\":\"one\"}'; echo nonsense; echo '[1]'; echo '{\"judgement\":{}}'; exit 1");
  EXPECT_EQ(begun["state"], "running");
  const Json end = followed_to_its_end(begun["run"]);
  EXPECT_EQ(end["state"], "done") << "refused is a verdict";
  ASSERT_EQ(end["events"].size(), 2u) << "what is no object is no event";
  EXPECT_EQ(end["events"][0]["case"], "one");
  EXPECT_EQ(end["problem"], "puzzles/map");
  EXPECT_EQ(kept("words"), "lab submit --events --problems=/problems puzzles/map " + path("runs/run-1/map.cu") + "\n");
  EXPECT_NE(kept("text").find("cp"), std::string::npos);
  EXPECT_TRUE(fs::is_empty(path("runs"))) << "its folder goes with it";
}

TEST_F(Submissions, tell_each_case_when_it_has_ended) {
  const uint64_t run = start("echo '{\"case\":\"first\"}'; while [ ! -e " + path("go") +
                             " ]; do sleep 0.02; done; echo '{\"case\":\"second\"}'")["run"];
  const Json first = Json::parse(follow(run).body);
  ASSERT_EQ(first["events"].size(), 1u);
  EXPECT_EQ(first["state"], "running");
  std::ofstream(path("go")).close();
  const Json second = Json::parse(follow(run, first["next"]).body);
  ASSERT_EQ(second["events"].size(), 1u);
  EXPECT_EQ(second["events"][0]["case"], "second");
}

TEST_F(Submissions, run_one_at_a_time_and_wait_one_a_page) {
  const uint64_t first = start("sleep 100")["run"];
  const Json second = start("echo '{\"case\":\"second\"}'");
  EXPECT_EQ(second["state"], "waiting");
  const Json third = start("echo '{\"case\":\"third\"}'");
  const Json other = start("echo '{\"case\":\"other\"}'", "another tab");
  EXPECT_EQ(Json::parse(follow(second["run"]).body)["state"], "stopped") << "the third has taken its place";
  EXPECT_EQ(runs_->run_of("puzzles/map"), other["run"]);
  runs_->stop(first);
  EXPECT_EQ(followed_to_its_end(first)["state"], "stopped");
  EXPECT_EQ(followed_to_its_end(third["run"])["events"][0]["case"], "third");
  EXPECT_EQ(followed_to_its_end(other["run"])["events"][0]["case"], "other");
  EXPECT_EQ(runs_->run_of("puzzles/map"), 0u);
}

TEST_F(Submissions, of_too_many_pages_are_refused) {
  start("sleep 100");
  for (int n = 0; n < 8; ++n) EXPECT_EQ(start("true", "tab " + std::to_string(n))["state"], "waiting");
  const Response refused = runs_->start({.page = "one more", .problem = "puzzles/map", .text = "true"});
  EXPECT_EQ(refused.status, 503u);
  EXPECT_EQ(Json::parse(refused.body)["error"]["code"], "W0007");
}

TEST_F(Submissions, end_with_all_that_they_started) {
  const uint64_t run =
      start("sleep 1000 & echo $! > " + path("pid") + "; echo '{\"case\":\"begun\"}'; sleep 1000")["run"];
  follow(run);
  const pid_t child = pid_t(std::stol(kept("pid")));
  ASSERT_EQ(kill(child, 0), 0);
  runs_.reset();  // as at the end of the server
  for (int n = 0; n < 200 && kill(child, 0) == 0; ++n) {
    const auto state = toolchain::read_file("/proc/" + std::to_string(child) + "/stat");
    if (state && state->find(") Z") != state->npos) return;  // dead; whose child it is now collects it
    std::this_thread::sleep_for(10ms);
  }
  EXPECT_NE(kill(child, 0), 0) << "a process is left behind";
}

TEST_F(Submissions, that_flood_are_ended) {
  const Json end = followed_to_its_end(start("while true; do echo '{\"case\":\"x\"}'; done")["run"]);
  EXPECT_EQ(end["state"], "failed");
  EXPECT_LE(end["events"].size(), 1024u);
  const Json long_line =
      followed_to_its_end(start("while true; do echo -n aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; done")["run"]);
  EXPECT_EQ(long_line["state"], "failed");
}

TEST_F(Submissions, that_cannot_be_judged_say_why) {
  const Json end = followed_to_its_end(start("echo 'L0009: the judge failed' >&2; exit 3")["run"]);
  EXPECT_EQ(end["state"], "failed");
  EXPECT_EQ(end["said"], "L0009: the judge failed\n");
  EXPECT_EQ(follow(99).status, 404u);
}

TEST_F(Submissions, leave_recordings) {
  const Json begun = start("echo \"$words\" > " + path("words") + "; echo recorded > " + path("runs/run-1.wwt"), "tab",
                           RunKind::Trace);
  EXPECT_EQ(runs_->recording(begun["run"]).error().code, "W0006") << "not yet";
  EXPECT_EQ(followed_to_its_end(begun["run"])["state"], "done");
  EXPECT_TRUE(runs_->recording(begun["run"]).ok());
  EXPECT_NE(kept("words").find("lab trace -o " + path("runs/run-1.wwt")), std::string::npos) << kept("words");
  const uint64_t none = start("true", "tab", RunKind::Trace)["run"];
  EXPECT_EQ(followed_to_its_end(none)["state"], "failed") << "there is no file";
  EXPECT_EQ(runs_->recording(none).error().code, "W0006");
  EXPECT_EQ(runs_->recording(99).error().code, "W0006");
}

}  // namespace
}  // namespace warpwise::serve
