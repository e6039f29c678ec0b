// What students handed in, found below one folder:
//
//     DIR/ada/map.cu                 a folder for each student
//     DIR/ada/.git                   … which may be a clone: commits say when a file was handed in
//     DIR/ada.git                    a bare repository: its HEAD
//     DIR/ada.zip, DIR/ada/work.zip  archives, as learning platforms deliver them
//     DIR/ada.cu                     a file for each student
//
// All of it is untrusted. Links are left out, because they would lead to another student's work or to a solution.
// Archives are read within limits (zip_archive.h). A repository's own configuration can name programs that git starts,
// so git runs in the sandbox of submissions.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "toolchain/files.h"

namespace warpwise::lab {

struct HandedIn {
  std::filesystem::path path;  // the file; "" when it could not be unpacked
  std::string shown;           // its name below the folder: "ada/map.cu", "ada.zip/map.cu"
  std::string person;
  bool alone = false;      // it lies in the graded folder itself, beside other people's
  int64_t at = 0;          // when it was handed in: its last commit, or when the file or archive was last changed
  std::string unreadable;  // why the archive or repository could not be read; "": it could
};

struct HandedInFiles {
  std::vector<HandedIn> files;  // ordered by name
  std::vector<toolchain::TemporaryFolder> unpacked;
};

// All .cu files. U0001 when there is no such folder. `sandbox`: false runs git with limits alone.
Result<HandedInFiles> find_handed_in(const std::filesystem::path& folder, bool sandbox);

}  // namespace warpwise::lab
