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
  void note(const Error& error) { code_.problems.push_back(error.code + ": " + error.message); }
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
      const std::string_view rest = bytes.substr(at + kReferencePrefix.size());
      read_file_called(rest.substr(0, rest.find('\n')));
    }
    for (size_t at = 0; (at = bytes.find(".version", at)) != bytes.npos;) {
      const std::string_view text = cuda::ptx_extent(bytes.substr(at));
      if (text.size() > left_) return note({"R0203", "the program's PTX is longer than any compiler writes"});
      add(std::string(text));
      at += std::max<size_t>(text.size(), 1);
    }
  }

  void read_file_called(std::string_view key) {
    constexpr size_t kLongestKey = 64;
    const fs::path name(key.substr(0, kLongestKey + 1));
    std::ifstream file;
    if (!modules_.empty() && key.size() <= kLongestKey && name.filename() == name)
      file.open(modules_ / (name.string() + ".ptx"), std::ios::binary);
    if (file.is_open())
      add(std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()));
    else
      note({"R0204", "the program's PTX is kept outside of it: name its source, or build it with `warpwise nvcc`"});
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
