#include "toolchain/cache_file.h"

#include <cstdint>
#include <cstring>

#include "toolchain/hash.h"

namespace warpwise::toolchain {
namespace {

constexpr std::string_view kMagic = "WWCACHE1";
constexpr size_t kHashDigits = 32;
constexpr size_t kHeader = kMagic.size() + sizeof(uint64_t) + kHashDigits;

std::string proof(std::string_view key, std::string_view payload) { return Hasher().add(key).add(payload).hex(); }

}  // namespace

std::string encode_cache_file(std::string_view key, std::string_view payload) {
  std::string file(kMagic);
  uint64_t size = payload.size();
  for (int shift = 0; shift < 64; shift += 8) file += static_cast<char>(size >> shift);
  file += proof(key, payload);
  file += payload;
  return file;
}

std::optional<std::string_view> decode_cache_file(std::string_view key, std::string_view file) {
  if (file.size() < kHeader || file.substr(0, kMagic.size()) != kMagic) return std::nullopt;
  uint64_t size = 0;
  for (int byte = 7; byte >= 0; --byte) size = size << 8 | static_cast<uint8_t>(file[kMagic.size() + byte]);
  std::string_view payload = file.substr(kHeader);
  if (payload.size() != size) return std::nullopt;
  if (file.substr(kHeader - kHashDigits, kHashDigits) != proof(key, payload)) return std::nullopt;
  return payload;
}

}  // namespace warpwise::toolchain
