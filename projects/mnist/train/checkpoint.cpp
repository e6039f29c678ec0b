#include "checkpoint.h"

#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>

#include "../data/images.h"
#include "../error.h"

namespace mnist {
namespace {

std::string shape_text(const std::vector<long>& shape) {
  std::string text = "[";
  for (long size : shape) text += (text.size() > 1 ? "," : "") + std::to_string(size);
  return text + "]";
}

std::vector<long> shape_of(const ParameterInfo& p) { return {p.shape.begin(), p.shape.begin() + p.rank()}; }

// As much JSON as the header of a safetensors file has: objects of strings, of arrays of integers, and of such objects.
class Header {
 public:
  struct Tensor {
    std::string type;
    std::vector<long> shape, offsets;
  };

  Header(const std::string& text, const std::string& file) : text_(text), file_(file) {
    expect('{');
    if (!next_is('}')) do {
        std::string name = string();
        expect(':');
        name == "__metadata__" ? skip_object() : tensor(tensors[name]);
      } while (next_is(','));
  }
  std::map<std::string, Tensor> tensors;

 private:
  [[noreturn]] void bad() const { fail("%s: the header cannot be read at its byte %zu", file_.c_str(), at_); }
  bool next_is(char c) {
    while (at_ < text_.size() && std::strchr(" \t\r\n", text_[at_])) ++at_;
    if (at_ < text_.size() && text_[at_] == c) return ++at_, true;
    if (c == ',' && at_ < text_.size() && (text_[at_] == '}' || text_[at_] == ']')) return ++at_, false;  // ends a list
    return false;
  }
  void expect(char c) {
    if (!next_is(c)) bad();
  }
  std::string string() {
    expect('"');
    std::string value;
    while (at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] == '\\') ++at_;
      if (at_ < text_.size()) value += text_[at_++];
    }
    if (at_++ >= text_.size()) bad();
    return value;
  }
  std::vector<long> numbers() {
    std::vector<long> values;
    expect('[');
    if (next_is(']')) return values;
    do {
      char* end;
      errno = 0;
      values.push_back(std::strtol(text_.c_str() + at_, &end, 10));
      if (end == text_.c_str() + at_ || errno) bad();
      at_ = size_t(end - text_.c_str());
    } while (next_is(','));
    return values;
  }
  void skip_object() {
    expect('{');
    if (!next_is('}')) do {
        string();
        expect(':');
        string();
      } while (next_is(','));
  }
  void tensor(Tensor& t) {
    expect('{');
    do {
      std::string key = string();
      expect(':');
      if (key == "dtype") t.type = string();
      else if (key == "shape") t.shape = numbers();
      else if (key == "data_offsets") t.offsets = numbers();
      else bad();
    } while (next_is(','));
  }

  const std::string& text_;
  const std::string& file_;
  size_t at_ = 0;
};

}  // namespace

void save_checkpoint(const std::string& path, const std::vector<float>& parameters) {
  std::string header = "{\"__metadata__\":{\"format\":\"pt\"}";
  for (const ParameterInfo& p : kParameters) {
    size_t begin = size_t(p.offset) * sizeof(float), end = begin + size_t(p.count()) * sizeof(float);
    header += std::string(",\"") + p.name + "\":{\"dtype\":\"F32\",\"shape\":" + shape_text(shape_of(p)) + ",\"data_offsets\":[" +
              std::to_string(begin) + "," + std::to_string(end) + "]}";
  }
  header += "}";
  header.resize((header.size() + 7) / 8 * 8, ' ');  // the numbers begin at a multiple of 8

  std::string temporary = path + ".part";
  std::FILE* out = std::fopen(temporary.c_str(), "wb");
  if (!out) fail("%s: %s", temporary.c_str(), std::strerror(errno));
  unsigned char length[8];
  for (int i = 0; i < 8; ++i) length[i] = (unsigned char)(uint64_t(header.size()) >> (8 * i));
  bool good = std::fwrite(length, 1, 8, out) == 8 && std::fwrite(header.data(), 1, header.size(), out) == header.size() &&
              std::fwrite(parameters.data(), sizeof(float), parameters.size(), out) == parameters.size() && std::fflush(out) == 0 &&
              fsync(fileno(out)) == 0;
  int why = errno;
  if (std::fclose(out) != 0 || !good) {
    unlink(temporary.c_str());
    fail("%s: could not be written: %s; %s is as it was", temporary.c_str(), std::strerror(why), path.c_str());
  }
  if (std::rename(temporary.c_str(), path.c_str()) != 0) fail("%s: %s", path.c_str(), std::strerror(errno));
}

std::vector<float> load_checkpoint(const std::string& path) {
  std::vector<uint8_t> file = read_file(path);
  uint64_t length = 0;
  if (file.size() >= 8) std::memcpy(&length, file.data(), 8);
  if (file.size() < 8 || length > file.size() - 8) fail("%s: not a safetensors file, or cut off in its header", path.c_str());
  Header header({file.begin() + 8, file.begin() + 8 + long(length)}, path);
  const uint8_t* data = &file[8 + length];
  long bytes = long(file.size() - 8 - length);

  std::vector<float> parameters(kParameterCount);
  for (const ParameterInfo& p : kParameters) {
    auto found = header.tensors.find(p.name);
    if (found == header.tensors.end()) fail("%s: has no tensor %s: a checkpoint of another network", path.c_str(), p.name);
    const Header::Tensor& t = found->second;
    if (t.type != "F32") fail("%s: %s has type %s; F32 is expected", path.c_str(), p.name, t.type.c_str());
    if (t.shape != shape_of(p))
      fail("%s: %s has shape %s; this network's has %s", path.c_str(), p.name, shape_text(t.shape).c_str(), shape_text(shape_of(p)).c_str());
    if (t.offsets.size() != 2 || t.offsets[0] < 0 || t.offsets[1] > bytes || t.offsets[1] - t.offsets[0] != p.count() * long(sizeof(float)))
      fail("%s: the numbers of %s lie outside the file, or are too few: it is cut off or damaged", path.c_str(), p.name);
    std::memcpy(&parameters[p.offset], data + t.offsets[0], size_t(p.count()) * sizeof(float));
  }
  return parameters;
}

}  // namespace mnist
