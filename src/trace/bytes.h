// Numbers as bytes, for the columns of trace files: variable-length numbers, seven bits a byte, the lowest first;
// signed ones in zigzag order (0, -1, 1, -2). A reader trusts nothing: where the bytes end too early, or a number has
// more than 64 bits, it answers 0 and is bad() from then on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace warpwise::trace {

class ByteWriter {
 public:
  void number(uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }
  void difference(uint64_t value, uint64_t from) {
    const uint64_t d = value - from;
    number(d << 1 ^ (d >> 63 ? ~uint64_t{0} : 0));
  }
  void byte(uint8_t value) { bytes_ += static_cast<char>(value); }
  void word(uint32_t value) {
    for (int shift = 0; shift < 32; shift += 8) byte(static_cast<uint8_t>(value >> shift));
  }
  void append(std::string_view bytes) { bytes_ += bytes; }
  // A column: its length, then its bytes.
  void column(const ByteWriter& column) {
    number(column.bytes_.size());
    bytes_ += column.bytes_;
  }
  const std::string& bytes() const { return bytes_; }
  size_t size() const { return bytes_.size(); }
  void clear() { bytes_.clear(); }

 private:
  std::string bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  uint64_t number() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (at_ == bytes_.size()) break;
      const uint8_t byte = static_cast<uint8_t>(bytes_[at_++]);
      if (shift == 63 && byte > 1) break;
      value |= uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return value;
    }
    return fail();
  }
  // At most `most`.
  uint64_t number_up_to(uint64_t most) {
    const uint64_t value = number();
    return value <= most ? value : fail();
  }
  uint64_t difference(uint64_t from) {
    const uint64_t z = number();
    return from + (z >> 1 ^ (z & 1 ? ~uint64_t{0} : 0));
  }
  uint8_t byte() { return at_ < bytes_.size() ? static_cast<uint8_t>(bytes_[at_++]) : static_cast<uint8_t>(fail()); }
  uint32_t word() {
    uint32_t value = 0;
    for (int shift = 0; shift < 32; shift += 8) value |= uint32_t{byte()} << shift;
    return value;
  }
  std::string_view column() {
    const uint64_t size = number();
    if (bad_ || size > bytes_.size() - at_) {
      fail();
      return {};
    }
    at_ += size;
    return bytes_.substr(at_ - size, size);
  }
  bool bad() const { return bad_; }
  bool at_end() const { return at_ == bytes_.size(); }

 private:
  uint64_t fail() {
    bad_ = true, at_ = bytes_.size();
    return 0;
  }

  std::string_view bytes_;
  size_t at_ = 0;
  bool bad_ = false;
};

}  // namespace warpwise::trace
