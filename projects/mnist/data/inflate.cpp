#include "inflate.h"

#include <array>

#include "../../../examples/png.h"
#include "../error.h"

namespace mnist {
namespace {

class Inflater {
 public:
  Inflater(const uint8_t* data, size_t size, const std::string& name, size_t limit)
      : data_(data), size_(size), name_(name), limit_(limit) {}

  std::vector<uint8_t> run() {
    bool last = false;
    while (!last) {
      last = bits(1);
      switch (bits(2)) {
        case 0: stored(); break;
        case 1: fixed(); break;
        case 2: dynamic(); break;
        default: corrupt();
      }
    }
    return std::move(out_);
  }
  size_t position() const { return at_; }  // of the first byte that was not touched

 private:
  // A canonical code: codes of one length are consecutive, so the counts per length and the symbols in order define it.
  struct Code {
    std::array<int, 16> count{};
    std::vector<int> symbols;
  };

  [[noreturn]] void corrupt() const { fail("%s: the compressed data is corrupt", name_.c_str()); }

  unsigned bits(int n) {
    while (held_ < n) {
      if (at_ == size_) fail("%s: the compressed data ends too early", name_.c_str());
      buffer_ |= uint64_t(data_[at_++]) << held_;
      held_ += 8;
    }
    unsigned value = unsigned(buffer_ & ((uint64_t(1) << n) - 1));
    buffer_ >>= n;
    held_ -= n;
    return value;
  }

  static Code make_code(const uint8_t* lengths, int n) {
    Code code;
    for (int i = 0; i < n; ++i) ++code.count[lengths[i]];
    code.count[0] = 0;
    for (int length = 1; length < 16; ++length)
      for (int i = 0; i < n; ++i)
        if (lengths[i] == length) code.symbols.push_back(i);
    return code;
  }

  int symbol(const Code& code) {
    int value = 0, first = 0, index = 0;  // the code so far; the first code of this length; the symbols of shorter ones
    for (int length = 1; length < 16; ++length) {
      value |= int(bits(1));
      if (value - first < code.count[length]) return code.symbols[index + value - first];
      index += code.count[length];
      first = (first + code.count[length]) << 1;
      value <<= 1;
    }
    corrupt();
  }

  void put(uint8_t byte) {
    if (out_.size() == limit_) fail("%s: unpacks to more than %zu bytes", name_.c_str(), limit_);
    out_.push_back(byte);
  }

  void stored() {
    buffer_ = 0;  // the rest of the byte is padding; whole bytes are never held
    held_ = 0;
    unsigned length = bits(16), check = bits(16);
    if (length != (check ^ 0xffff)) corrupt();
    while (length--) put(uint8_t(bits(8)));
  }

  void fixed() {
    std::array<uint8_t, 288> lengths;
    for (int i = 0; i < 288; ++i) lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    std::array<uint8_t, 30> distances;
    distances.fill(5);
    compressed(make_code(lengths.data(), 288), make_code(distances.data(), 30));
  }

  void dynamic() {
    static constexpr uint8_t kOrder[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    int literals = int(bits(5)) + 257, distances = int(bits(5)) + 1, meta = int(bits(4)) + 4;
    std::array<uint8_t, 19> meta_lengths{};
    for (int i = 0; i < meta; ++i) meta_lengths[kOrder[i]] = uint8_t(bits(3));
    Code code = make_code(meta_lengths.data(), 19);
    std::array<uint8_t, 320> lengths{};
    for (int i = 0; i < literals + distances;) {
      int s = symbol(code), repeat = 1;
      uint8_t value = uint8_t(s);
      if (s == 16) {
        if (i == 0) corrupt();
        value = lengths[i - 1];
        repeat = 3 + int(bits(2));
      } else if (s > 16) {
        value = 0;
        repeat = s == 17 ? 3 + int(bits(3)) : 11 + int(bits(7));
      }
      if (i + repeat > literals + distances) corrupt();
      while (repeat--) lengths[i++] = value;
    }
    compressed(make_code(lengths.data(), literals), make_code(&lengths[literals], distances));
  }

  void compressed(const Code& literals, const Code& distances) {
    static constexpr uint16_t kLength[29] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                             31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
    static constexpr uint8_t kLengthBits[29] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    for (;;) {
      int s = symbol(literals);
      if (s < 256) {
        put(uint8_t(s));
        continue;
      }
      if (s == 256) return;
      if (s - 257 >= 29) corrupt();
      size_t length = kLength[s - 257] + bits(kLengthBits[s - 257]);
      int d = symbol(distances);
      if (d >= 30) corrupt();
      int extra = d < 4 ? 0 : d / 2 - 1;  // the distances double every two symbols
      size_t distance = (d < 4 ? size_t(d) : size_t(2 + d % 2) << extra) + 1 + bits(extra);
      if (distance > out_.size()) corrupt();
      while (length--) put(out_[out_.size() - distance]);
    }
  }

  const uint8_t* data_;
  size_t size_, at_ = 0;
  const std::string& name_;
  size_t limit_;
  uint64_t buffer_ = 0;
  int held_ = 0;
  std::vector<uint8_t> out_;
};

uint32_t little32(const uint8_t* p) { return p[0] | p[1] << 8 | p[2] << 16 | uint32_t(p[3]) << 24; }

}  // namespace

std::vector<uint8_t> gunzip(const std::vector<uint8_t>& file, const std::string& name, size_t limit) {
  constexpr int kHeader = 10, kTrailer = 8;
  if (file.size() < kHeader + kTrailer || file[0] != 0x1f || file[1] != 0x8b || file[2] != 8)
    fail("%s: not a gzip file, or cut off in its header", name.c_str());
  enum { HasCheck = 2, HasExtra = 4, HasName = 8, HasComment = 16 };
  uint8_t flags = file[3];
  size_t at = kHeader;
  auto need = [&](size_t n) {
    if (at + n > file.size()) fail("%s: cut off in the gzip header", name.c_str());
  };
  if (flags & HasExtra) {
    need(2);
    at += 2 + size_t(file[at] | file[at + 1] << 8);
  }
  for (int field : {HasName, HasComment})
    if (flags & field)
      do need(1);
      while (file[at++]);
  if (flags & HasCheck) at += 2;
  need(kTrailer);

  Inflater inflater(&file[at], file.size() - at - kTrailer, name, limit);
  std::vector<uint8_t> bytes = inflater.run();
  const uint8_t* trailer = &file[at + inflater.position()];
  if (png::crc32(bytes.data(), bytes.size()) != little32(trailer) || uint32_t(bytes.size()) != little32(trailer + 4))
    fail("%s: the checksum of the unpacked data is wrong: the file is damaged", name.c_str());
  return bytes;
}

std::vector<uint8_t> inflate_zlib(const std::vector<uint8_t>& stream, const std::string& name, size_t limit) {
  if (stream.size() < 6 || (stream[0] & 15) != 8 || (stream[0] << 8 | stream[1]) % 31 != 0 || stream[1] & 32)
    fail("%s: not a zlib stream", name.c_str());
  Inflater inflater(&stream[2], stream.size() - 2 - 4, name, limit);
  std::vector<uint8_t> bytes = inflater.run();
  const uint8_t* trailer = &stream[2 + inflater.position()];
  uint32_t want = uint32_t(trailer[0]) << 24 | trailer[1] << 16 | trailer[2] << 8 | trailer[3];
  if (png::adler32(bytes) != want) fail("%s: the checksum of the unpacked data is wrong: the file is damaged", name.c_str());
  return bytes;
}

}  // namespace mnist
