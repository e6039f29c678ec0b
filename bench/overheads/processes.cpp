#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>

#include "overheads/overheads.h"

namespace warpwise::bench {
namespace {

constexpr const char* kExample = WARPWISE_SOURCE_DIR "/examples/vecadd.cu";
constexpr const char* kContainers = WARPWISE_SOURCE_DIR "/bench/overheads/containers.cu";

// A cache of our own, emptied.
void use_cache(const Programs& programs, bool empty) {
  std::string cache = programs.folder + "/cache";
  if (empty) std::filesystem::remove_all(cache);
  setenv("WARPWISE_CACHE_DIR", cache.c_str(), 1);
}

double median_run(int rounds, const std::function<double()>& run) {
  std::vector<double> values;
  for (int i = 0; i < rounds; ++i) values.push_back(run());
  return median_of(std::move(values));
}

std::string build_example(const Programs& programs) {
  std::string program = programs.folder + "/vecadd";
  run_process({programs.warpwise, "nvcc", "--compiler=clang", "-o", program, kExample});
  return program;
}

double cold_run_of(const Programs& programs, const char* source) {
  return median_run(7, [&] {
    use_cache(programs, true);
    return run_process({programs.warpwise, "run", "--compiler=clang", source}).wall_ms;
  });
}

}  // namespace

Finished run_process(const std::vector<std::string>& command) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  auto start = std::chrono::steady_clock::now();
  pid_t child = -1;
  int failed = posix_spawnp(&child, words[0], &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  rusage usage{};
  if (failed || wait4(child, &status, 0, &usage) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
    give_up(fmt::format("`{}` failed", fmt::join(command, " ")));
  double wall = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return {wall, static_cast<double>(usage.ru_maxrss) / 1024};
}

double help_ms(const Programs& programs) {
  return median_run(15, [&] { return run_process({programs.warpwise, "--help"}).wall_ms; });
}

double cold_run_ms(const Programs& programs) { return cold_run_of(programs, kExample); }
double cold_run_headers_ms(const Programs& programs) { return cold_run_of(programs, kContainers); }

double warm_run_ms(const Programs& programs) {
  use_cache(programs, false);
  run_process({programs.warpwise, "run", "--compiler=clang", kExample});
  return median_run(15, [&] { return run_process({programs.warpwise, "run", "--compiler=clang", kExample}).wall_ms; });
}

double memory_cold_mb(const Programs& programs) {
  std::string program = build_example(programs);
  return median_run(3, [&] {
    use_cache(programs, true);
    return run_process({program, "1000"}).resident_mb;
  });
}

double memory_warm_mb(const Programs& programs) {
  std::string program = build_example(programs);
  use_cache(programs, false);
  run_process({program, "1000"});
  return median_run(3, [&] { return run_process({program, "1000"}).resident_mb; });
}

}  // namespace warpwise::bench
