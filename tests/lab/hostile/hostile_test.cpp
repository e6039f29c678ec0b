// Submissions that do not want to solve their problem (kernels/*.cu, programs/*.cu): each gets the verdict that its
// first comment states, with the words that it must contain, and leaves nothing behind.
//
//     // verdict: forbidden
//     // says: /etc/passwd
//     // A file of the machine as source: its lines would come back as messages.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "base/sanitized.h"

namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(WARPWISE_SOURCE_DIR) / "tests/lab/hostile";

struct Judged {
  int exit_code = -1;
  std::string verdict, text;
};

// `words`: of `warpwise lab`.
Judged lab(const std::string& words) {
  const std::string command = "timeout " + std::to_string(100 * warpwise::kSlowdown) + " " WARPWISE_PROGRAM " lab " +
                              words + " --problems='" + (kFolder / "problems").string() + "' 2>&1 < /dev/null";
  Judged judged;
  FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return judged;
  char part[4096];
  while (size_t n = fread(part, 1, sizeof part, pipe)) judged.text.append(part, n);
  judged.exit_code = WEXITSTATUS(pclose(pipe));
  auto json = nlohmann::json::parse(judged.text, nullptr, /*allow_exceptions=*/false);
  if (json.is_object() && json.contains("verdict")) judged.verdict = json["verdict"];
  return judged;
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
  const Judged judged = submit(file.parent_path().filename() == "kernels" ? "kernels/add-ten" : "programs/add", file);
  EXPECT_EQ(judged.verdict, verdict) << judged.text.substr(0, 4000);
  EXPECT_EQ(judged.exit_code, verdict == "accepted" ? 0 : 1);
  EXPECT_NE(judged.text.find(says), judged.text.npos)
      << "it does not say `" << says << "`: " << judged.text.substr(0, 4000);
  EXPECT_EQ(judged.text.find("root:x:"), judged.text.npos) << "a line of /etc/passwd came out";
  EXPECT_EQ(judged.text.find("WARPWISE_PROBLEM("), judged.text.npos) << "a line of the reference came out";
  EXPECT_FALSE(fs::exists("/tmp/warpwise-hostile-was-here"));
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
