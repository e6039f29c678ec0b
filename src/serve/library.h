// The files that the page may show: one that was named, or those of a folder. A request names a file as the list does;
// what is not in the list does not exist. Symbolic links in a folder are not in it, and are not followed when a file is
// opened: a program that can write there cannot lead us elsewhere.
#pragma once

#include <filesystem>
#include <vector>

#include "base/result.h"

namespace warpwise::serve {

enum class FileKind : unsigned char { Recording, Source };  // .wwt, .cu

struct LibraryFile {
  std::string name;
  FileKind kind = FileKind::Recording;
  uint64_t bytes = 0;
};

// An open file descriptor.
class OpenFile {
 public:
  explicit OpenFile(int fd) : fd_(fd) {}
  OpenFile(OpenFile&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  OpenFile& operator=(OpenFile&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~OpenFile();
  int fd() const { return fd_; }

 private:
  int fd_;
};

class Library {
 public:
  // U0001 when there is no such file or folder, U0009 when a file is neither a recording nor a source.
  static Result<Library> open(const std::filesystem::path& path);

  // More files of a folder than these are not listed.
  static constexpr size_t kMostFiles = 1000;

  // As the folder is now, in the order of names.
  std::vector<LibraryFile> files() const;
  // W0005 when the list has no such file.
  Result<LibraryFile> find(std::string_view name) const;
  // A regular file of the list. U0001 when it cannot be read.
  Result<OpenFile> open_file(const std::string& name) const;
  const std::filesystem::path& folder() const { return folder_; }
  // The only file, where one was named.
  const std::string& only() const { return only_; }

 private:
  std::filesystem::path folder_;
  std::string only_;
};

}  // namespace warpwise::serve
