// The lab reads the device code of programs that untrusted sources became: whatever the bytes of the file, or of its
// section, reading ends soon, in PTX within its limit or in reasons.
#include "toolchain/device_code.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "../tests/toolchain/program_with_section.h"

using namespace warpwise;

namespace {

void read(std::string file) {
  constexpr size_t kMostBytes = 1 << 20;
  auto elf = ElfFile::from_bytes(std::move(file));
  if (!elf) return;
  size_t bytes = 0;
  for (const std::string& ptx : toolchain::device_code_of(*elf, 90, "", kMostBytes).ptx) bytes += ptx.size();
  if (bytes > kMostBytes) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  read(bytes);
  read(toolchain::program_with_section(".nv_fatbin", bytes));
  return 0;
}
