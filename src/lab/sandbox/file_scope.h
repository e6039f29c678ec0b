// Which files the judge may open by a name that comes from a submission.
//
// The names reach the judge by dependency files (`#include`), by `.file` in PTX (`#line "…"`) and by the text of the
// source itself. Compilers read what they name inside the sandbox; the judge, outside of it, hashes dependencies and
// quotes lines. A device, a pipe, an endless file or a file in /proc would block it, and the verdict would quote any
// other file of the machine.
//
//     FileScope scope({"/home/ada/map.cu"}, system_folders());
//     scope.holds("/usr/include/stdio.h")   // true
//     scope.holds("/dev/zero")              // false: a device
//     scope.holds("/etc/passwd")            // false: neither the submission's nor the system's
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::lab::sandbox {

// The largest header of CUDA 13 and libstdc++ has 2 MB.
constexpr uintmax_t kMostNamedBytes = 16 << 20;

class FileScope {
 public:
  // `own`: the submission's files. `folders`: everything below them is open to compilers.
  FileScope(const std::vector<std::filesystem::path>& own, const std::vector<std::string>& folders);

  // Whether `path` is a regular file of the scope with at most kMostNamedBytes, or is not there at all. Links are
  // followed first. Nothing is opened.
  bool holds(const std::filesystem::path& path) const;

  // "#line PATH" of the first file outside the scope that PTX names in a `.file` directive. One that is not written as
  // compilers write it is refused as well. Nothing: all are inside.
  std::optional<std::string> outside_in_ptx(std::string_view ptx) const;

 private:
  std::filesystem::path real_name(const std::filesystem::path& path) const;

  std::vector<std::filesystem::path> own_, folders_;
  // Where the folders of system headers are. A compilation reads hundreds of files in a few dozen folders, and each
  // part of a name is a call of the system.
  mutable std::mutex mutex_;
  mutable std::map<std::filesystem::path, std::filesystem::path> known_folders_;
  // Files there that have been found inside. Each run of a build names most of them again.
  mutable std::set<std::string> known_files_;
};

}  // namespace warpwise::lab::sandbox
