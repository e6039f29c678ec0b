// Progress: what is kept is there again, old databases are brought up to date, newer ones are left alone, two terminals
// get along.
#include "lab/progress/progress.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <thread>

#include "toolchain/files.h"

namespace warpwise::lab {
namespace {

Attempt attempt(const std::string& problem, const std::string& verdict, bool samples_only = false) {
  Attempt a;
  a.problem = problem, a.verdict = verdict, a.samples_only = samples_only;
  a.seed = 5, a.seconds = 0.25, a.file = "x.cu", a.source = "source of " + verdict, a.judgement = "{}";
  return a;
}

class ProgressFile : public testing::Test {
 protected:
  ProgressFile() : folder_(toolchain::TemporaryFolder::create(std::filesystem::temp_directory_path()).value()) {}
  std::filesystem::path file(const char* name = "deep/lab.sqlite") const { return folder_.path() / name; }
  Progress open() {
    auto progress = Progress::open(file());
    EXPECT_TRUE(progress.ok()) << (progress.ok() ? "" : progress.error().message);
    return *progress;
  }
  toolchain::TemporaryFolder folder_;
};

TEST_F(ProgressFile, keeps_attempts_with_their_sources) {
  EXPECT_GT(*open().add(attempt("puzzles/map", "race")), 0);
  const int64_t id = *open().add(attempt("puzzles/map", "accepted"));
  EXPECT_GT(*open().add(attempt("puzzles/zip", "accepted", true)), 0);
  auto attempts = *open().attempts("puzzles/map", 0, true);
  ASSERT_EQ(attempts.size(), 2u);
  EXPECT_EQ(attempts[0].id, id);  // the latest first
  EXPECT_EQ(attempts[0].verdict, "accepted");
  EXPECT_EQ(attempts[1].source, "source of race");
  EXPECT_EQ(attempts[1].seed, 5u);
  EXPECT_EQ(open().attempts("", 0)->size(), 3u);
  EXPECT_EQ(open().attempts("", 1)->size(), 1u);
  EXPECT_EQ((*open().attempt(id))->source, "source of accepted");
  EXPECT_FALSE(*open().attempt(1000));
}

TEST_F(ProgressFile, keeps_drafts_by_their_revisions) {
  EXPECT_FALSE(*open().draft("puzzles/map"));
  EXPECT_EQ(*open().keep_draft("puzzles/map", "one", 0), 1);
  EXPECT_EQ(*open().keep_draft("puzzles/zip", "another", 0), 1);
  EXPECT_EQ(*open().keep_draft("puzzles/map", "two", 1), 2);
  EXPECT_EQ(open().keep_draft("puzzles/map", "late", 1).error().code, "L0104");
  EXPECT_EQ(open().keep_draft("puzzles/map", "as if it were the first", 0).error().code, "L0104");
  const auto draft = *open().draft("puzzles/map");
  ASSERT_TRUE(draft);
  EXPECT_EQ(draft->text, "two");
  EXPECT_EQ(draft->revision, 2);
}

TEST_F(ProgressFile, knows_where_one_stands) {
  Progress progress = open();
  for (const char* verdict : {"race", "accepted", "race"})
    ASSERT_TRUE(progress.add(attempt("puzzles/map", verdict)).ok());
  ASSERT_TRUE(progress.add(attempt("puzzles/zip", "accepted", true)).ok());  // samples are no acceptance
  ASSERT_TRUE(progress.note_look("puzzles/zip", 2).ok());
  ASSERT_TRUE(progress.note_look("puzzles/zip", 2).ok());
  ASSERT_TRUE(progress.note_look("puzzles/zip", 0).ok());
  auto standings = *progress.standings();
  EXPECT_TRUE(standings["puzzles/map"].accepted);
  EXPECT_EQ(standings["puzzles/map"].attempts, 3u);
  EXPECT_EQ(standings["puzzles/map"].last_verdict, "race");
  EXPECT_FALSE(standings["puzzles/zip"].accepted);
  EXPECT_EQ(standings["puzzles/zip"].hints, 2u);
  EXPECT_TRUE(standings["puzzles/zip"].solution_seen);
}

TEST_F(ProgressFile, knows_the_fastest_attempt_of_each_device) {
  Progress progress = open();
  auto timed = [](double seconds, const char* device, const char* verdict = "accepted") {
    Attempt a = attempt("puzzles/map", verdict);
    a.modelled_seconds = seconds, a.device = device;
    return a;
  };
  ASSERT_TRUE(progress.add(attempt("puzzles/map", "accepted")).ok());
  EXPECT_FALSE(progress.fastest("puzzles/map", "h100").value());  // it has no time
  ASSERT_TRUE(progress.add(timed(3e-6, "h100")).ok());
  const int64_t best = *progress.add(timed(2e-6, "h100"));
  ASSERT_TRUE(progress.add(timed(2e-6, "h100")).ok());  // as fast, and later
  ASSERT_TRUE(progress.add(timed(1e-6, "a100")).ok());
  ASSERT_TRUE(progress.add(timed(1e-6, "h100", "race")).ok());
  const auto found = progress.fastest("puzzles/map", "h100").value();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->id, best);
  EXPECT_EQ(found->modelled_seconds, 2e-6);
  EXPECT_FALSE(progress.fastest("puzzles/zip", "h100").value());
  Progress other = *Progress::open(file("other.sqlite"));
  ASSERT_TRUE(other.import_json(*progress.export_json()).ok());
  EXPECT_EQ(other.fastest("puzzles/map", "a100").value()->modelled_seconds, 1e-6);
}

TEST_F(ProgressFile, goes_out_and_comes_in_again_once) {
  Progress progress = open();
  for (const char* verdict : {"race", "accepted"}) ASSERT_TRUE(progress.add(attempt("puzzles/map", verdict)).ok());
  ASSERT_TRUE(progress.note_look("puzzles/map", 1).ok());
  ASSERT_TRUE(progress.note_answer("indexing", 1, true).ok());
  const std::string text = *progress.export_json();
  EXPECT_EQ(*progress.import_json(text), 0u);
  Progress other = *Progress::open(file("other.sqlite"));
  EXPECT_EQ(*other.import_json(text), 2u);
  EXPECT_EQ(*other.import_json(text), 0u);
  EXPECT_EQ(*other.export_json(), text);
  EXPECT_EQ(other.right_answers()->at("indexing"), 1u);
  EXPECT_EQ(other.import_json("{}").error().code, "L0103");
  EXPECT_EQ(other.import_json("hello").error().code, "L0103");
}

TEST_F(ProgressFile, leaves_a_newer_database_alone) {
  (void)open();
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(file().c_str(), &database), SQLITE_OK);
  sqlite3_exec(database, "PRAGMA user_version = 999", nullptr, nullptr, nullptr);
  sqlite3_close(database);
  auto progress = Progress::open(file());
  ASSERT_FALSE(progress.ok());
  EXPECT_EQ(progress.error().code, "L0101");
  EXPECT_NE(progress.error().message.find("newer version"), std::string::npos);
}

TEST_F(ProgressFile, says_why_it_cannot_be_opened) {
  ASSERT_TRUE(toolchain::write_file(file("text"),
                                    "this is no database, and longer than the head of one: " + std::string(200, 'x'))
                  .ok());
  EXPECT_EQ(Progress::open(file("text")).error().code, "L0101");
  EXPECT_EQ(Progress::open(file("text/below")).error().code, "L0101");
}

TEST_F(ProgressFile, serves_two_terminals) {
  std::vector<std::thread> terminals;
  for (int t = 0; t < 2; ++t)
    terminals.emplace_back([this] {
      for (int i = 0; i < 20; ++i) EXPECT_TRUE(Progress::open(file())->add(attempt("puzzles/map", "race")).ok());
    });
  for (std::thread& t : terminals) t.join();
  EXPECT_EQ(open().attempts("", 0)->size(), 40u);
}

}  // namespace
}  // namespace warpwise::lab
