#include "read_png.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "../../../examples/png.h"
#include "../error.h"
#include "images.h"
#include "inflate.h"

namespace mnist {
namespace {

struct Grey {
  int width, height;
  std::vector<uint8_t> pixels;
};

uint32_t big32(const uint8_t* p) { return uint32_t(p[0]) << 24 | p[1] << 16 | p[2] << 8 | p[3]; }

// Undoes the row filters (PNG specification, 9.2), in place.
void unfilter(std::vector<uint8_t>& rows, int height, size_t row_bytes, size_t pixel_bytes, const std::string& path) {
  for (int y = 0; y < height; ++y) {
    uint8_t* row = &rows[size_t(y) * (row_bytes + 1)];
    const uint8_t* above = y ? row - row_bytes : nullptr;
    int filter = *row++;
    if (filter > 4) fail("%s: row %d has filter %d, which does not exist", path.c_str(), y, filter);
    for (size_t i = 0; i < row_bytes; ++i) {
      int left = i >= pixel_bytes ? row[i - pixel_bytes] : 0, up = above ? above[i] : 0, corner = above && i >= pixel_bytes ? above[i - pixel_bytes] : 0;
      int guess = left + up - corner, a = std::abs(guess - left), b = std::abs(guess - up), c = std::abs(guess - corner);
      int paeth = a <= b && a <= c ? left : b <= c ? up : corner;
      const int predictions[5] = {0, left, up, (left + up) / 2, paeth};
      row[i] = uint8_t(row[i] + predictions[filter]);
    }
  }
}

Grey read_grey(const std::string& path) {
  std::vector<uint8_t> file = read_file(path);
  static const uint8_t kSignature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  if (file.size() < 8 || std::memcmp(file.data(), kSignature, 8) != 0) fail("%s: not a PNG file", path.c_str());
  std::vector<uint8_t> header, palette, packed;
  for (size_t at = 8; at + 12 <= file.size();) {
    size_t length = big32(&file[at]);
    if (length > file.size() - at - 12) fail("%s: cut off in the middle of a chunk", path.c_str());
    const uint8_t* body = &file[at + 8];
    if (png::crc32(&file[at + 4], length + 4) != big32(body + length)) fail("%s: a checksum is wrong: the file is damaged", path.c_str());
    auto is = [&](const char* type) { return std::memcmp(&file[at + 4], type, 4) == 0; };
    if (is("IHDR")) header.assign(body, body + length);
    if (is("PLTE")) palette.assign(body, body + length);
    if (is("IDAT")) packed.insert(packed.end(), body, body + length);
    at += length + 12;
  }
  if (header.size() != 13) fail("%s: has no proper header", path.c_str());
  uint32_t width = big32(&header[0]), height = big32(&header[4]);
  int depth = header[8], colour = header[9];
  constexpr uint32_t kMost = 8192;
  if (width == 0 || height == 0 || width > kMost || height > kMost) fail("%s: %u × %u pixels; 1 to %u are read here", path.c_str(), width, height, kMost);
  int channels = colour == 0 || colour == 3 ? 1 : colour == 2 ? 3 : colour == 4 ? 2 : colour == 6 ? 4 : 0;
  if (depth != 8 || !channels || header[12]) fail("%s: only pictures of 8 bits per channel, not interlaced, are read here", path.c_str());
  if (colour == 3 && palette.empty()) fail("%s: has no palette", path.c_str());

  size_t row_bytes = size_t(width) * channels, want = (row_bytes + 1) * height;
  std::vector<uint8_t> rows = inflate_zlib(packed, path, want);
  if (rows.size() != want) fail("%s: holds %zu bytes of pixels, not %zu", path.c_str(), rows.size(), want);
  unfilter(rows, int(height), row_bytes, size_t(channels), path);

  Grey grey{int(width), int(height), {}};
  for (uint32_t y = 0; y < height; ++y)
    for (uint32_t x = 0; x < width; ++x) {
      const uint8_t* p = &rows[y * (row_bytes + 1) + 1 + x * size_t(channels)];
      int alpha = colour == 4 ? p[1] : colour == 6 ? p[3] : 255;
      if (colour == 3) {
        if (size_t(*p) * 3 + 2 >= palette.size()) fail("%s: a pixel names colour %d, which the palette has not", path.c_str(), *p);
        p = &palette[size_t(*p) * 3];
      }
      int value = colour == 0 || colour == 4 ? p[0] : (p[0] * 299 + p[1] * 587 + p[2] * 114) / 1000;
      grey.pixels.push_back(uint8_t((value * alpha + 255 * (255 - alpha)) / 255));  // transparent pixels are white paper
    }
  return grey;
}

// White on black, as in MNIST: the colour of the paper is that of the border.
void make_ink_bright(Grey& g) {
  long border = 0, count = 0;
  for (int y = 0; y < g.height; ++y)
    for (int x = 0; x < g.width; ++x)
      if (x == 0 || y == 0 || x == g.width - 1 || y == g.height - 1) border += g.pixels[size_t(y) * g.width + x], ++count;
  if (border <= 127 * count) return;
  for (uint8_t& p : g.pixels) p = uint8_t(255 - p);
}

}  // namespace

std::array<uint8_t, kPixels1> read_digit(const std::string& path) {
  Grey g = read_grey(path);
  make_ink_bright(g);
  std::array<uint8_t, kPixels1> digit{};
  int left = g.width, right = -1, top = g.height, bottom = -1;
  double mass = 0, mx = 0, my = 0;
  for (int y = 0; y < g.height; ++y)
    for (int x = 0; x < g.width; ++x) {
      double ink = g.pixels[size_t(y) * g.width + x];
      if (ink < 40) continue;
      left = std::min(left, x), right = std::max(right, x), top = std::min(top, y), bottom = std::max(bottom, y);
      mass += ink, mx += ink * (x + 0.5), my += ink * (y + 0.5);
    }
  if (right < 0) fail("%s: there is no ink in the picture", path.c_str());
  if (g.width == kSide1 && g.height == kSide1) {  // made for this
    std::copy(g.pixels.begin(), g.pixels.end(), digit.begin());
    return digit;
  }
  double scale = std::max(right - left + 1, bottom - top + 1) / 20.0;
  for (int y = 0; y < kSide1; ++y)
    for (int x = 0; x < kSide1; ++x) {
      // The mean of the source pixels under this one; at least 4×4 samples.
      constexpr int kSamples = 8;
      double sum = 0;
      for (int k = 0; k < kSamples * kSamples; ++k) {
        int sx = int(std::floor(mx / mass + (x + (k % kSamples + 0.5) / kSamples - 14) * scale));
        int sy = int(std::floor(my / mass + (y + (k / kSamples + 0.5) / kSamples - 14) * scale));
        if (sx >= 0 && sy >= 0 && sx < g.width && sy < g.height) sum += g.pixels[size_t(sy) * g.width + sx];
      }
      digit[size_t(y) * kSide1 + x] = uint8_t(sum / (kSamples * kSamples));
    }
  return digit;
}

}  // namespace mnist
