#include "toolchain/device_code.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>

#include "cuda/runtime/module/fatbinary.h"

namespace warpwise::toolchain {

namespace {

namespace fs = std::filesystem;
using cuda::kContainerMagic;
using cuda::kReferencePrefix;

class Reader {
 public:
  Reader(unsigned architecture, const fs::path& modules, size_t most_bytes)
      : architecture_(architecture), modules_(modules), left_(most_bytes) {}

  DeviceCode read(std::string_view section) {
    read_containers(section);
    if (code_.ptx.empty() && code_.problems.empty()) read_texts(section);
    return std::move(code_);
  }

 private:
  static constexpr size_t kLongestName = 64;

  // A section full of names without files is not to become a list of sentences many times its size.
  void note(const Error& error) {
    constexpr size_t kMost = 16;
    if (code_.problems.size() < kMost) code_.problems.push_back(error.code + ": " + error.message);
  }
  void note_too_long() { note({"R0203", "the program's PTX is longer than any compiler writes"}); }
  void add(Result<std::string> ptx) {
    if (!ptx) return note(ptx.error());
    left_ -= std::min(left_, ptx->size());
    code_.ptx.push_back(std::move(ptx).value());
  }

  // Containers follow each other, each with its own length; between them there is padding. Behind a damaged one it
  // is not known where the next begins, and a search for it may take time with the square of the section.
  void read_containers(std::string_view bytes) {
    char magic[4];
    std::memcpy(magic, &kContainerMagic, sizeof magic);
    size_t at = 0;
    while ((at = bytes.find(std::string_view(magic, 4), at)) != bytes.npos) {
      auto entries = cuda::parse_container(bytes.substr(at));
      if (!entries) return note(entries.error());
      at += sizeof magic;
      // nvcc puts an empty one into every program.
      if (entries->empty()) continue;
      add(cuda::choose_ptx(*entries, architecture_, left_));
      // The search skips the container's own payload, which may be anything.
      const std::string_view& last = entries->back().payload;
      at = static_cast<size_t>(last.data() + last.size() - bytes.data());
    }
  }

  // Text that Clang embeds: PTX, or the name of a file with it.
  void read_texts(std::string_view bytes) {
    for (size_t at = 0; (at = bytes.find(kReferencePrefix, at)) != bytes.npos; at += kReferencePrefix.size()) {
      const std::string_view name = bytes.substr(at + kReferencePrefix.size(), kLongestName + 1);
      read_file_called(name.substr(0, name.find('\n')));
    }
    for (size_t at = 0; (at = bytes.find(".version", at)) != bytes.npos;) {
      const std::string_view text = cuda::ptx_extent(bytes.substr(at));
      if (text.size() > left_) return note_too_long();
      add(std::string(text));
      at += std::max<size_t>(text.size(), 1);
    }
  }

  void read_file_called(std::string_view key) {
    const fs::path name(key);
    const fs::path path = modules_ / (name.string() + ".ptx");
    std::ifstream file;
    if (!modules_.empty() && key.size() <= kLongestName && name.filename() == name) file.open(path, std::ios::binary);
    if (!file.is_open())
      return note(
          {"R0204", "the program's PTX is kept outside of it: name its source, or build it with `warpwise nvcc`"});
    // The section may name one file many times.
    std::error_code error;
    if (fs::file_size(path, error) > left_) return note_too_long();
    add(std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()));
  }

  const unsigned architecture_;
  const fs::path& modules_;
  size_t left_;
  DeviceCode code_;
};

}  // namespace

DeviceCode device_code_of(const ElfFile& program, unsigned architecture, const fs::path& modules, size_t most_bytes) {
  return Reader(architecture, modules, most_bytes).read(program.section(".nv_fatbin"));
}

}  // namespace warpwise::toolchain
