// The third judge of the PTX tests: a real GPU.
//
//     judge_ptx [--driver=LIBRARY] [--jobs=N] [--timeout=SECONDS] FILE…     runs them
//     judge_ptx --list FILE…                                                only reads them
//
// Running them prints one line per launch and difference.
//
// Output, separated by tabs: `verdict file:line text`. Each launch has a process of its own: a fault poisons a context
// for good, and a kernel that hangs ends only when the process that launched it is killed.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string_view>
#include <thread>

#include "read_case.h"
#include "run_launch.h"

namespace warpwise::gpu {
namespace {

using Clock = std::chrono::steady_clock;

struct Options {
  const char* driver = nullptr;
  unsigned jobs = 8;
  double timeout = 30;
  bool list = false;
};

struct Job {
  const test::PtxCase* test;
  const test::PtxLaunch* launch;
};

std::string place_of(const Job& job) { return job.test->name + ":" + std::to_string(job.launch->line); }

std::string report(const Job& job, Verdict verdict, const std::vector<std::string>& lines) {
  std::string text;
  if (lines.empty()) text += std::string(name_of(verdict)) + "\t" + place_of(job) + "\t\n";
  for (const std::string& line : lines)
    text += std::string(name_of(verdict)) + "\t" + place_of(job) + "\t" + line + "\n";
  return text;
}

// In the child: standard output becomes a file that the kernel prints to, the report goes to `to`.
[[noreturn]] void run_job(const Options& options, const Job& job, FILE* to) {
  auto finish = [&](Verdict verdict, const std::vector<std::string>& lines) {
    std::fputs(report(job, verdict, lines).c_str(), to);
    std::fflush(to);
    _exit(0);
  };
  FILE* printed = std::tmpfile();
  if (!printed || dup2(fileno(printed), STDOUT_FILENO) < 0) finish(Verdict::Broken, {"no file for standard output"});
  auto driver = Driver::open(options.driver);
  if (!driver) finish(Verdict::Broken, {driver.error().message});
  CUdevice device = 0;
  CUcontext context = nullptr;
  CUresult result = driver->init(0);
  if (result == 0) result = driver->device_get(&device, 0);
  if (result == 0) result = driver->retain_context(&context, device);
  if (result == 0) result = driver->set_context(context);
  if (result != 0) finish(Verdict::Broken, {"no context: " + driver->name_of(result)});
  Answer answer = run_launch(*driver, *job.test, *job.launch, printed);
  finish(answer.verdict, answer.lines);
  std::abort();
}

// Children that run, at most options.jobs at a time.
class Pool {
 public:
  explicit Pool(const Options& options) : options_(options) {}

  void start(const Job& job) {
    while (children_.size() >= options_.jobs) collect();
    FILE* file = std::tmpfile();
    std::fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) run_job(options_, job, file);
    // A process that must hang has hung long before.
    double seconds = job.launch->fault == "LaunchTimeout" ? std::min(options_.timeout, 10.0) : options_.timeout;
    children_[pid] = {job, file, Clock::now() + std::chrono::milliseconds(static_cast<int64_t>(seconds * 1000))};
  }
  void finish() {
    while (!children_.empty()) collect();
  }
  unsigned count(Verdict verdict) { return counts_[verdict]; }

 private:
  struct Child {
    Job job;
    FILE* file;
    Clock::time_point deadline;
    bool killed = false;
  };

  // Collects the processes that have ended and kills those that are late.
  void collect() {
    int status = 0;
    pid_t pid = waitpid(-1, &status, WNOHANG);
    if (auto found = children_.find(pid); pid > 0 && found != children_.end()) {
      take(found->second, status);
      children_.erase(found);
      return;
    }
    for (auto& [late, child] : children_) {
      if (Clock::now() < child.deadline || child.killed) continue;
      kill(late, SIGKILL);
      child.killed = true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }

  void take(const Child& child, int status) {
    std::string text;
    char block[4096];
    std::rewind(child.file);
    while (size_t got = std::fread(block, 1, sizeof block, child.file)) text.append(block, got);
    std::fclose(child.file);
    Verdict verdict = verdict_of(text);
    if (child.killed) {
      // Threads that wait for each other for ever are what a GPU makes of a deadlock, and of other mistakes too.
      const std::string& fault = child.job.launch->fault;
      verdict = fault == "LaunchTimeout" ? Verdict::Agrees : fault.empty() ? Verdict::Hung : Verdict::Laxer;
      text = report(child.job, verdict, {"did not end"});
    } else if (text.empty()) {
      text = report(child.job, verdict, {"the process died, wait status " + std::to_string(status)});
    }
    ++counts_[verdict];
    std::fputs(text.c_str(), stdout);
    std::fflush(stdout);
  }

  static Verdict verdict_of(const std::string& text) {
    std::string_view word = std::string_view(text).substr(0, text.find('\t'));
    for (auto v :
         {Verdict::Agrees, Verdict::Differs, Verdict::Laxer, Verdict::Refused, Verdict::Hung, Verdict::Unjudged}) {
      if (word == name_of(v)) return v;
    }
    return Verdict::Broken;
  }

  const Options& options_;
  std::map<pid_t, Child> children_;
  std::map<Verdict, unsigned> counts_;
};

int run(const Options& options, const std::vector<test::PtxCase>& tests) {
  Pool pool(options);
  for (const test::PtxCase& test : tests) {
    for (const test::PtxLaunch& launch : test.launches) {
      if (options.list)
        std::printf("%s %s %zu parameters\n", place_of({&test, &launch}).c_str(), launch.kernel.c_str(),
                    launch.buffers.size());
      else
        pool.start({&test, &launch});
    }
  }
  pool.finish();
  if (options.list) return 0;
  std::printf("#");
  for (auto v : {Verdict::Agrees, Verdict::Differs, Verdict::Laxer, Verdict::Refused, Verdict::Hung, Verdict::Broken,
                 Verdict::Unjudged}) {
    std::printf(" %u %s", pool.count(v), name_of(v));
  }
  std::printf("\n");
  return pool.count(Verdict::Differs) + pool.count(Verdict::Refused) + pool.count(Verdict::Hung) +
             pool.count(Verdict::Broken) !=
         0;
}

}  // namespace
}  // namespace warpwise::gpu

int main(int argc, char** argv) {
  using namespace warpwise;
  gpu::Options options;
  std::vector<test::PtxCase> tests;
  for (int k = 1; k < argc; ++k) {
    std::string_view word = argv[k];
    if (word.starts_with("--driver="))
      options.driver = argv[k] + strlen("--driver=");
    else if (word.starts_with("--jobs="))
      options.jobs = static_cast<unsigned>(std::atoi(argv[k] + strlen("--jobs=")));
    else if (word.starts_with("--timeout="))
      options.timeout = std::atof(argv[k] + strlen("--timeout="));
    else if (word == "--list")
      options.list = true;
    else if (auto test = gpu::read_case(argv[k]))
      tests.push_back(std::move(*test));
    else
      std::fprintf(stderr, "judge_ptx: %s: %s\n", argv[k], test.error().message.c_str());
  }
  if (tests.empty()) {
    std::fprintf(stderr, "usage: judge_ptx [--driver=LIBRARY] [--jobs=N] [--timeout=SECONDS] [--list] FILE…\n");
    return 2;
  }
  return gpu::run(options, tests);
}
