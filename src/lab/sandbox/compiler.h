// Compilers inside the sandbox, because a submission may contain `#include "/etc/passwd"`, `.incbin` and endless
// templates.
#pragma once

#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lab/sandbox/file_scope.h"
#include "lab/sandbox/job.h"
#include "lab/sandbox/loaded_compiler.h"
#include "lab/sandbox/shared_compiler.h"
#include "toolchain/build.h"

namespace warpwise::lab::sandbox {

// The limits of compilers. An ordinary source takes 0.1 s and 150 MB of Clang, the largest of the examples 1.5 s and
// 400 MB.
Limits compiler_limits();

// Gives a build's compilers (BuildRequest::runner) one source to read, the folder they write into, and no other file
// but the system's and our own headers. Outlives the build.
class ConfinedCompiler {
 public:
  // `also`: further files and folders that may be read. `loads_once`: Clang runs several times for the build, in one
  // sandbox (loaded_compiler.h). `place`: in a sandbox for another build as well, until this one is made or refused.
  ConfinedCompiler(const std::filesystem::path& source, Isolation isolation, std::vector<std::string> also = {},
                   Limits limits = compiler_limits(), bool loads_once = false, SharedCompiler::Place* place = nullptr);

  // Runs each compiler of a build. A compiler that was ended counts as failed, with a line that says why.
  Result<toolchain::JobResult> run(const toolchain::Job& job, const std::filesystem::path& folder);
  void attach_to(toolchain::BuildRequest& request);

  // The file that a refused source tried to read, according to these messages: "open /etc/passwd"; "" when its mistakes
  // are others.
  std::string wanted(std::string_view messages);
  // Accesses that compilers were refused, each once: "open /etc/passwd". No compiler runs any more.
  std::vector<std::string> refused();
  // Whether code outside of the sandbox may open `path`, a name that came out of a compilation.
  const FileScope& scope() const { return scope_; }
  // How a compiler was ended, when one was: "out of memory at 1024 MiB"; "" otherwise.
  std::string ended() const;

 private:
  Result<toolchain::JobResult> run_alone(Job job);
  LoadedCompiler* loaded_for(const Job& job, const std::filesystem::path& folder);
  void check_dependencies(const std::filesystem::path& folder, const std::vector<std::string>& command,
                          toolchain::JobResult& result);
  void note_refused(std::string what);

  std::filesystem::path source_;
  Job base_;
  FileScope scope_;
  mutable std::mutex mutex_;  // compilers of both halves run side by side
  unsigned running_ = 0;      // compilers, at this moment
  std::vector<std::string> refused_;
  std::string ended_;
  const bool loads_once_;
  SharedCompiler::Place* const place_;
  std::filesystem::path loaded_folder_;  // the folder of the build; "": none has begun
  std::optional<LoadedCompiler> loaded_;
};

}  // namespace warpwise::lab::sandbox
