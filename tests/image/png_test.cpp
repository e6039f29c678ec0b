// Pictures as files, read by zlib and by hand.
#include "image/png.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <vector>

namespace warpwise::image {
namespace {

struct Chunk {
  std::string type, body;
};

uint32_t number(std::string_view at) {
  return uint32_t(uint8_t(at[0])) << 24 | uint32_t(uint8_t(at[1])) << 16 | uint32_t(uint8_t(at[2])) << 8 |
         uint8_t(at[3]);
}

std::vector<Chunk> chunks_of(std::string_view png) {
  EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  std::vector<Chunk> chunks;
  for (size_t at = 8; at + 12 <= png.size();) {
    const uint32_t bytes = number(png.substr(at));
    const std::string_view checked = png.substr(at + 4, 4 + bytes);
    EXPECT_EQ(number(png.substr(at + 8 + bytes)),
              uint32_t(crc32(0, reinterpret_cast<const Bytef*>(checked.data()), uInt(checked.size()))));
    chunks.push_back({std::string(checked.substr(0, 4)), std::string(checked.substr(4))});
    at += 12 + bytes;
  }
  return chunks;
}

// Each row begins with 1: what follows are differences to the pixel before.
std::string pixels_of(std::string_view compressed, uint32_t width, uint32_t height) {
  std::string rows((width * 4 + 1) * height, 0), pixels;
  uLongf bytes = rows.size();
  EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(rows.data()), &bytes, reinterpret_cast<const Bytef*>(compressed.data()),
                       compressed.size()),
            Z_OK);
  for (size_t y = 0; y < height; ++y) {
    EXPECT_EQ(rows[y * (width * 4 + 1)], 1);
    for (size_t x = 0; x < width * 4; ++x)
      pixels += char(rows[y * (width * 4 + 1) + 1 + x] + (x < 4 ? 0 : pixels[pixels.size() - 4]));
  }
  return pixels;
}

TEST(Png, holds_a_picture) {
  std::string pixels;
  for (int n = 0; n < 3 * 2 * 4; ++n) pixels += char(37 * n);
  const auto chunks = chunks_of(png_of(std::vector{pixels}, 3, 2, 40));
  ASSERT_EQ(chunks.size(), 3u);
  EXPECT_EQ(chunks[0].type, "IHDR");
  EXPECT_EQ(number(chunks[0].body), 3u);
  EXPECT_EQ(chunks[1].type, "IDAT");
  EXPECT_EQ(pixels_of(chunks[1].body, 3, 2), pixels);
  EXPECT_EQ(chunks[2].type, "IEND");
}

TEST(Png, holds_frames_in_their_order) {
  const std::vector<std::string> frames{std::string(16, 1), std::string(16, 2), std::string(16, 3)};
  std::vector<uint32_t> sequence;
  std::vector<std::string> found;
  for (const Chunk& chunk : chunks_of(png_of(frames, 2, 2, 40))) {
    if (chunk.type == "acTL") {
      EXPECT_EQ(number(chunk.body), 3u);
    }
    if (chunk.type == "fcTL" || chunk.type == "fdAT") sequence.push_back(number(chunk.body));
    if (chunk.type == "IDAT") found.push_back(pixels_of(chunk.body, 2, 2));
    if (chunk.type == "fdAT") found.push_back(pixels_of(std::string_view(chunk.body).substr(4), 2, 2));
  }
  EXPECT_EQ(found, frames);
  EXPECT_EQ(sequence, (std::vector<uint32_t>{0, 1, 2, 3, 4}));
}

}  // namespace
}  // namespace warpwise::image
