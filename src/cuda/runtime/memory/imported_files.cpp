#include "cuda/runtime/memory/imported_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace warpwise::cuda {

OpenFile::~OpenFile() {
  if (file_ >= 0) close(file_);
}

FileName name_of(int file) {
  struct stat about{};
  fstat(file, &about);
  return {getpid(), file, about.st_ino};
}

bool is_own(const FileName& name) { return name.process == getpid(); }

OpenFile open_foreign(const FileName& name) {
  OpenFile file(open(fmt::format("/proc/{}/fd/{}", name.process, name.file).c_str(), O_RDWR | O_CLOEXEC));
  struct stat about{};
  if (!file || fstat(file.get(), &about) != 0 || about.st_ino != name.inode) return OpenFile{};
  return file;
}

}  // namespace warpwise::cuda
