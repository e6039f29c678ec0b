#include "lab/grade/zip_archive.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>
#include <optional>

namespace warpwise::lab {
namespace {

// Sizes and marks of APPNOTE.TXT, 4.3.7, 4.3.12 and 4.3.16.
constexpr size_t kLocalHeader = 30, kDirectoryHeader = 46, kEnd = 22;
constexpr uint32_t kLocalMark = 0x04034b50, kDirectoryMark = 0x02014b50, kEndMark = 0x06054b50;
constexpr size_t kMostComment = 0xffff;
constexpr unsigned kStored = 0, kDeflated = 8, kEncrypted = 1, kMadeByUnix = 3;

Error damaged(std::string_view what) {
  return Error{"U0001", fmt::format("not a ZIP archive that can be read: {}", what)};
}

// Little-endian numbers at places that may not exist.
class Bytes {
 public:
  explicit Bytes(std::string_view data) : data_(data) {}
  size_t size() const { return data_.size(); }
  bool has(size_t at, size_t length) const { return at <= data_.size() && length <= data_.size() - at; }
  std::string_view text(size_t at, size_t length) const { return data_.substr(at, length); }
  uint32_t half(size_t at) const { return byte(at) | byte(at + 1) << 8; }
  uint32_t word(size_t at) const { return half(at) | half(at + 2) << 16; }

 private:
  uint32_t byte(size_t at) const { return static_cast<unsigned char>(data_[at]); }
  std::string_view data_;
};

struct Entry {
  std::string name;
  unsigned method = 0, flags = 0;
  uint32_t checksum = 0;
  size_t packed = 0, local = 0;
  bool regular = true;
};

// The end record is the last thing in the file, before a comment of any length up to 65535.
std::optional<size_t> find_end(const Bytes& bytes) {
  if (bytes.size() < kEnd) return std::nullopt;
  const size_t last = bytes.size() - kEnd, first = last - std::min(last, kMostComment);
  for (size_t at = last + 1; at-- > first;)
    if (bytes.word(at) == kEndMark && bytes.half(at + 20) == bytes.size() - at - kEnd) return at;
  return std::nullopt;
}

// A name that stays below the folder that the archive is for.
bool is_inside(std::string_view name) {
  if (name.empty() || name[0] == '/' || name.find('\\') != name.npos || name.find('\0') != name.npos) return false;
  for (size_t at = 0; at <= name.size();) {
    const size_t end = std::min(name.find('/', at), name.size());
    const std::string_view part = name.substr(at, end - at);
    if (part == ".." || part == ".") return false;
    at = end + 1;
  }
  return true;
}

Result<std::vector<Entry>> read_directory(const Bytes& bytes, const ZipLimits& limits) {
  const auto end = find_end(bytes);
  if (!end) return damaged("it has no directory of files");
  const size_t count = bytes.half(*end + 10), length = bytes.word(*end + 12);
  size_t at = bytes.word(*end + 16);
  if (count == 0xffff || at == 0xffffffff) return damaged("it is in the form for very large archives (ZIP64)");
  if (count > limits.most_entries)
    return damaged(fmt::format("it has {} files, more than {}", count, limits.most_entries));
  if (!bytes.has(at, length)) return damaged("its directory lies outside of the file");
  std::vector<Entry> entries;
  for (size_t i = 0; i < count; ++i) {
    if (!bytes.has(at, kDirectoryHeader) || bytes.word(at) != kDirectoryMark)
      return damaged("its directory is cut off");
    const size_t name = bytes.half(at + 28), extra = bytes.half(at + 30), comment = bytes.half(at + 32);
    if (!bytes.has(at + kDirectoryHeader, name)) return damaged("its directory is cut off");
    Entry entry;
    entry.name = bytes.text(at + kDirectoryHeader, name);
    entry.flags = bytes.half(at + 8), entry.method = bytes.half(at + 10), entry.checksum = bytes.word(at + 16);
    entry.packed = bytes.word(at + 20), entry.local = bytes.word(at + 42);
    const bool unix_made = bytes.half(at + 4) >> 8 == kMadeByUnix;
    const mode_t mode = bytes.word(at + 38) >> 16;
    entry.regular = !entry.name.ends_with('/') && (!unix_made || (mode & S_IFMT) == 0 || S_ISREG(mode));
    if (!is_inside(entry.name)) return damaged(fmt::format("`{}` leads out of its folder", entry.name));
    entries.push_back(std::move(entry));
    at += kDirectoryHeader + name + extra + comment;
  }
  return entries;
}

class Inflater {
 public:
  Inflater() { good_ = inflateInit2(&stream_, -MAX_WBITS) == Z_OK; }
  ~Inflater() {
    if (good_) inflateEnd(&stream_);
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // Nothing when the data is damaged. Stops after `most` bytes.
  std::optional<std::string> run(std::string_view packed, size_t most) {
    if (!good_) return std::nullopt;
    std::string out;
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream_.avail_in = uInt(packed.size());
    char piece[1 << 14];
    for (;;) {
      stream_.next_out = reinterpret_cast<Bytef*>(piece);
      stream_.avail_out = sizeof piece;
      const int state = inflate(&stream_, Z_NO_FLUSH);
      if (state != Z_OK && state != Z_STREAM_END) return std::nullopt;
      out.append(piece, sizeof piece - stream_.avail_out);
      if (out.size() > most) return out.substr(0, most);
      if (state == Z_STREAM_END) return out;
    }
  }

 private:
  z_stream stream_{};
  bool good_ = false;
};

Result<std::string> content_of(const Bytes& bytes, const Entry& entry, size_t most) {
  const auto bad = [&](std::string_view what) { return damaged(fmt::format("`{}` {}", entry.name, what)); };
  if (entry.flags & kEncrypted) return bad("is encrypted");
  if (!bytes.has(entry.local, kLocalHeader) || bytes.word(entry.local) != kLocalMark) return bad("is not there");
  const size_t start = entry.local + kLocalHeader + bytes.half(entry.local + 26) + bytes.half(entry.local + 28);
  if (!bytes.has(start, entry.packed)) return bad("is cut off");
  const std::string_view packed = bytes.text(start, entry.packed);
  std::optional<std::string> text;
  if (entry.method == kStored)
    text = packed.substr(0, most + 1);
  else if (entry.method == kDeflated)
    text = Inflater().run(packed, most + 1);
  else
    return bad(fmt::format("is packed by method {}; only stored and deflated files are read", entry.method));
  if (!text) return bad("is damaged");
  const auto checksum = crc32(0, reinterpret_cast<const Bytef*>(text->data()), uInt(text->size()));
  if (text->size() <= most && checksum != entry.checksum) return bad("is damaged: its checksum is wrong");
  return std::move(*text);
}

}  // namespace

Result<std::vector<ZippedFile>> read_zip(std::string_view archive, const ZipLimits& limits,
                                         const std::function<bool(std::string_view)>& wanted) {
  const Bytes bytes(archive);
  std::vector<ZippedFile> files;
  size_t together = 0;
  for (const Entry& entry : TRY(read_directory(bytes, limits))) {
    if (!entry.regular || !wanted(entry.name)) continue;
    std::string text = TRY(content_of(bytes, entry, limits.most_bytes));
    together += text.size();
    if (together > limits.most_together)
      return damaged(fmt::format("its files have more than {} MiB together", limits.most_together >> 20));
    files.push_back({entry.name, std::move(text)});
  }
  return files;
}

}  // namespace warpwise::lab
