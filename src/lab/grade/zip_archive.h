// Reads the ZIP archives that students hand in: a few small texts out of a file that may be hostile.
//
// Only what APPNOTE.TXT (PKWARE, version 6.3.3) calls "stored" and "deflated" is read, which is what zip programs and
// learning platforms write. Nothing is written to disk here, and no length in the archive decides how much memory is
// used: an entry is inflated until `most_bytes` are reached, which ends archives that grow without end.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace warpwise::lab {

struct ZipLimits {
  size_t most_entries = 4096;       // in the archive's directory
  size_t most_bytes = 1 << 20;      // of one file; longer ones are cut after one byte more, so that readers see it
  size_t most_together = 32 << 20;  // of all files that are read
};

struct ZippedFile {
  std::string name;  // "work/map.cu": relative, with `/`, without `.` and `..`
  std::string text;
};

// The regular files of the archive whose names `wanted` accepts, in the archive's order. Folders and links are left
// out. U0001 with the reason: not a ZIP archive, damaged, encrypted, above the limits, or a name that leads out of the
// archive's folder (`../x`, `/x`, `a\x`).
Result<std::vector<ZippedFile>> read_zip(std::string_view archive, const ZipLimits& limits,
                                         const std::function<bool(std::string_view name)>& wanted);

}  // namespace warpwise::lab
