// Output files: what is replaced whole, and what is written into and never replaced.
#include "toolchain/files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "temporary.h"

namespace warpwise::toolchain {
namespace {

namespace fs = std::filesystem;

mode_t type_of(const fs::path& path) {
  struct stat info{};
  return lstat(path.c_str(), &info) == 0 ? info.st_mode & S_IFMT : 0;
}

mode_t permissions_of(const fs::path& path) {
  struct stat info{};
  return stat(path.c_str(), &info) == 0 ? info.st_mode & 07777 : 0;
}

size_t entries_of(const fs::path& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

TEST(WriteFile, replaces_regular_files_whole_and_keeps_their_mode) {
  TemporaryFolder folder = test_folder();
  const fs::path file = folder.path() / "report.json";
  put(file, "old");
  chmod(file.c_str(), 0640);
  const int reader = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  put(file, "new");
  char seen[4] = {};
  EXPECT_EQ(read(reader, seen, 3), 3);
  close(reader);
  EXPECT_STREQ(seen, "old") << "a reader that has it open keeps the old content";
  EXPECT_EQ(*read_file(file), "new");
  EXPECT_EQ(permissions_of(file), 0640u);
  EXPECT_EQ(entries_of(folder.path()), 1u) << "no temporary file is left";
}

TEST(ReadFile, refuses_what_may_have_no_end) {
  TemporaryFolder folder = test_folder();
  const fs::path pipe = folder.path() / "pipe", zero = folder.path() / "zero";
  const auto message = [](const fs::path& path) {
    auto text = read_file(path);
    return text.ok() ? "it was read" : text.error().code + std::string(" ") + text.error().message;
  };
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(message(pipe), "U0001 cannot read `" + pipe.string() + "`: it is a pipe, not a regular file")
      << "and it is not waited for";
  fs::create_symlink("/dev/zero", zero);
  EXPECT_EQ(message(zero), "U0001 cannot read `" + zero.string() + "`: it is a device, not a regular file");
  EXPECT_EQ(message(folder.path()),
            "U0001 cannot read `" + folder.path().string() + "`: it is a folder, not a regular file");
  EXPECT_EQ(message(folder.path() / "none"),
            "U0001 cannot read `" + (folder.path() / "none").string() + "`: No such file or directory");
}

TEST(ReadStream, reads_pipes_to_their_end_and_no_folder) {
  TemporaryFolder folder = test_folder();
  const fs::path pipe = folder.path() / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { put(pipe, std::string(200'000, 'x')); });
  auto text = read_stream(pipe);
  writer.join();
  ASSERT_TRUE(text.ok()) << text.error().message;
  EXPECT_EQ(text->size(), 200'000u);
  auto none = read_stream(folder.path());
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().message, "cannot read `" + folder.path().string() + "`: it is a folder");
}

TEST(WriteFile, gives_new_files_the_mode_of_the_umask) {
  TemporaryFolder folder = test_folder();
  const mode_t before = umask(027);
  put(folder.path() / "new", "x");
  umask(before);
  EXPECT_EQ(permissions_of(folder.path() / "new"), 0640u);
}

TEST(WriteFile, makes_missing_folders) {
  TemporaryFolder folder = test_folder();
  put(folder.path() / "ci/reports/k.json", "x");
  EXPECT_EQ(*read_file(folder.path() / "ci/reports/k.json"), "x");
  auto below_a_file = write_file(folder.path() / "ci/reports/k.json/further/x", "x");
  ASSERT_FALSE(below_a_file.ok());
  EXPECT_EQ(below_a_file.error().code, "U0002");
  EXPECT_FALSE(write_file(folder.path() / "ci", "x").ok()) << "a folder is no file";
}

TEST(WriteFile, goes_through_symbolic_links) {
  TemporaryFolder folder = test_folder();
  fs::create_directory(folder.path() / "real");
  put(folder.path() / "real/target", "old");
  fs::create_symlink("real/target", folder.path() / "link");
  fs::create_symlink(folder.path() / "link", folder.path() / "second");
  fs::create_symlink("real/later", folder.path() / "dangling");
  fs::create_symlink("loop", folder.path() / "loop");
  put(folder.path() / "second", "new");
  put(folder.path() / "dangling", "made");
  EXPECT_EQ(*read_file(folder.path() / "real/target"), "new");
  EXPECT_EQ(*read_file(folder.path() / "real/later"), "made");
  for (const char* link : {"link", "second", "dangling"}) EXPECT_EQ(type_of(folder.path() / link), S_IFLNK) << link;
  EXPECT_FALSE(write_file(folder.path() / "loop", "x").ok());
}

TEST(WriteFile, writes_into_pipes) {
  TemporaryFolder folder = test_folder();
  const fs::path fifo = folder.path() / "fifo";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  std::string got;
  std::thread reader([&] { std::getline(std::ifstream(fifo), got); });
  put(fifo, "through");
  reader.join();
  EXPECT_EQ(got, "through");
  EXPECT_EQ(type_of(fifo), S_IFIFO);
}

TEST(WriteFile, writes_to_open_descriptors_by_any_of_their_names) {
  TemporaryFolder folder = test_folder();
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  fs::create_symlink("/proc/self/fd/" + std::to_string(ends[1]), folder.path() / "link");
  put("/dev/fd/" + std::to_string(ends[1]), "a");
  put("/proc/self/fd/" + std::to_string(ends[1]), "b");
  put(folder.path() / "link", "c");
  close(ends[1]);
  char seen[8] = {};
  EXPECT_EQ(read(ends[0], seen, sizeof seen), 3);
  EXPECT_STREQ(seen, "abc");
  close(ends[0]);
  EXPECT_EQ(type_of(folder.path() / "link"), S_IFLNK);

  // A file that is open for appending, as in `--json=/dev/stdout >> log`.
  put(folder.path() / "log", "before ");
  const int log = open((folder.path() / "log").c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  put("/dev/fd/" + std::to_string(log), "after");
  close(log);
  EXPECT_EQ(*read_file(folder.path() / "log"), "before after");
}

// A device node of our own: never one of the machine's.
TEST(WriteFile, writes_into_devices) {
  TemporaryFolder folder = test_folder();
  const fs::path node = folder.path() / "sink", full = folder.path() / "full";
  if (mknod(node.c_str(), S_IFCHR | 0600, makedev(1, 3)) != 0 ||
      mknod(full.c_str(), S_IFCHR | 0600, makedev(1, 7)) != 0)
    GTEST_SKIP() << "device nodes take the right to make them";
  // In containers such nodes may exist and not be usable.
  const int usable = open(node.c_str(), O_WRONLY | O_CLOEXEC);
  if (usable < 0) GTEST_SKIP() << "device nodes cannot be opened in this folder";
  close(usable);
  put(node, "gone");
  EXPECT_EQ(type_of(node), S_IFCHR);
  auto refused = write_file(full, "x");
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("No space left"), std::string::npos) << refused.error().message;
  EXPECT_EQ(type_of(full), S_IFCHR);
}

}  // namespace
}  // namespace warpwise::toolchain
