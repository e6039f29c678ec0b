#include "image/png.h"

#include <zlib.h>

#include <string_view>

namespace warpwise::image {

namespace {

void put(std::string& out, uint32_t number, unsigned bytes = 4) {
  while (bytes-- > 0) out += char(number >> (8 * bytes));
}

void add_chunk(std::string& out, std::string_view type, std::string_view body) {
  put(out, uint32_t(body.size()));
  std::string checked(type);
  checked += body;
  out += checked;
  put(out, uint32_t(crc32(0, reinterpret_cast<const Bytef*>(checked.data()), uInt(checked.size()))));
}

// Each row begins with its filter: 1, the difference to the pixel before.
std::string compressed(const std::string& pixels, uint32_t width, uint32_t height) {
  constexpr size_t kBytes = 4;
  const size_t row = width * kBytes;
  std::string rows;
  rows.reserve((row + 1) * height);
  for (size_t y = 0; y < height; ++y) {
    rows += char(1);
    for (size_t x = 0; x < row; ++x)
      rows += char(pixels[y * row + x] - (x < kBytes ? 0 : pixels[y * row + x - kBytes]));
  }
  uLongf bytes = compressBound(uLong(rows.size()));
  std::string out(bytes, 0);
  constexpr int kQuick = 3;
  compress2(reinterpret_cast<Bytef*>(out.data()), &bytes, reinterpret_cast<const Bytef*>(rows.data()),
            uLong(rows.size()), kQuick);
  out.resize(bytes);
  return out;
}

}  // namespace

std::string png_of(std::span<const std::string> frames, uint32_t width, uint32_t height, uint16_t milliseconds) {
  std::string out = "\x89PNG\r\n\x1a\n", body;
  put(body, width), put(body, height);
  body += std::string("\x08\x06\0\0\0", 5);  // 8 bits, red green blue opacity
  add_chunk(out, "IHDR", body);
  const bool several = frames.size() > 1;
  if (several) {
    body.clear(), put(body, uint32_t(frames.size())), put(body, 0);  // for ever
    add_chunk(out, "acTL", body);
  }
  uint32_t sequence = 0;
  for (const std::string& frame : frames) {
    if (several) {
      body.clear();
      put(body, sequence++), put(body, width), put(body, height), put(body, 0), put(body, 0);
      put(body, milliseconds, 2), put(body, 1000, 2), put(body, 0, 2);  // replaces what was there
      add_chunk(out, "fcTL", body);
    }
    body.clear();
    const bool first = &frame == frames.data();
    if (!first) put(body, sequence++);
    body += compressed(frame, width, height);
    add_chunk(out, first ? "IDAT" : "fdAT", body);
  }
  add_chunk(out, "IEND", "");
  return out;
}

}  // namespace warpwise::image
