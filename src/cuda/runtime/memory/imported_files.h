// A memory file that a process has open, named so that another process of the same user can open it. The handles of
// CUDA's inter-process communication hold such names. The path is in /proc/PID/fd (proc(5)). The inode distinguishes
// the intended file from another one that has taken its number after it was closed.
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

// Closes the file when it is destroyed.
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
// Fails when the process has ended, has closed the file, or belongs to another user.
OpenFile open_foreign(const FileName& name);
bool is_own(const FileName& name);

// Handles are 64 bytes that begin with a word for their type, so that handles of other origin are recognised.
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
              sizeof content);  // the word has a default value; the rest is plain bytes
  if (content.word != Content::kWord) return std::nullopt;
  return content;
}

}  // namespace warpwise::cuda
