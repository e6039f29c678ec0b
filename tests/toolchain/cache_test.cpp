#include "toolchain/cache.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "temporary.h"
#include "toolchain/cache_file.h"
#include "toolchain/hash.h"

namespace warpwise::toolchain {
namespace fs = std::filesystem;
namespace {

// A key in the shard of `digit`.
std::string key_in(char digit, int n) {
  std::string key = hash_of(std::to_string(n));
  key[0] = digit;
  return key;
}

fs::path file_of(const Cache& cache, const std::string& kind, const std::string& key) {
  return cache.root() / "v1" / key.substr(0, 1) / (key + "." + kind);
}

TEST(CacheFile, proves_key_and_content) {
  std::string key = hash_of("a"), file = encode_cache_file(key, "payload");
  EXPECT_EQ(decode_cache_file(key, file), "payload");
  EXPECT_EQ(decode_cache_file(key, encode_cache_file(key, "")), "");
  EXPECT_FALSE(decode_cache_file(hash_of("b"), file)) << "an entry under another name";
  for (size_t cut = 0; cut < file.size(); ++cut) EXPECT_FALSE(decode_cache_file(key, file.substr(0, cut))) << cut;
  for (size_t at = 0; at < file.size(); ++at) {
    std::string damaged = file;
    damaged[at] ^= 0x10;
    EXPECT_FALSE(decode_cache_file(key, damaged)) << "byte " << at;
  }
  EXPECT_FALSE(decode_cache_file(key, file + "x"));
}

// Folders that an installation has made already are found, by users whose own cache is empty or cannot be written, too,
// and are never changed.
TEST(Cache, finds_what_is_prepared) {
  TemporaryFolder folder = test_folder();
  const std::string key = hash_of("k"), other = hash_of("other");
  const fs::path prepared = folder.path() / "prepared";
  Cache maker(prepared);
  TemporaryFolder made = maker.scratch().value();
  put(made.path() / "reference.so", "code");
  const fs::path kept = maker.store_folder(key, made).value();
  const Cache user(folder.path() / "own", kDefaultCacheLimit, prepared);
  EXPECT_EQ(user.find_folder(key), kept);
  EXPECT_FALSE(user.find_folder(other));
  EXPECT_EQ(user.usage().programs, 0u) << "it is not the user's";
  EXPECT_EQ(Cache({}, kDefaultCacheLimit, prepared).find_folder(key), kept) << "a user without a home folder";
  EXPECT_FALSE(Cache(folder.path() / "own", 0, prepared).find_folder(key)) << "switched off";
  EXPECT_FALSE(Cache(folder.path() / "own").find_folder(key));
  put(kept / "reference.so", "evil");
  EXPECT_FALSE(user.find_folder(key)) << "it does not prove itself";
  EXPECT_TRUE(fs::exists(kept)) << "and is left as it is";
}

TEST(Cache, says_why_it_is_not_usable) {
  EXPECT_EQ(Cache(fs::path()).why_unusable(),
            "there is no home folder for the cache: HOME is not set, and the user has none");
  EXPECT_EQ(Cache("/tmp/x", 0).why_unusable(), "WARPWISE_CACHE_SIZE=0 switches the cache off");
  EXPECT_EQ(Cache("/proc/x").why_unusable(), "the cache `/proc/x` cannot be written");
}

TEST(Cache, gives_back_what_it_took) {
  TemporaryFolder folder = test_folder();
  Cache cache(folder.path() / "c");
  std::string key = hash_of("k"), bytes("\0machine code\xff", 14);
  EXPECT_FALSE(cache.load("code", key));
  EXPECT_TRUE(cache.store("code", key, bytes));
  EXPECT_EQ(cache.load("code", key), bytes);
  EXPECT_FALSE(cache.load("inputs", key)) << "kinds are apart";
  EXPECT_EQ(cache.usage().code, 1u);
  EXPECT_TRUE(cache.clear());
  EXPECT_FALSE(cache.load("code", key));
}

TEST(Cache, drops_damaged_entries) {
  TemporaryFolder folder = test_folder();
  Cache cache(folder.path());
  std::string key = hash_of("k");
  ASSERT_TRUE(cache.store("code", key, "good"));
  std::ofstream(file_of(cache, "code", key), std::ios::trunc) << "half";
  EXPECT_FALSE(cache.load("code", key));
  EXPECT_FALSE(fs::exists(file_of(cache, "code", key)));
}

TEST(Cache, keeps_names_inside) {
  TemporaryFolder folder = test_folder();
  Cache cache(folder.path() / "c");
  EXPECT_FALSE(cache.store("code", "../../escape", "x"));
  EXPECT_FALSE(cache.load("code", "../../escape"));
}

TEST(Cache, proves_every_file_of_a_folder) {
  TemporaryFolder folder = test_folder();
  Cache cache(folder.path());
  std::string key = hash_of("program");
  auto made = cache.scratch();
  ASSERT_TRUE(made.ok());
  put(made->path() / "program", "ELF");
  put(made->path() / "k.ptx", ".version 8.5");
  auto kept = cache.store_folder(key, *made);
  ASSERT_TRUE(kept);
  EXPECT_EQ(cache.find_folder(key), kept);
  EXPECT_EQ(cache.usage().programs, 1u);

  put(*kept / "k.ptx", ".version 8.4");
  EXPECT_FALSE(cache.find_folder(key)) << "changed";
  EXPECT_FALSE(fs::exists(*kept));
}

TEST(Cache, takes_the_folder_of_the_first_writer) {
  TemporaryFolder folder = test_folder();
  Cache cache(folder.path());
  std::string key = hash_of("program");
  for (int i = 0; i < 2; ++i) {
    auto made = cache.scratch();
    ASSERT_TRUE(made.ok());
    put(made->path() / "program", "ELF");
    EXPECT_TRUE(cache.store_folder(key, *made)) << i;
  }
  EXPECT_EQ(cache.usage().programs, 1u);
  EXPECT_TRUE(fs::is_empty(cache.root() / "v1/tmp"));
}

TEST(Cache, sweeps_what_crashes_left_behind) {
  TemporaryFolder folder = test_folder();
  Cache cache(folder.path());
  fs::path old = folder.path() / "v1/tmp/warpwise-old", young = folder.path() / "v1/tmp/warpwise-young";
  fs::create_directory(old);
  fs::create_directory(young);
  timespec then[2] = {{1'000'000, 0}, {1'000'000, 0}};
  utimensat(AT_FDCWD, old.c_str(), then, 0);
  auto made = cache.scratch();
  put(made->path() / "program", "ELF");
  ASSERT_TRUE(cache.store_folder(hash_of("program"), *made));
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(young)) << "another process may be at work there";
}

TEST(Cache, drops_what_was_used_longest_ago) {
  TemporaryFolder folder = test_folder();
  Cache cache(folder.path(), 16 * 10'000);  // 10,000 bytes a shard
  std::string kilobyte(1000, 'x');
  for (int i = 0; i < 8; ++i) {
    ASSERT_TRUE(cache.store("code", key_in('3', i), kilobyte));
    // Used an hour ago, the first longest ago.
    timespec then[2] = {{1'000'000 + i, 0}, {1'000'000 + i, 0}};
    utimensat(AT_FDCWD, file_of(cache, "code", key_in('3', i)).c_str(), then, 0);
  }
  EXPECT_TRUE(cache.load("code", key_in('3', 0))) << "used again: now the newest";
  for (int i = 8; i < 11; ++i) ASSERT_TRUE(cache.store("code", key_in('3', i), kilobyte));
  EXPECT_TRUE(cache.load("code", key_in('3', 0)));
  EXPECT_FALSE(cache.load("code", key_in('3', 1)));
  EXPECT_TRUE(cache.load("code", key_in('3', 10)));
  EXPECT_LE(cache.usage().bytes, 10'000u);
  EXPECT_FALSE(cache.store("code", key_in('3', 99), std::string(20'000, 'x'))) << "larger than a shard";
}

TEST(Cache, says_no_where_it_cannot_write) {
  Cache nowhere("/proc/warpwise");
  EXPECT_FALSE(nowhere.usable());
  EXPECT_FALSE(nowhere.store("code", hash_of("k"), "x"));
  EXPECT_FALSE(nowhere.load("code", hash_of("k")));
  EXPECT_FALSE(nowhere.scratch().ok());
  EXPECT_TRUE(nowhere.clear());
  TemporaryFolder folder = test_folder();
  EXPECT_FALSE(Cache(folder.path(), 0).usable()) << "size 0 switches it off";
}

TEST(Cache, is_shared_by_processes) {
  TemporaryFolder folder = test_folder();
  std::vector<pid_t> children;
  for (int child = 0; child < 4; ++child) {
    pid_t pid = fork();
    if (pid == 0) {
      Cache cache(folder.path(), 16 * 20'000);
      bool good = true;
      for (int i = 0; i < 200; ++i) {
        std::string key = key_in('5', i % 40), content(100 * (i % 40), char('a' + i % 26));
        content = std::string(100 * (i % 40), char('a' + (i % 40) % 26));
        if (auto got = cache.load("code", key)) good = good && *got == content;
        cache.store("code", key, content);
      }
      _exit(good ? 0 : 1);
    }
    children.push_back(pid);
  }
  for (pid_t pid : children) {
    int status = 0;
    waitpid(pid, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_LE(Cache(folder.path()).usage().bytes, 20'000u);
}

TEST(Cache, sizes) {
  EXPECT_EQ(parse_size("0"), 0u);
  EXPECT_EQ(parse_size("512"), 512u);
  EXPECT_EQ(parse_size("3K"), 3072u);
  EXPECT_EQ(parse_size("500M"), uint64_t{500} << 20);
  EXPECT_EQ(parse_size("4g"), uint64_t{4} << 30);
  EXPECT_FALSE(parse_size(""));
  EXPECT_FALSE(parse_size("2 GiB"));
  EXPECT_FALSE(parse_size("-1"));
  EXPECT_FALSE(parse_size("99999999999999999999G"));
}

}  // namespace
}  // namespace warpwise::toolchain
