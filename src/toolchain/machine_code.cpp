#include "toolchain/machine_code.h"

#include "toolchain/hash.h"

namespace warpwise::toolchain {
namespace {

constexpr const char* kKind = "code";

}  // namespace

std::optional<std::vector<std::byte>> MachineCodeStore::load(const std::string& key) const {
  auto text = cache_.load(kKind, hash_of(key));
  if (!text) return std::nullopt;
  const std::byte* first = reinterpret_cast<const std::byte*>(text->data());
  return std::vector<std::byte>(first, first + text->size());
}

void MachineCodeStore::store(const std::string& key, std::span<const std::byte> bytes) const {
  cache_.store(kKind, hash_of(key), {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace warpwise::toolchain
