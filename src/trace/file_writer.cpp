#include "trace/file_writer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <zstd.h>

#include <cerrno>
#include <cstring>

#include "trace/bytes.h"

namespace warpwise::trace {

namespace {

// Fast: a recording is written while its program waits.
constexpr int kLevel = 1;

Error cannot_write(const std::string& path, int reason) {
  return {"U0002", fmt::format("cannot write `{}`: {}", path, strerror(reason))};
}

// The chunk with its header; "" where zstd fails.
std::string store(ChunkKind kind, std::string_view payload) {
  std::string frame(ZSTD_compressBound(payload.size()), '\0');
  const size_t size = ZSTD_compress(frame.data(), frame.size(), payload.data(), payload.size(), kLevel);
  if (ZSTD_isError(size)) return {};
  frame.resize(size);
  ByteWriter chunk;
  chunk.word(uint32_t(kind));
  chunk.word(uint32_t(frame.size()));
  chunk.word(uint32_t(payload.size()));
  chunk.word(checksum(frame));
  chunk.append(frame);
  return chunk.bytes();
}

std::string encode_index(const std::vector<ChunkEntry>& index) {
  ByteWriter bytes;
  bytes.number(index.size());
  for (const ChunkEntry& entry : index) {
    bytes.word(uint32_t(entry.kind));
    for (uint64_t number :
         {entry.offset, uint64_t{entry.warp}, entry.first, uint64_t{entry.count}, entry.phase, entry.clock})
      bytes.number(number);
  }
  return bytes.bytes();
}

}  // namespace

uint32_t checksum(std::string_view bytes) {
  static constexpr auto kTable = [] {
    std::array<uint32_t, 256> table{};
    for (uint32_t n = 0; n < 256; ++n) {
      uint32_t c = n;
      for (int bit = 0; bit < 8; ++bit) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
      table[n] = c;
    }
    return table;
  }();
  uint32_t c = ~0u;
  for (char byte : bytes) c = kTable[(c ^ uint8_t(byte)) & 0xff] ^ c >> 8;
  return ~c;
}

Result<std::unique_ptr<FileWriter>> FileWriter::create(const std::string& path) {
  constexpr int kMode = 0644;
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kMode);
  if (fd < 0) return cannot_write(path, errno);
  std::unique_ptr<FileWriter> writer(new FileWriter(fd, path));
  ByteWriter header;
  header.append(kFileMagic);
  header.word(kFileVersion);
  header.word(0);
  writer->write(header.bytes());
  return writer;
}

FileWriter::~FileWriter() { close(fd_); }

void FileWriter::write(std::string_view bytes) {
  offset_ += bytes.size();
  while (!bytes.empty() && !failed_) {
    const ssize_t done = ::write(fd_, bytes.data(), bytes.size());
    if (done > 0)
      bytes.remove_prefix(size_t(done));
    else if (done < 0 && errno != EINTR)
      failed_ = errno;
  }
}

void FileWriter::add(ChunkEntry entry, std::string_view payload) {
  if (payload.size() > kMostChunkBytes || index_.size() >= kMostChunks) {
    if (!failed_) failed_ = EFBIG;
    return;
  }
  const std::string chunk = store(entry.kind, payload);
  if (chunk.empty() && !failed_) failed_ = ENOMEM;
  add_stored(entry, chunk);
}

void FileWriter::add_stored(ChunkEntry entry, std::string_view chunk) {
  entry.offset = offset_;
  index_.push_back(entry);
  write(chunk);
}

Result<void> FileWriter::finish() {
  const uint64_t at = offset_;
  write(store(ChunkKind::Index, encode_index(index_)));
  ByteWriter place;
  place.word(uint32_t(at));
  place.word(uint32_t(at >> 32));
  ByteWriter trailer;
  trailer.append(place.bytes());
  trailer.word(checksum(place.bytes()));
  trailer.append(kTrailerMagic);
  write(trailer.bytes());
  if (failed_) return cannot_write(path_, failed_);
  return {};
}

}  // namespace warpwise::trace
