// Bytes from the cache folder: whatever is there, reading it ends in an entry that proves itself or in
// "absent".
#include "toolchain/cache_file.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "toolchain/hash.h"
#include "toolchain/inputs.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace warpwise::toolchain;
  std::string_view file(reinterpret_cast<const char*>(data), size);
  const std::string key = hash_of("key");

  // Untrusted bytes as a file, and as the payload of a file of ours.
  if (auto payload = decode_cache_file(key, file))
    if (encode_cache_file(key, *payload) != file) std::abort();
  std::string ours = encode_cache_file(key, file);
  if (decode_cache_file(key, ours) != file) std::abort();

  if (auto variants = decode_variants(file)) {
    // What was read is written and read back as the same.
    std::string text = encode_variants(*variants);
    auto again = decode_variants(text);
    if (!again || encode_variants(*again) != text) std::abort();
  }
  for (const std::string& path : parse_dependencies(file))
    if (path.empty()) std::abort();
  return 0;
}
