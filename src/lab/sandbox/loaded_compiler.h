// A compiler that is loaded once, in one sandbox, and forked for each of a build's runs. (Two builds of one submission
// share one: shared_compiler.h.)
//
//     supervisor ──► bubblewrap ──► init ──► clang, loaded (fork_at_main.cpp) ──► the device half
//                                                                             ──► the host half
//                                                                             ──► its PTX;  ld.lld
//
// A program for checkers takes four runs: both halves of the source, then the PTX and the link. They had the same
// source to read and one folder to write into when each had a sandbox of its own, so that one of them could always
// spoil what another had made; another submission has another sandbox. What one sandbox for all of them leaves as it
// was:
//
// * each run is a new process, a fork of one that has read no line of the source and that no run can reach: the call
//   filter refuses signals and ptrace to other processes, and runs have none of its descriptors;
// * nothing of a run is left when its end is told;
// * they have the walls of any compiler, and together the limits of one, which end them all.
//
// It saves a fifth of the processor time that the four take. It is a quicker way to the same result and nothing else:
// whatever ends without an exit code is done again by a compiler in a sandbox of its own, which finds the words for it.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "lab/sandbox/sandbox.h"
#include "toolchain/process.h"

namespace warpwise::lab::sandbox {

class LoadedCompiler {
 public:
  // `job`: as for one run; its command is the first word of the compiler's. Nothing where it cannot be started.
  static std::optional<LoadedCompiler> start(Job job, const std::filesystem::path& compiler);
  LoadedCompiler(LoadedCompiler&&) = default;
  LoadedCompiler& operator=(LoadedCompiler&&) = delete;
  ~LoadedCompiler();

  // From several threads at once. Nothing: it has not come to an exit code, or has said too much.
  std::optional<toolchain::JobResult> run(const std::vector<std::string>& words,
                                          const std::vector<std::string>& environment,
                                          const std::filesystem::path& folder);
  // It is needed no more, and ends while others go on. Runs fail.
  void end() { running_->cancel(); }
  // Ends it. How that went: End::Cancelled, unless something else was first.
  std::optional<Outcome> finish();

 private:
  LoadedCompiler(Running running, std::vector<int> sockets)
      : running_(std::move(running)), sockets_(std::move(sockets)), free_(std::make_unique<Free>()) {
    for (size_t i = 0; i < sockets_.size(); ++i) free_->slots.push_back(i);
  }
  struct Free {
    std::mutex mutex;
    std::vector<size_t> slots;
  };

  std::optional<Running> running_;
  std::vector<int> sockets_;
  std::unique_ptr<Free> free_;
};

}  // namespace warpwise::lab::sandbox
