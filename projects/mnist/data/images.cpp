#include "images.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "../error.h"
#include "digits.h"
#include "inflate.h"

namespace mnist {
namespace {

bool exists(const std::string& path) {
  struct stat about;
  return stat(path.c_str(), &about) == 0;
}

const char* prefix(Part part) { return part == Part::Train ? "train" : "t10k"; }

// The files have two spellings, plain or compressed.
std::string find_file(const std::string& folder, Part part, const char* kind, int rank) {
  for (const char* dash : {"-", "."})
    for (const char* packed : {"", ".gz"}) {
      std::string path = folder + "/" + prefix(part) + "-" + kind + dash + "idx" + std::to_string(rank) + "-ubyte" + packed;
      if (exists(path)) return path;
    }
  fail("%s: there is no %s-%s-idx%d-ubyte (or .gz) there\n"
       "  `projects/mnist/data/fetch.sh %s` downloads the MNIST files; --data=synthetic needs none",
       folder.c_str(), prefix(part), kind, rank, folder.c_str());
}

uint32_t big32(const uint8_t* p) { return uint32_t(p[0]) << 24 | p[1] << 16 | p[2] << 8 | p[3]; }

// The payload of an IDX file of bytes whose dimensions after the first are `inner`; the first is the count.
std::vector<uint8_t> read_idx(const std::string& path, const std::vector<uint32_t>& inner, const char* what) {
  std::vector<uint8_t> file = read_file(path);
  size_t header = 4 + 4 * (1 + inner.size());
  if (file.size() < header) fail("%s: %zu bytes are too few for the header of an IDX file", path.c_str(), file.size());
  if (file[0] || file[1]) fail("%s: not an IDX file (it begins with %02x %02x, not 00 00)", path.c_str(), file[0], file[1]);
  if (file[2] != 8) fail("%s: the elements have type %02x; only 08, bytes, is expected here", path.c_str(), file[2]);
  if (file[3] != 1 + inner.size())
    fail("%s: has %d dimensions, but %s have %zu: were images and labels swapped?", path.c_str(), file[3], what, 1 + inner.size());
  size_t count = big32(&file[4]), each = 1;
  for (size_t i = 0; i < inner.size(); ++i) {
    uint32_t size = big32(&file[8 + 4 * i]);
    if (size != inner[i]) fail("%s: dimension %zu is %u; %u is expected", path.c_str(), i + 1, size, inner[i]);
    each *= inner[i];
  }
  if (count == 0) fail("%s: is empty", path.c_str());
  if (file.size() - header != count * each)
    fail("%s: the header promises %zu × %zu bytes, %zu follow: the file is cut off or damaged", path.c_str(), count, each,
         file.size() - header);
  file.erase(file.begin(), file.begin() + long(header));
  return file;
}

void write_idx(const std::string& path, const std::vector<uint32_t>& shape, const std::vector<uint8_t>& bytes) {
  std::vector<uint8_t> file = {0, 0, 8, uint8_t(shape.size())};
  for (uint32_t size : shape)
    for (int shift = 24; shift >= 0; shift -= 8) file.push_back(uint8_t(size >> shift));
  file.insert(file.end(), bytes.begin(), bytes.end());
  std::FILE* out = std::fopen(path.c_str(), "wb");
  if (!out) fail("%s: %s", path.c_str(), std::strerror(errno));
  bool good = std::fwrite(file.data(), 1, file.size(), out) == file.size();
  if (std::fclose(out) != 0 || !good) fail("%s: could not be written: %s", path.c_str(), std::strerror(errno));
}

}  // namespace

std::vector<uint8_t> read_file(const std::string& path) {
  std::FILE* in = std::fopen(path.c_str(), "rb");
  if (!in) fail("%s: %s", path.c_str(), std::strerror(errno));
  std::vector<uint8_t> bytes;
  uint8_t block[1 << 16];
  for (size_t n; (n = std::fread(block, 1, sizeof block, in)) > 0;) bytes.insert(bytes.end(), block, block + n);
  bool bad = std::ferror(in);
  std::fclose(in);
  if (bad) fail("%s: %s", path.c_str(), std::strerror(errno));
  if (bytes.size() >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b) return gunzip(bytes, path);
  return bytes;
}

Images load_images(const std::string& where, Part part, int limit, uint64_t seed) {
  if (where == "synthetic") {
    int whole = part == Part::Train ? 60000 : 10000;
    return make_digits(limit > 0 ? std::min(limit, whole) : whole, part, seed);
  }
  Images images;
  std::string pixels = find_file(where, part, "images", 3), labels = find_file(where, part, "labels", 1);
  images.pixels = read_idx(pixels, {kSide1, kSide1}, "images");
  images.labels = read_idx(labels, {}, "labels");
  images.synthetic = exists(where + "/SYNTHETIC");
  images.origin = where;
  size_t count = images.pixels.size() / kPixels1;
  if (count != images.labels.size())
    fail("%s holds %zu images, %s %zu labels: they do not belong together", pixels.c_str(), count, labels.c_str(),
         images.labels.size());
  for (size_t i = 0; i < count; ++i)
    if (images.labels[i] >= kClasses) fail("%s: label %zu is %d; labels are 0 to 9", labels.c_str(), i, images.labels[i]);
  if (limit > 0 && size_t(limit) < count) {
    images.pixels.resize(size_t(limit) * kPixels1);
    images.labels.resize(size_t(limit));
  }
  return images;
}

void save_images(const Images& images, const std::string& folder, Part part) {
  if (mkdir(folder.c_str(), 0777) != 0 && errno != EEXIST) fail("%s: %s", folder.c_str(), std::strerror(errno));
  std::string start = folder + "/" + prefix(part);
  uint32_t count = uint32_t(images.count());
  write_idx(start + "-images-idx3-ubyte", {count, kSide1, kSide1}, images.pixels);
  write_idx(start + "-labels-idx1-ubyte", {count}, images.labels);
  if (!images.synthetic) return;
  std::string note = folder + "/SYNTHETIC";
  std::FILE* out = std::fopen(note.c_str(), "w");
  if (!out) fail("%s: %s", note.c_str(), std::strerror(errno));
  std::fprintf(out, "These digits were drawn by `mnist generate`; they are not the MNIST data.\n");
  std::fclose(out);
}

}  // namespace mnist
