// What a hostile program tries (attempts.cpp) inside the sandbox, with namespaces and on a machine that has none, and
// what the sandbox says of it.
#include "lab/sandbox/sandbox.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "lab/sandbox/call_filter.h"
#include "lab/sandbox/confine_self.h"

namespace warpwise::lab::sandbox {
namespace {

namespace fs = std::filesystem;

class Sandbox : public testing::TestWithParam<Isolation> {
 protected:
  void SetUp() override {
    char place[] = "/tmp/warpwise-sandbox-XXXXXX";
    base_ = mkdtemp(place);
    fs::create_directory(base_ / "own");
    std::ofstream(base_ / "secret") << "the expected results";
  }
  void TearDown() override { fs::remove_all(base_); }

  Job job(std::vector<std::string> attempt) {
    Job job;
    job.command = {WARPWISE_ATTEMPTS};
    job.command.insert(job.command.end(), attempt.begin(), attempt.end());
    job.folder = (base_ / "own").string();
    job.readable = system_folders();
    job.readable.push_back(WARPWISE_ATTEMPTS);
    job.writable = {job.folder};
    job.isolation = GetParam();
    job.limits.wall_seconds = 20;
    job.limits.processor_seconds = 10;
    job.limits.memory_bytes = 192 << 20;
    job.limits.file_bytes = 16 << 20;
    job.limits.folder_bytes = 32 << 20;
    job.limits.files = 200;
    job.limits.tasks = 8;
    return job;
  }
  Outcome run_one(const Job& job) {
    auto outcome = run(job);
    EXPECT_TRUE(outcome.ok()) << outcome.error().message;
    return outcome.ok() ? outcome.value() : Outcome{};
  }
  Outcome attempt(std::vector<std::string> words) { return run_one(job(std::move(words))); }
  std::string secret() const { return (base_ / "secret").string(); }
  // The attempt went on after it was refused, and we know what it tried.
  void expect_refused(std::vector<std::string> words, const std::string& named) {
    Outcome outcome = attempt(words);
    EXPECT_EQ(outcome.sentence(), "exit code 1") << words[0];
    bool found = false;
    for (const std::string& what : outcome.refused) found |= what.find(named) != std::string::npos;
    EXPECT_TRUE(found || named.empty()) << words[0] << ": nothing refused is called " << named;
  }
  void expect_forbidden(const std::string& word, const std::string& call) {
    Outcome outcome = attempt({word});
    EXPECT_EQ(outcome.end, End::ForbiddenCall) << word << ": " << outcome.sentence();
    EXPECT_NE(outcome.what.find(call), std::string::npos) << word << ": " << outcome.what;
  }

