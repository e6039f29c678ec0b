// A PNG writer without a library: the deflate stream holds stored blocks, which every reader accepts, so
// all that is needed is two checksums and big-endian numbers (RFC 1950, RFC 1951, the PNG specification).
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace png {

using Bytes = std::vector<unsigned char>;

inline void put32(Bytes& to, uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) to.push_back((unsigned char)(value >> shift));
}

inline uint32_t crc32(const unsigned char* data, size_t size) {
  uint32_t crc = 0xffffffffu;
  for (size_t i = 0; i < size; ++i) {
    crc ^= data[i];
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (0xedb88320u & (0u - (crc & 1)));
  }
  return ~crc;
}

inline uint32_t adler32(const Bytes& data) {
  uint32_t a = 1, b = 0;
  for (unsigned char byte : data) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}

inline void chunk(Bytes& to, const char* type, const Bytes& body) {
  put32(to, uint32_t(body.size()));
  size_t start = to.size();
  to.insert(to.end(), type, type + 4);
  to.insert(to.end(), body.begin(), body.end());
  put32(to, crc32(&to[start], to.size() - start));
}

// Eight bits each of red, green and blue, rows from the top. False when the file cannot be written.
inline bool write(const std::string& path, int width, int height, const Bytes& rgb) {
  Bytes rows;  // each row begins with its filter: 0, none
  for (int y = 0; y < height; ++y) {
    rows.push_back(0);
    rows.insert(rows.end(), rgb.begin() + size_t(y) * width * 3, rgb.begin() + size_t(y + 1) * width * 3);
  }
  Bytes stream = {0x78, 0x01};
  for (size_t at = 0; at < rows.size(); at += 65535) {
    size_t size = rows.size() - at < 65535 ? rows.size() - at : 65535;
    stream.push_back(at + size == rows.size());  // the last block says so
    for (size_t field : {size, ~size}) {
      stream.push_back((unsigned char)field);
      stream.push_back((unsigned char)(field >> 8));
    }
    stream.insert(stream.end(), rows.begin() + at, rows.begin() + at + size);
  }
  put32(stream, adler32(rows));

  Bytes header;
  put32(header, uint32_t(width));
  put32(header, uint32_t(height));
  header.insert(header.end(), {8, 2, 0, 0, 0});  // 8 bits, RGB, deflate, no filter method, not interlaced
  Bytes file = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  chunk(file, "IHDR", header);
  chunk(file, "IDAT", stream);
  chunk(file, "IEND", {});

  std::FILE* out = std::fopen(path.c_str(), "wb");
  if (!out) return false;
  bool good = std::fwrite(file.data(), 1, file.size(), out) == file.size();
  return std::fclose(out) == 0 && good;
}

}  // namespace png
