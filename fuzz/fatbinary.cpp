// Fat binaries come out of programs, which may be damaged or hostile: whatever the bytes, parsing,
// unpacking and choosing end in PTX or in an error.
#include "cuda/runtime/module/fatbinary.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

using namespace warpwise::cuda;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (ptx_extent(bytes).size() > size) __builtin_trap();
  auto entries = parse_container(bytes);
  if (!entries) return 0;
  for (const FatBinaryEntry& entry : *entries) {
    // A view into the container, and nothing else.
    if (entry.payload.data() < bytes.data() || entry.payload.data() + entry.payload.size() > bytes.data() + size)
      __builtin_trap();
  }
  for (unsigned architecture : {70u, 90u, 103u}) (void)choose_ptx(*entries, architecture);
  return 0;
}