  fs::path base_;
};

INSTANTIATE_TEST_SUITE_P(Walls, Sandbox, testing::Values(Isolation::Best, Isolation::NoNamespaces),
                         [](const auto& info) {
                           return info.param == Isolation::Best ? "Namespaces" : "NoNamespaces";
                         });

TEST_P(Sandbox, HonestProgramsRun) {
  Outcome well = attempt({"well"});
  EXPECT_TRUE(well.ok()) << well.sentence();
  EXPECT_EQ(well.output, "well\n");
  EXPECT_TRUE(well.refused.empty()) << well.refused[0];
  EXPECT_EQ(attempt({"code", "7"}).sentence(), "exit code 7");
  EXPECT_TRUE(attempt({"threads"}).ok());
  EXPECT_TRUE(attempt({"own-file"}).ok());
  EXPECT_TRUE(attempt({"reserve"}).ok()) << "addresses that are reserved are no memory";
}

TEST_P(Sandbox, CrashesAreToldApart) {
  EXPECT_EQ(attempt({"abort"}).code, SIGABRT);
  Outcome outcome = attempt({"segfault"});
  EXPECT_EQ(outcome.end, End::Signalled);
  EXPECT_EQ(outcome.code, SIGSEGV);
}

TEST_P(Sandbox, NothingIsInherited) {
  setenv("WARPWISE_SECRET", "1", 1);
  Job printing = job({"print-environment"});
  printing.environment = {"ONE=1"};
  EXPECT_EQ(run_one(printing).output, "ONE=1\n");
}

// A folder, the same by a link and through a link above it, a file in it once more, and one that is not there: all
// names lead to what they name, and to nothing beside it.
TEST_P(Sandbox, EachNameOfAFolderIsReadable) {
  fs::create_directories(base_ / "real/folder");
  std::ofstream(base_ / "real/folder/text") << "found";
  fs::create_directory_symlink(base_ / "real/folder", base_ / "link");
  fs::create_directory_symlink(base_ / "real", base_ / "above");
  Job reading = job({});
  for (const char* name : {"real/folder", "link", "above/folder", "real/folder/text", "missing"})
    reading.readable.push_back(base_ / name);
  for (const char* name : {"real/folder/text", "link/text", "above/folder/text"}) {
    reading.command = {"/bin/cat", base_ / name};
    const Outcome outcome = run_one(reading);
    EXPECT_EQ(outcome.output, "found") << name << ": " << outcome.sentence() << outcome.errors;
  }
  reading.command = {"/bin/cat", secret()};
  EXPECT_EQ(run_one(reading).output, "");
}

TEST_P(Sandbox, DescriptorsAreHandedOn) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  Job writing = job({"inherited", std::to_string(ends[1])});
  writing.descriptors = {ends[1]};
  EXPECT_TRUE(run_one(writing).ok());
  char text[8] = {};
  EXPECT_EQ(read(ends[0], text, sizeof text), 5);
  Job without = job({"inherited", std::to_string(ends[1])});
  EXPECT_FALSE(run_one(without).ok()) << "not named, and open all the same";
  close(ends[0]), close(ends[1]);
}

TEST_P(Sandbox, Time) {
  Job sleeping = job({"sleep"});
  sleeping.limits.wall_seconds = 0.2;
  Outcome outcome = run_one(sleeping);
  EXPECT_EQ(outcome.end, End::OutOfTime);
  EXPECT_LT(outcome.wall_seconds, 5);
  for (const char* word : {"spin", "spin-in-threads"}) {
    Job spinning = job({word});
    spinning.limits.processor_seconds = 0.3;
    EXPECT_EQ(run_one(spinning).end, End::OutOfProcessorTime) << word;
  }
}

TEST_P(Sandbox, Memory) {
  Outcome outcome = attempt({"allocate"});
  EXPECT_EQ(outcome.end, End::OutOfMemory) << outcome.sentence();
  EXPECT_EQ(attempt({"page-tables"}).end, End::OutOfMemory);
  expect_forbidden("shared-memory", "memfd_create");
  Job sharing = job({"shared-memory"});
  sharing.limits.file_bytes = 0;
  EXPECT_EQ(run_one(sharing).end, End::OutOfMemory);
}

TEST_P(Sandbox, Processes) {
  expect_forbidden("fork", "fork");
  expect_forbidden("fork-bomb", "fork");
  expect_forbidden("spawn", "fork");
  expect_forbidden("exec", "exec /bin/sh");
  EXPECT_EQ(attempt({"thread-bomb"}).end, End::TooManyTasks);
  Job bomb = job({"fork-bomb"});
  bomb.may_start_programs = true;
  EXPECT_EQ(run_one(bomb).end, End::TooManyTasks);
  Job compiler = job({"spawn"});
  compiler.may_start_programs = true;
  EXPECT_TRUE(run_one(compiler).ok());
  Job exec = job({"exec"});
  exec.may_start_programs = true;
  EXPECT_EQ(run_one(exec).output, "started\n");
}

TEST_P(Sandbox, NoProcessIsLeftBehind) {
  Job leaving = job({"daemon"});
  leaving.may_start_programs = true;
  EXPECT_TRUE(run_one(leaving).ok());
  fs::remove(base_ / "own" / "still-here");
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_FALSE(fs::exists(base_ / "own" / "still-here"));
}

TEST_P(Sandbox, Output) {
  Outcome outcome = attempt({"output"});
  EXPECT_EQ(outcome.end, End::TooMuchOutput);
  EXPECT_EQ(outcome.output.size(), size_t{64} << 10);
}

TEST_P(Sandbox, Disk) {
  EXPECT_EQ(attempt({"large-file"}).end, End::TooMuchOnDisk);
  Job without_limit = job({"large-file"});
  without_limit.limits.file_bytes = 0;
  EXPECT_EQ(run_one(without_limit).end, End::TooMuchOnDisk);
  EXPECT_EQ(attempt({"many-files"}).end, End::TooMuchOnDisk);
  EXPECT_EQ(attempt({"deep-folders"}).end, End::TooMuchOnDisk);
}

TEST_P(Sandbox, FilesOutside) {
  expect_refused({"read", "/etc/passwd"}, "open /etc/passwd");
  expect_refused({"read", secret()}, "open " + secret());
  expect_refused({"write", secret()}, "write " + secret());
  expect_refused({"write", "/tmp/warpwise-was-here"}, "write /tmp/warpwise-was-here");
  expect_refused({"write", "/usr/lib/warpwise-was-here"}, "write /usr/lib/warpwise-was-here");
  expect_refused({"list", base_.string()}, "open " + base_.string());
  expect_refused({"list", "/home"}, "open /home");
  expect_refused({"list", "/usr/share"}, "open /usr/share");
  expect_refused({"symlink", secret()}, "symlink to " + secret());
  expect_refused({"hard-link", secret()}, "link to " + secret());
  expect_refused({"through-proc"}, "");
  expect_refused({"dot-dot"}, "/etc/passwd");
  expect_refused({"chmod", secret()}, "chmod " + secret());
  expect_refused({"remove", secret()}, "");
  expect_refused({"truncate", secret()}, "");
  expect_refused({"pipe-in-folder"}, "");
  struct stat info{};
  ASSERT_EQ(stat(secret().c_str(), &info), 0);
  EXPECT_EQ(info.st_size, 20);
  EXPECT_EQ(info.st_mode & 0777, 0644u);
}

// A link that another process put in its folder leads nowhere either.
TEST_P(Sandbox, LinksThatAreThere) {
  fs::create_symlink(secret(), base_ / "own" / "link");
  expect_refused({"read", "link"}, secret());
  auto product = read_product((base_ / "own").string(), "link", 100);
  EXPECT_FALSE(product.ok());
  EXPECT_FALSE(read_product((base_ / "own").string(), "../secret", 100).ok());
  std::ofstream(base_ / "own" / "small") << "1234";
  EXPECT_EQ(read_product((base_ / "own").string(), "small", 4).value(), "1234");
  EXPECT_FALSE(read_product((base_ / "own").string(), "small", 3).ok());
}

TEST_P(Sandbox, Network) {
  expect_forbidden("internet", "socket(AF_INET)");
  expect_forbidden("datagram", "socket(AF_INET6)");
  expect_forbidden("netlink", "socket(AF_NETLINK)");
  expect_forbidden("connect-pair", "connect");
  EXPECT_EQ(attempt({"local-socket"}).code, 1);
}

TEST_P(Sandbox, OtherProcesses) {
  expect_forbidden("kill-parent", "kill of another process");
  expect_forbidden("kill-all", "kill of another process");
  expect_forbidden("queue-signal", "rt_sigqueueinfo of another process");
  expect_forbidden("trace-parent", "ptrace");
  expect_forbidden("read-memory", "process_vm_readv");
  expect_forbidden("parent-limits", "prlimit64 of another process");
  expect_forbidden("signal-owner", "F_SETOWN");
  expect_forbidden("terminal", "TIOCSTI");
  expect_refused({"parent-memory"}, "");
  expect_refused({"parent-descriptors"}, "");
  expect_refused({"parent-priority"}, "");
}

TEST_P(Sandbox, Kernel) {
  expect_forbidden("ring", "io_uring_setup");
  expect_forbidden("kernel-keys", "keyctl");
  expect_forbidden("bpf", "bpf");
  expect_forbidden("old-shared", "shmget");
  expect_forbidden("namespaces", "unshare");
  expect_forbidden("clone-namespaces", "namespaces");
  expect_forbidden("own-filter", "socket(AF_INET)");
  expect_forbidden("old-calls", "another architecture");
  expect_refused({"unknown-call"}, "");
  expect_refused({"become-root"}, "");
  expect_refused({"raise-limit"}, "");
}

TEST_P(Sandbox, WhatIsNotThereIsSaid) {
  Job nothing = job({});
  nothing.command = {"/usr/bin/no-such-program"};
  auto outcome = run(nothing);
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.error().code, "S0002");
  EXPECT_NE(outcome.error().message.find("/usr/bin/no-such-program: No such file"), std::string::npos)
      << outcome.error().message;
}

