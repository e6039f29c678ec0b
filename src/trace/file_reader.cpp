#include "trace/file_reader.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "trace/bytes.h"

namespace warpwise::trace {

namespace {

Error cut_short() {
  return {"V0003", "the file is cut short: the program that was recorded, or a copy of the file, did not end"};
}
Error damaged(uint64_t at) { return {"V0004", fmt::format("the chunk at byte {} is damaged", at)}; }
Error contradicts(uint64_t at, const char* what) {
  return {"V0005", fmt::format("the chunk at byte {}: {}", at, what)};
}

// Fuzzers do not have to guess checksums.
bool is_whole([[maybe_unused]] std::string_view bytes, [[maybe_unused]] uint32_t sum) {
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
  return true;
#else
  return checksum(bytes) == sum;
#endif
}

uint32_t word_at(std::string_view bytes, size_t at) { return ByteReader(bytes.substr(at, 4)).word(); }

}  // namespace

Result<std::unique_ptr<FileReader>> FileReader::open(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat about{};
  if (fd < 0 || fstat(fd, &about) != 0 || !S_ISREG(about.st_mode)) {
    const int reason = fd < 0 ? errno : EINVAL;
    if (fd >= 0) close(fd);
    return Error{"U0001", fmt::format("cannot read `{}`: {}", path, strerror(reason))};
  }
  std::unique_ptr<FileReader> reader(new FileReader);
  if (about.st_size > 0) {
    void* at = mmap(nullptr, size_t(about.st_size), PROT_READ, MAP_PRIVATE, fd, 0);
    if (at == MAP_FAILED) {
      close(fd);
      return Error{"U0001", fmt::format("cannot read `{}`: {}", path, strerror(errno))};
    }
    reader->mapped_ = at;
    reader->bytes_ = {static_cast<const char*>(at), size_t(about.st_size)};
  }
  close(fd);
  TRY(reader->read_index());
  return reader;
}

Result<std::unique_ptr<FileReader>> FileReader::read(std::string_view bytes) {
  std::unique_ptr<FileReader> reader(new FileReader);
  reader->bytes_ = bytes;
  TRY(reader->read_index());
  return reader;
}

FileReader::~FileReader() {
  if (mapped_) munmap(mapped_, bytes_.size());
}

Result<std::string_view> FileReader::stored_at(uint64_t offset, ChunkKind kind) const {
  const size_t end = bytes_.size() - kTrailerBytes;
  if (offset < kHeaderBytes || offset > end || end - offset < kChunkHeaderBytes)
    return contradicts(offset, "it lies outside the file");
  const std::string_view header = bytes_.substr(offset, kChunkHeaderBytes);
  const uint32_t size = word_at(header, 4);
  if (size > end - offset - kChunkHeaderBytes) return contradicts(offset, "it is longer than the file");
  if (word_at(header, 0) != uint32_t(kind)) return contradicts(offset, "it is of another kind than the index says");
  const std::string_view chunk = bytes_.substr(offset, kChunkHeaderBytes + size);
  if (!is_whole(chunk.substr(kChunkHeaderBytes), word_at(header, 12))) return damaged(offset);
  return chunk;
}

Result<std::string> FileReader::payload_at(uint64_t offset, ChunkKind kind) const {
  const std::string_view chunk = TRY(stored_at(offset, kind));
  const std::string_view frame = chunk.substr(kChunkHeaderBytes);
  const uint32_t size = word_at(chunk, 8);
  if (size > kMostChunkBytes) return contradicts(offset, "it is larger than any chunk may be");
  // Before memory is taken: the frame has to say the same.
  if (ZSTD_getFrameContentSize(frame.data(), frame.size()) != size) return contradicts(offset, "its sizes differ");
  std::string payload(size, '\0');
  const size_t done = ZSTD_decompress(payload.data(), payload.size(), frame.data(), frame.size());
  if (ZSTD_isError(done) || done != size) return contradicts(offset, "it does not unpack");
  return payload;
}

Result<void> FileReader::read_index() {
  if (bytes_.size() < kHeaderBytes || !bytes_.starts_with(kFileMagic))
    return Error{"V0001", "this is no trace file: `warpwise trace` makes one"};
  if (const uint32_t version = word_at(bytes_, kFileMagic.size()); version != kFileVersion)
    return Error{"V0002", fmt::format("the file has version {} of the format, and this program reads version {}",
                                      version, kFileVersion)};
  if (bytes_.size() < kHeaderBytes + kTrailerBytes || !bytes_.ends_with(kTrailerMagic)) return cut_short();
  const std::string_view trailer = bytes_.substr(bytes_.size() - kTrailerBytes);
  if (!is_whole(trailer.substr(0, 8), word_at(trailer, 8))) return damaged(bytes_.size() - kTrailerBytes);
  const uint64_t at = word_at(trailer, 0) | uint64_t{word_at(trailer, 4)} << 32;
  const std::string payload = TRY(payload_at(at, ChunkKind::Index));

  ByteReader in(payload);
  const uint64_t count = in.number_up_to(kMostChunks);
  for (uint64_t n = 0; n < count && !in.bad(); ++n) {
    ChunkEntry entry;
    entry.kind = ChunkKind(in.word());
    entry.offset = in.number();
    entry.warp = uint32_t(in.number_up_to(~0u));
    entry.first = in.number_up_to(uint64_t{1} << 62);
    entry.count = uint32_t(in.number_up_to(~0u));
    entry.phase = in.number_up_to(uint64_t{1} << 62), entry.clock = in.number_up_to(uint64_t{1} << 62);
    index_.push_back(entry);
  }
  if (in.bad() || !in.at_end()) return contradicts(at, "the index is none");
  return {};
}

const ChunkEntry* FileReader::find(ChunkKind kind) const {
  const auto found =
      std::find_if(index_.begin(), index_.end(), [&](const ChunkEntry& entry) { return entry.kind == kind; });
  return found == index_.end() ? nullptr : &*found;
}

Result<std::string> FileReader::payload(const ChunkEntry& chunk) const { return payload_at(chunk.offset, chunk.kind); }
Result<std::string_view> FileReader::stored(const ChunkEntry& chunk) const {
  return stored_at(chunk.offset, chunk.kind);
}

}  // namespace warpwise::trace
