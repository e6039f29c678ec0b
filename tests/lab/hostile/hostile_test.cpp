// Submissions that do not want to solve their problem (kernels/*.cu, programs/*.cu). Each gets the verdict that its
// first comment states, with the words that it must contain. The judge answers within 10 s, or the seconds that the
// comment states, and within its memory. It leaves no file and no process behind, and its report, which is JSON here,
// has no control characters.
//
//     // verdict: forbidden
//     // says: /etc/passwd
//     // within: 20
//     // A file of the machine as source: its lines would come back as messages.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "base/sanitized.h"

namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(WARPWISE_SOURCE_DIR) / "tests/lab/hostile";

// What one process of the judge may have at most: the judging child, whose limit is the widest (judging_child.cpp), and
// what it gets further until that is seen.
constexpr int64_t kMostMemory = warpwise::kMemoryGrowth * (int64_t{7} << 29);
constexpr double kSeconds = 10;

struct Judged {
  int exit_code = -1;
  std::string verdict, text;
  double seconds = 0;
  double patience = 1;                 // the factor that the machine's other work allows
  int64_t most_memory = 0;             // of one process, in bytes
  std::vector<std::string> left_over;  // files in the folder for temporary files
  bool processes_left = false;
};

// The judge allows more time on a machine with other work, and so does this test.
double patience() {
  double load = 0;
  if (getloadavg(&load, 1) != 1) return warpwise::kSlowdown;
  return warpwise::kSlowdown * std::clamp(load / std::max(1u, std::thread::hardware_concurrency()), 1.0, 8.0);
}

// Whether a process that the judge started is still there: orphans become this process's children.
bool has_children() {
  for (int tries = 0; tries < 100; ++tries) {
    pid_t gone;
    while ((gone = waitpid(-1, nullptr, WNOHANG)) > 0) {
    }
    if (gone < 0) return false;
    usleep(20000);
  }
  return true;
}

// `words`: of `warpwise lab`.
Judged lab(const std::string& words) {
  Judged judged;
  char place[] = "/tmp/warpwise-hostile-temporary-XXXXXX";
  if (!mkdtemp(place)) return judged;
  const std::string command = "TMPDIR='" + std::string(place) + "' exec timeout " +
                              std::to_string(100 * warpwise::kSlowdown) + " " WARPWISE_PROGRAM " lab " + words +
                              " --problems='" + (kFolder / "problems").string() + "' 2>&1 < /dev/null";
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return judged;
  const double patience_before = patience();
  const auto start = std::chrono::steady_clock::now();
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], 1);
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(127);
  }
  close(ends[1]);
  char part[4096];
  for (ssize_t n; (n = read(ends[0], part, sizeof part)) > 0;) judged.text.append(part, static_cast<size_t>(n));
  close(ends[0]);
  int status = 0;
  rusage used{};
  wait4(child, &status, 0, &used);
  judged.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  judged.patience = std::max(patience_before, patience());
  judged.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  judged.most_memory = int64_t{used.ru_maxrss} << 10;
  judged.processes_left = has_children();
  for (const auto& entry : fs::directory_iterator(place)) judged.left_over.push_back(entry.path().string());
  fs::remove_all(place);
  auto json = nlohmann::json::parse(judged.text, nullptr, /*allow_exceptions=*/false);
  if (json.is_object() && json.contains("verdict")) judged.verdict = json["verdict"];
  return judged;
}

