// Machine code of kernels in the cache, under keys of any length: what the engine's code cache
// (exec/code_cache.h) asks for, in the same words, so that whoever opens a device only has to forward.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "toolchain/cache.h"

namespace warpwise::toolchain {

// Safe to use from several threads: it holds nothing that changes.
class MachineCodeStore {
 public:
  MachineCodeStore() : cache_(Cache::from_environment()) {}
  explicit MachineCodeStore(Cache cache) : cache_(std::move(cache)) {}

  std::optional<std::vector<std::byte>> load(const std::string& key) const;
  void store(const std::string& key, std::span<const std::byte> bytes) const;

 private:
  Cache cache_;
};

}  // namespace warpwise::toolchain
