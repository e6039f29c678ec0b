#include "serve/library.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace warpwise::serve {

namespace fs = std::filesystem;

namespace {

std::optional<FileKind> kind_of(const fs::path& name) {
  if (name.extension() == ".wwt") return FileKind::Recording;
  if (name.extension() == ".cu") return FileKind::Source;
  return std::nullopt;
}

}  // namespace

OpenFile::~OpenFile() {
  if (fd_ >= 0) close(fd_);
}

Result<Library> Library::open(const fs::path& path) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);  // what the user names may be a link
  if (error) return Error{"U0001", fmt::format("cannot read `{}`: {}", path.string(), error.message())};
  Library library;
  if (fs::is_directory(real, error)) {
    library.folder_ = real;
    return library;
  }
  if (!kind_of(real))
    return Error{"U0009", fmt::format("`{}` is neither a recording (.wwt) nor a source (.cu)", path.string())};
  library.folder_ = real.parent_path(), library.only_ = real.filename();
  return library;
}

std::vector<LibraryFile> Library::files() const {
  std::vector<LibraryFile> files;
  std::error_code error;
  for (fs::directory_iterator at(folder_, error), end; at != end && !error; at.increment(error)) {
    const std::string name = at->path().filename();
    const auto kind = kind_of(name);
    std::error_code gone;
    if (!kind || (!only_.empty() && name != only_) || at->symlink_status(gone).type() != fs::file_type::regular)
      continue;
    const uint64_t bytes = at->file_size(gone);
    files.push_back({name, *kind, gone ? 0 : bytes});
  }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  if (files.size() > kMostFiles) files.resize(kMostFiles);
  return files;
}

Result<LibraryFile> Library::find(std::string_view name) const {
  for (LibraryFile& file : files())
    if (file.name == name) return std::move(file);
  return Error{"W0005", fmt::format("there is no file `{}` here", name)};
}

Result<OpenFile> Library::open_file(const std::string& name) const {
  TRY(find(name));
  const auto failed = [&](int reason) {
    return Error{"U0001", fmt::format("cannot read `{}`: {}", name, std::strerror(reason))};
  };
  const OpenFile folder(::open(folder_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (folder.fd() < 0) return failed(errno);
  OpenFile file(openat(folder.fd(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (file.fd() < 0) return failed(errno);
  struct stat what{};
  if (fstat(file.fd(), &what) != 0 || !S_ISREG(what.st_mode)) return failed(EINVAL);
  return file;
}

}  // namespace warpwise::serve
