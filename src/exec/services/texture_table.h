// The textures and surfaces of a device, by handle. Kernels look them up without a lock, so entries never move.
//
// A handle is a number from 1 on. A kernel may also have the address of a .texref or .surfref variable, which holds
// one: bindings of a module's texture references are writes of handles to variables.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "device/device.h"
#include "device/texture.h"

namespace warpwise::exec {

class Arena;

class TextureTable {
 public:
  explicit TextureTable(const Arena& arena) : arena_(arena) {}

  // Error OutOfMemory when there are a million already.
  device::Status add(const device::TextureDescriptor& texture, uint64_t* handle);
  // InvalidValue when there is no such texture. Nothing may be running that uses it.
  device::Status remove(uint64_t handle);
  // Memory is freed: textures that read it answer no more.
  void forget(device::Address base, size_t size);
  void clear();

  // What a kernel's handle means, with the engine's addresses; null when it means nothing.
  const device::TextureDescriptor* find(uint64_t handle) const;

 private:
  struct Entry {
    device::TextureDescriptor texture;
    std::atomic<bool> alive{false};
  };
  static constexpr size_t kChunk = 1024;
  using Chunk = std::array<Entry, kChunk>;

  Entry* entry(uint64_t handle) const;

  const Arena& arena_;
  std::mutex mutex_;  // writers
  std::array<std::atomic<Chunk*>, 1024> chunks_{};
  std::vector<std::unique_ptr<Chunk>> owned_;
  std::vector<uint64_t> free_;
  uint64_t next_ = 1;
};

}  // namespace warpwise::exec