void expect_contained(const Judged& judged, double seconds = kSeconds) {
  EXPECT_LT(judged.seconds, seconds * judged.patience);
  EXPECT_LT(judged.most_memory, kMostMemory);
  EXPECT_EQ(judged.left_over, std::vector<std::string>());
  EXPECT_FALSE(judged.processes_left);
  for (const char* file : {"/tmp/warpwise-hostile-was-here", "/dev/mqueue/warpwise-hostile"})
    EXPECT_FALSE(fs::exists(file)) << file;
  EXPECT_TRUE(std::none_of(judged.text.begin(), judged.text.end(), [](char c) {
    return (static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t') || c == '\x7f';
  })) << judged.text.substr(0, 4000);
  testing::Test::RecordProperty("seconds", std::to_string(judged.seconds));
  testing::Test::RecordProperty("mebibytes", std::to_string(judged.most_memory >> 20));
}

Judged submit(const std::string& problem, const fs::path& file) {
  return lab("submit --json --seed=7 " + problem + " '" + file.string() + "'");
}

// What follows "// NAME: " in the first comment.
std::string stated(const std::string& source, const std::string& name) {
  const std::string mark = "// " + name + ": ";
  const size_t at = source.find(mark);
  if (at == source.npos) return "";
  const size_t from = at + mark.size();
  return source.substr(from, source.find('\n', from) - from);
}

std::vector<fs::path> sources() {
  std::vector<fs::path> found;
  for (const char* folder : {"kernels", "programs"})
    for (const auto& entry : fs::directory_iterator(kFolder / folder)) found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

class Hostile : public testing::TestWithParam<fs::path> {};

TEST_P(Hostile, IsNamed) {
  const fs::path& file = GetParam();
  std::ifstream in(file);
  const std::string source{std::istreambuf_iterator<char>(in), {}};
  const std::string verdict = stated(source, "verdict"), says = stated(source, "says");
  ASSERT_NE(verdict, "") << "the first comment states no verdict";
  const std::string not_sanitized = stated(source, "not under sanitizers");
  if (warpwise::kSlowdown > 1 && !not_sanitized.empty()) GTEST_SKIP() << not_sanitized;
  const Judged judged = submit(file.parent_path().filename() == "kernels" ? "kernels/add-ten" : "programs/add", file);
  EXPECT_EQ(judged.verdict, verdict) << judged.text.substr(0, 4000);
  EXPECT_EQ(judged.exit_code, verdict == "accepted" ? 0 : 1);
  EXPECT_NE(judged.text.find(says), judged.text.npos)
      << "it does not say `" << says << "`: " << judged.text.substr(0, 4000);
  EXPECT_EQ(judged.text.find("root:x:"), judged.text.npos) << "a line of /etc/passwd came out";
  EXPECT_EQ(judged.text.find("WARPWISE_PROBLEM("), judged.text.npos) << "a line of the reference came out";
  const std::string within = stated(source, "within");
  expect_contained(judged, within.empty() ? kSeconds : std::stod(within));
}

INSTANTIATE_TEST_SUITE_P(All, Hostile, testing::ValuesIn(sources()), [](const auto& info) {
  std::string name = info.param.parent_path().filename().string() + "_" + info.param.stem().string();
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
});

class HostileFiles : public testing::Test {
 protected:
  HostileFiles() {
    char place[] = "/tmp/warpwise-hostile-XXXXXX";
    folder_ = mkdtemp(place);
  }
  ~HostileFiles() override { fs::remove_all(folder_); }
  fs::path folder_;
};

TEST_F(HostileFiles, EightyMegabytesOfSource) {
  {
    std::ofstream out(folder_ / "large.cu");
    const std::string line(79, '/');
    for (int i = 0; i < 1 << 20; ++i) out << line << "\n";
  }
  const Judged judged = submit("kernels/add-ten", folder_ / "large.cu");
  EXPECT_EQ(judged.verdict, "forbidden") << judged.text.substr(0, 1000);
  EXPECT_LT(judged.text.size(), 10000u);
}

// A link to another person's work is handed in.
TEST_F(HostileFiles, LinksAreNoWorkOfOnesOwn) {
  for (const char* person : {"alice", "bob"}) fs::create_directory(folder_ / person);
  fs::copy_file(kFolder / "kernels/honest.cu", folder_ / "alice/add-ten.cu");
  fs::create_symlink("../alice/add-ten.cu", folder_ / "bob/add-ten.cu");
  const Judged judged = lab("grade --report=csv '" + folder_.string() + "'");
  EXPECT_NE(judged.text.find("alice"), judged.text.npos) << judged.text;
  EXPECT_NE(judged.text.find("accepted"), judged.text.npos) << judged.text;
  EXPECT_EQ(judged.text.find("bob"), judged.text.npos) << judged.text;
}

// Headers beside a source that a compiler would wait for, or read without end.
TEST_F(HostileFiles, HeadersThatAreNone) {
  ASSERT_EQ(mkfifo((folder_ / "pipe.h").c_str(), 0600), 0);
  fs::create_directory(folder_ / "folder.h");
  fs::create_symlink("/dev/zero", folder_ / "zero.h");
  fs::create_symlink("/etc/passwd", folder_ / "passwd.h");
  fs::create_symlink("itself.h", folder_ / "itself.h");
  std::ifstream honest(kFolder / "kernels/honest.cu");
  const std::string right{std::istreambuf_iterator<char>(honest), {}};
  for (const char* header : {"pipe.h", "folder.h", "zero.h", "passwd.h", "itself.h"}) {
    SCOPED_TRACE(header);
    // Once as the judge reads it in the source, and once as the preprocessor alone sees it.
    for (const std::string& line : {"#include \"" + std::string(header) + "\"\n",
                                    "#define HEADER \"" + std::string(header) + "\"\n#include HEADER\n",
                                    "#if __has_include(\"" + std::string(header) + "\")\n#error there\n#endif\n"}) {
      std::ofstream(folder_ / "source.cu") << line << right;
      const Judged judged = submit("kernels/add-ten", folder_ / "source.cu");
      EXPECT_TRUE(judged.verdict == "forbidden" || judged.verdict == "does-not-compile" ||
                  (judged.verdict == "accepted" && line.find("__has_include") != line.npos))
          << line << judged.text.substr(0, 1000);
      EXPECT_EQ(judged.text.find("root:x:"), judged.text.npos) << "a line of /etc/passwd came out";
      expect_contained(judged);
    }
  }
}

TEST_F(HostileFiles, SourcesThatAreNone) {
  ASSERT_EQ(mkfifo((folder_ / "pipe.cu").c_str(), 0600), 0);
  fs::create_directory(folder_ / "folder.cu");
  for (const fs::path& file :
       {folder_ / "pipe.cu", folder_ / "folder.cu", fs::path("/dev/zero"), folder_ / "nothing.cu"}) {
    const Judged judged = submit("kernels/add-ten", file);
    EXPECT_EQ(judged.exit_code, 3) << file << judged.text.substr(0, 1000);
    EXPECT_NE(judged.text.find("U0001"), judged.text.npos) << judged.text.substr(0, 1000);
  }
}

}  // namespace
