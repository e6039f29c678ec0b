// Labelled images in memory, as bytes; where they come from; and the files they are kept in.
//
// The IDX format of the MNIST files: a big-endian magic number (0, 0, type 8 = byte, number of dimensions), the
// dimensions, the bytes. Files may be compressed with gzip. Every header field is checked.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../network.h"

namespace mnist {

struct Images {
  std::vector<uint8_t> pixels;  // count × 784
  std::vector<uint8_t> labels;  // count, each 0 … 9
  bool synthetic = false;       // shown with every figure
  std::string origin;           // their origin, as text

  int count() const { return int(labels.size()); }
  const uint8_t* image(int i) const { return &pixels[size_t(i) * kPixels1]; }
};

enum class Part { Train, Test };

// The files of a folder, or synthetic images: `where` is a folder or "synthetic". Reads at most `limit` images (0:
// all).
Images load_images(const std::string& where, Part part, int limit = 0, uint64_t seed = 1);

// Writes both files of a part into a folder; a file called SYNTHETIC beside them marks synthetic images.
void save_images(const Images& images, const std::string& folder, Part part);

// A whole file, decompressed if it is gzip.
std::vector<uint8_t> read_file(const std::string& path);

}  // namespace mnist
