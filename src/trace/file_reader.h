// Reads the container of a trace file (file_format.h). It trusts nothing: every place and size is compared with the
// file, every chunk with its checksum, and sizes have limits before memory is taken for them.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "trace/file_format.h"

namespace warpwise::trace {

class FileReader {
 public:
  // Maps the file and reads its index. U0001 when it cannot be read; V0001 it is no trace file; V0002 another version;
  // V0003 cut short; V0004 damaged; V0005 its contents contradict themselves.
  static Result<std::unique_ptr<FileReader>> open(const std::string& path);
  // The same of bytes that outlive the reader.
  static Result<std::unique_ptr<FileReader>> read(std::string_view bytes);
  ~FileReader();
  FileReader(const FileReader&) = delete;
  FileReader& operator=(const FileReader&) = delete;

  std::span<const ChunkEntry> chunks() const { return index_; }
  // The only chunk of a kind; null: there is none.
  const ChunkEntry* find(ChunkKind kind) const;
  Result<std::string> payload(const ChunkEntry& chunk) const;
  // Header and frame, as they are stored.
  Result<std::string_view> stored(const ChunkEntry& chunk) const;

 private:
  FileReader() = default;
  Result<void> read_index();
  Result<std::string> payload_at(uint64_t offset, ChunkKind kind) const;
  Result<std::string_view> stored_at(uint64_t offset, ChunkKind kind) const;

  std::string_view bytes_;
  void* mapped_ = nullptr;
  std::vector<ChunkEntry> index_;
};

}  // namespace warpwise::trace