// The caller's filter is the one that counts, and no command runs without one.
TEST_P(Sandbox, AFilterThatIsNoneIsNoSandbox) {
  auto real = CallFilter::make();
  ASSERT_TRUE(real.ok());
  const std::string text = real->text();
  ASSERT_GT(text.size(), 100u);
  auto back = CallFilter::from_text(text);
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back->text(), text);
  Job honest = job({});
  honest.command = {"/bin/true"};
  honest.filter = text;
  EXPECT_TRUE(run(honest).ok());
  // The last: a program of the kernel's that ends without an answer.
  const std::string cut = text.substr(0, text.size() - 1);
  for (const std::string& bad : {cut, "no digits" + text, std::string(16, '0')}) {
    if (bad.size() != 16) EXPECT_FALSE(CallFilter::from_text(bad).ok());
    honest.filter = bad;
    auto outcome = run(honest);
    ASSERT_FALSE(outcome.ok());
    EXPECT_EQ(outcome.error().code, "S0001");
  }
}

TEST_P(Sandbox, CanBeCancelled) {
  auto running = start(job({"sleep"}));
  ASSERT_TRUE(running.ok());
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    running.value().cancel();
  });
  auto outcome = running.value().wait();
  other.join();
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome.value().end, End::Cancelled);
}

