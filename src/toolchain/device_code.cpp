#include "cli/support/device_code.h"

#include <cstring>
#include <fstream>
#include <iterator>

#include "cuda/runtime/module/fatbinary.h"

namespace warpwise::cli {

namespace {

using cuda::kContainerMagic;
using cuda::kReferencePrefix;

void add(DeviceCode& code, Result<std::string> ptx) {
  if (ptx)
    code.ptx.push_back(std::move(ptx).value());
  else
    code.problems.push_back(ptx.error().code + ": " + ptx.error().message);
}

// Containers follow each other, each with its own length; between them there is padding.
void read_containers(std::string_view bytes, unsigned architecture, DeviceCode& code) {
  char magic[4];
  std::memcpy(magic, &kContainerMagic, sizeof magic);
  size_t at = 0;
  while ((at = bytes.find(std::string_view(magic, 4), at)) != bytes.npos) {
    auto entries = cuda::parse_container(bytes.substr(at));
    // nvcc puts an empty one into every program.
    if (entries && !entries->empty()) add(code, cuda::choose_ptx(*entries, architecture));
    at += sizeof magic;
    // The search skips the container's own payload, which may be anything.
    if (entries && !entries->empty()) {
      const std::string_view& last = entries->back().payload;
      at = static_cast<size_t>(last.data() + last.size() - bytes.data());
    }
  }
}

// Text that Clang embeds: PTX, or the name of a file with it.
void read_texts(std::string_view bytes, const std::filesystem::path& modules, DeviceCode& code) {
  for (size_t at = 0; (at = bytes.find(kReferencePrefix, at)) != bytes.npos; at += kReferencePrefix.size()) {
    std::string_view key = bytes.substr(at + kReferencePrefix.size());
    key = key.substr(0, key.find('\n'));
    std::ifstream file(modules / (std::string(key) + ".ptx"), std::ios::binary);
    if (file)
      code.ptx.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    else
      code.problems.push_back(
          "R0204: the program's PTX is kept outside of it: name its source, or build it with `warpwise nvcc`");
  }
  for (size_t at = 0; (at = bytes.find(".version", at)) != bytes.npos;) {
    std::string_view text = cuda::ptx_extent(bytes.substr(at));
    code.ptx.emplace_back(text);
    at += std::max<size_t>(text.size(), 1);
  }
}

}  // namespace

DeviceCode device_code_of(const ElfFile& program, unsigned architecture, const std::filesystem::path& modules) {
  DeviceCode code;
  std::string_view bytes = program.section(".nv_fatbin");
  read_containers(bytes, architecture, code);
  if (code.ptx.empty() && code.problems.empty()) read_texts(bytes, modules, code);
  return code;
}

}  // namespace warpwise::cli
