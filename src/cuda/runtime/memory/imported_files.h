// A file of memory that a process has open, named so that another process of the same user can open it: what the
// handles of CUDA's inter-process communication hold. /proc/PID/fd leads there (proc(5)); the inode tells a file that
// is gone, and whose number another took, from the one that was meant.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>

namespace warpwise::cuda {

struct FileName {
  int32_t process = 0;
  int32_t file = -1;
  uint64_t inode = 0;
};

// Closed when it goes.
class OpenFile {
 public:
  explicit OpenFile(int file = -1) : file_(file) {}
  ~OpenFile();
  OpenFile(OpenFile&& other) noexcept : file_(other.file_) { other.file_ = -1; }
  OpenFile& operator=(OpenFile&& other) noexcept {
    std::swap(file_, other.file_);
    return *this;
  }
  int get() const { return file_; }
  explicit operator bool() const { return file_ >= 0; }

 private:
  int file_;
};

FileName name_of(int file);
// Not open: the process has ended, has closed it, or is not the user's.
OpenFile open_foreign(const FileName& name);
bool is_own(const FileName& name);

// Handles are 64 bytes that begin with a word that says what they are, so that others are told from ours.
template <class Content, class Handle>
void write_handle(Handle* handle, const Content& content) {
  static_assert(sizeof(Content) <= sizeof(Handle));
  std::memset(handle, 0, sizeof *handle);
  std::memcpy(handle, &content, sizeof content);
}
template <class Content, class Handle>
std::optional<Content> read_handle(const Handle& handle) {
  Content content;
  std::memcpy(static_cast<void*>(&content), &handle,
              sizeof content);  // its word has a default, and is no more than bytes
  if (content.word != Content::kWord) return std::nullopt;
  return content;
}

}  // namespace warpwise::cuda