// kill -9 of the caller ends the command.
TEST_P(Sandbox, DiesWithItsCaller) {
  Job busy = job({"daemon"});
  busy.may_start_programs = true;
  busy.command = {"/bin/sh", "-c", "while :; do echo > beat; done"};
  pid_t caller = fork();
  if (caller == 0) {
    auto running = start(busy);
    (void)running.value().wait();
    _exit(0);
  }
  fs::path beat = base_ / "own" / "beat";
  for (int i = 0; i < 500 && !fs::exists(beat); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  ASSERT_TRUE(fs::exists(beat));
  kill(caller, SIGKILL);
  waitpid(caller, nullptr, 0);
  bool silent = false;
  for (int i = 0; i < 200 && !silent; ++i) {
    fs::remove(beat);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    silent = !fs::exists(beat);
  }
  EXPECT_TRUE(silent);
}

TEST_P(Sandbox, ManyAtOnce) {
  std::vector<std::thread> threads;
  std::atomic<int> well = 0;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 8; ++i) {
        Job one = job({"code", std::to_string(i)});
        auto outcome = run(one);
        if (outcome.ok() && outcome.value().end == End::Exited && outcome.value().code == i) ++well;
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(well, 32);
}

// A fork of this process behind walls of its own: answers with what `attempt` answers, or 128 + the signal that ended
// it.
int confined_fork(const std::string& folder, const std::function<int()>& attempt) {
  pid_t child = fork();
  if (child == 0) {
    if (!confine_self(system_folders(), {folder}).ok()) _exit(99);
    _exit(attempt());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

TEST_P(Sandbox, AForkConfinesItself) {
  std::string own = (base_ / "own").string();
  EXPECT_EQ(confined_fork(own,
                          [&] {
                            std::thread([] {}).join();
                            std::ofstream(own + "/file") << "text";
                            return fs::exists(own + "/file") && kill(getpid(), 0) == 0 ? 0 : 1;
                          }),
            0);
  EXPECT_EQ(confined_fork(own, [&] { return std::ifstream(secret()).is_open() ? 1 : 0; }), 0);
  EXPECT_EQ(confined_fork(own, [] { return fork() < 0 ? 0 : 1; }), 0);
  EXPECT_EQ(confined_fork(own, [] { return execl("/bin/true", "true", nullptr) < 0 ? 0 : 1; }), 0);
  EXPECT_EQ(confined_fork(own, [] { return kill(getppid(), SIGUSR1) < 0 ? 0 : 1; }), 0);
  EXPECT_EQ(confined_fork(own, [] { return socket(AF_INET, SOCK_STREAM, 0) < 0 ? 0 : 1; }), 0);
  EXPECT_EQ(confined_fork(own, [] { return ptrace(PTRACE_ATTACH, getppid(), 0, 0) < 0 ? 0 : 1; }), 128 + SIGSYS);
}

TEST(SandboxJob, CrossesAsJson) {
  Job job;
  job.command = {"/bin/true", "a \"b\""};
  job.writable = {"/tmp/x"};
  job.descriptors = {7};
  job.limits.wall_seconds = 1.5;
  job.filter = "0006000000000000";
  auto back = job_from_json(to_json(job));
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back.value().command, job.command);
  EXPECT_EQ(back.value().writable, job.writable);
  EXPECT_EQ(back.value().descriptors, job.descriptors);
  EXPECT_EQ(back.value().limits.wall_seconds, 1.5);
  EXPECT_EQ(back.value().filter, job.filter);
  EXPECT_FALSE(job_from_json("{}").ok());
  Outcome outcome;
  outcome.output = "\xff not UTF-8";
  EXPECT_TRUE(outcome_from_json(to_json(outcome)).ok());
}

}  // namespace
}  // namespace warpwise::lab::sandbox
