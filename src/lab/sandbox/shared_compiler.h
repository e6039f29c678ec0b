// One loaded compiler (loaded_compiler.h) for both programs of a submission: the one for checkers, whose build has
// several runs, and the one that is timed, which has one and would load Clang for it in another sandbox.
//
//     build for checkers ──place──┐
//                                 ├──► one compiler, one folder ──► ended when both have left
//     build to be timed ──place───┘
//
// Both builds are of one source by one person, and what one of them could do to the other's files it can do by what it
// makes itself. What comes out of the folder is looked at outside of the sandbox, as before: PTX is read once and held,
// and a program may load that alone.
//
// The build for checkers begins: it has more to read than the other one. What one place learns of refused accesses, it
// learns when both have left, because the compiler ends for that.
#pragma once

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "lab/sandbox/job.h"
#include "lab/sandbox/loaded_compiler.h"
#include "toolchain/files.h"

namespace warpwise::lab::sandbox {

class SharedCompiler {
 public:
  // The working folders of both builds are in `folder`, which lives as long as what they make.
  explicit SharedCompiler(toolchain::TemporaryFolder folder) : folder_(std::move(folder)) {}
  const std::filesystem::path& folder() const { return folder_.path(); }

  // A build's part in it. Left at its end, at the latest.
  class Place {
   public:
    // `begins`: this build loads the compiler, and the other one waits for that.
    Place(SharedCompiler& shared, bool begins);
    ~Place() { leave(); }
    Place(const Place&) = delete;

    const std::filesystem::path& folder() const { return shared_.folder(); }
    // `job`: that of the build's first run. Null: there is none, or this place has been left.
    LoadedCompiler* loaded(const Job& job);
    void leave();
    // Leaves, and waits until the other build has. What runs of either were refused.
    std::vector<std::string> refused();

   private:
    SharedCompiler& shared_;
    const bool begins_;
    bool has_left_ = false;
  };

 private:
  toolchain::TemporaryFolder folder_;
  std::mutex mutex_;
  std::condition_variable changed_;
  unsigned places_ = 0;
  bool begun_ = false;  // or it never will
  std::optional<LoadedCompiler> loaded_;
  std::vector<std::string> refused_;
};

}  // namespace warpwise::lab::sandbox
