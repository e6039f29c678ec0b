// Writes a trace file, chunk by chunk (file_format.h). A file without the trailer that finish() writes is refused by
// readers: the program may end in the middle.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "trace/file_format.h"

namespace warpwise::trace {

class FileWriter {
 public:
  // U0002 when the file cannot be written.
  static Result<std::unique_ptr<FileWriter>> create(const std::string& path);
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  // Compresses and appends. `entry.offset` is filled in here. What goes wrong is kept for finish().
  void add(ChunkEntry entry, std::string_view payload);
  // Appends a chunk that is stored already, header included.
  void add_stored(ChunkEntry entry, std::string_view chunk);
  Result<void> finish();

 private:
  FileWriter(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}
  void write(std::string_view bytes);

  const int fd_;
  const std::string path_;
  uint64_t offset_ = 0;
  int failed_ = 0;  // errno
  std::vector<ChunkEntry> index_;
};

}  // namespace warpwise::trace
