#include "toolchain/hash.h"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>

namespace warpwise::toolchain {

struct Hasher::State {
  XXH3_state_t xxh;
};

Hasher::Hasher() : state_(std::make_unique<State>()) { XXH3_128bits_reset(&state_->xxh); }
Hasher::~Hasher() = default;

Hasher& Hasher::add(std::string_view piece) {
  add(piece.size());
  XXH3_128bits_update(&state_->xxh, piece.data(), piece.size());
  return *this;
}

Hasher& Hasher::add(uint64_t number) {
  XXH3_128bits_update(&state_->xxh, &number, sizeof number);
  return *this;
}

std::string Hasher::hex() const {
  XXH128_hash_t hash = XXH3_128bits_digest(&state_->xxh);
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::string hash_of(std::string_view content) {
  XXH128_hash_t hash = XXH3_128bits(content.data(), content.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

bool is_hash(std::string_view text) {
  return text.size() == 32 &&
         std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

}  // namespace warpwise::toolchain
