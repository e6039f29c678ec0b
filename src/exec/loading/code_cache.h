// Compiled kernels on disk. The code that opens the device owns the cache (the toolchain has one). This file has the
// interface, and the conversion of a kernel to bytes and back. Reading trusts nothing: a damaged entry is an error
// (R0405), and the kernel is compiled again.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "simt/compiler.h"

namespace warpwise::exec {

class CodeCache {
 public:
  virtual ~CodeCache() = default;
  // `key` is text of any length that names everything the code depends on. Thread-safe.
  virtual std::optional<std::vector<std::byte>> load(const std::string& key) = 0;
  virtual void store(const std::string& key, std::span<const std::byte> bytes) = 0;
};

std::vector<std::byte> to_bytes(const simt::CompiledKernel& kernel);
Result<simt::CompiledKernel> kernel_from_bytes(std::span<const std::byte> bytes);

}  // namespace warpwise::exec
