// kill -9 at any moment: every attempt that was said to be kept is there, whole, and the database is sound.
#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <random>
#include <thread>

#include "lab/progress/progress.h"
#include "toolchain/files.h"

namespace warpwise::lab {
namespace {

constexpr int kRounds = 40;
// Several pages of the database, so that an attempt is many writes.
constexpr size_t kSourceBytes = 30000;

struct Written {
  int64_t id;
  uint64_t number;
};

std::string source_of(uint64_t number) {
  std::string source = "// " + std::to_string(number) + "\n";
  std::minstd_rand random(static_cast<unsigned>(number) + 1);
  while (source.size() < kSourceBytes) source += static_cast<char>('a' + random() % 26);
  return source;
}

// Adds attempts until it is killed, and says of each that it is kept.
[[noreturn]] void add_for_ever(const std::filesystem::path& file, uint64_t number, int to) {
  for (;;) {
    // Opened each time, as each command does: the first ones make the database.
    auto progress = Progress::open(file);
    if (!progress.ok()) _exit(1);
    for (int i = 0; i < 5; ++i, ++number) {
      Attempt attempt;
      attempt.problem = "puzzles/map", attempt.verdict = "race", attempt.file = "map.cu", attempt.judgement = "{}";
      attempt.source = source_of(number);
      attempt.seed = number;
      auto id = progress->add(std::move(attempt));
      if (!id.ok()) _exit(2);
      Written written{*id, number};
      if (write(to, &written, sizeof written) != sizeof written) _exit(3);
      (void)progress->note_look("puzzles/map", static_cast<unsigned>(number));
    }
  }
}

std::string integrity(const std::filesystem::path& file) {
  sqlite3* database = nullptr;
  std::string said = "it cannot be opened";
  if (sqlite3_open(file.c_str(), &database) == SQLITE_OK) {
    said.clear();
    sqlite3_exec(
        database, "PRAGMA integrity_check; PRAGMA foreign_key_check",
        [](void* to, int count, char** values, char**) {
          for (int i = 0; i < count; ++i) *static_cast<std::string*>(to) += values[i] ? values[i] : "null";
          return 0;
        },
        &said, nullptr);
  }
  sqlite3_close(database);
  return said;
}

TEST(ProgressKill, NothingIsLost) {
  auto folder = std::move(toolchain::TemporaryFolder::create(std::filesystem::temp_directory_path())).value();
  const std::filesystem::path file = folder.path() / "lab.sqlite";
  std::vector<Written> kept;
  std::mt19937 random(std::random_device{}());
  uint64_t number = 0;
  for (int round = 0; round < kRounds; ++round) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    // Two at once, as in two terminals.
    pid_t children[2];
    for (int i = 0; i < 2; ++i) {
      children[i] = fork();
      if (children[i] == 0) {
        close(ends[0]);
        add_for_ever(file, number + 1'000'000 * static_cast<uint64_t>(i), ends[1]);
      }
    }
    close(ends[1]);
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 30000));
    for (pid_t child : children) kill(child, SIGKILL);
    for (pid_t child : children) {
      int status = 0;
      waitpid(child, &status, 0);
      EXPECT_TRUE(WIFSIGNALED(status)) << "it ended by itself, with " << WEXITSTATUS(status);
    }
    for (Written written; read(ends[0], &written, sizeof written) == sizeof written;) kept.push_back(written);
    close(ends[0]);
    number += 1000;

    auto progress = Progress::open(file);
    ASSERT_TRUE(progress.ok()) << progress.error().message;
    EXPECT_EQ(integrity(file), "ok") << "after round " << round;
    auto all = progress->attempts("", 0, /*whole=*/true);
    ASSERT_TRUE(all.ok());
    // An attempt that was not reported yet may be there, too, but not in part.
    for (const Attempt& attempt : *all) ASSERT_EQ(attempt.source, source_of(attempt.seed));
    for (const Written& written : kept) {
      auto attempt = progress->attempt(written.id);
      ASSERT_TRUE(attempt.ok() && attempt->has_value())
          << "attempt " << written.id << " was kept, and is lost after round " << round;
      ASSERT_EQ((*attempt)->seed, written.number);
    }
    if (kept.size() > 300) kept.erase(kept.begin(), kept.end() - 300);
  }
  EXPECT_GT(kept.size(), 20u) << "the test has not had time to write";
}

// A database that is being made, or brought up to date, when the end comes.
TEST(ProgressKill, AHalfMadeDatabase) {
  auto folder = std::move(toolchain::TemporaryFolder::create(std::filesystem::temp_directory_path())).value();
  std::mt19937 random(std::random_device{}());
  for (int round = 0; round < kRounds; ++round) {
    const std::filesystem::path file = folder.path() / ("new" + std::to_string(round)) / "lab.sqlite";
    pid_t child = fork();
    if (child == 0) {
      (void)Progress::open(file);
      _exit(0);
    }
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 4000));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    auto progress = Progress::open(file);
    ASSERT_TRUE(progress.ok()) << progress.error().message;
    Attempt attempt;
    attempt.problem = "puzzles/map", attempt.verdict = "accepted", attempt.file = "map.cu", attempt.judgement = "{}",
    attempt.source = std::string("x");
    EXPECT_TRUE(progress->add(attempt).ok());
  }
}

}  // namespace
}  // namespace warpwise::lab
