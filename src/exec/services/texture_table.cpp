#include "exec/services/texture_table.h"

#include <cstring>

#include "exec/memory/arena.h"

namespace warpwise::exec {

using device::Failure;
using device::Status;

TextureTable::Entry* TextureTable::entry(uint64_t handle) const {
  if (handle == 0 || handle >= kChunk * chunks_.size()) return nullptr;
  Chunk* chunk = chunks_[handle / kChunk].load(std::memory_order_acquire);
  return chunk ? &(*chunk)[handle % kChunk] : nullptr;
}

Status TextureTable::add(const device::TextureDescriptor& texture, uint64_t* handle) {
  std::lock_guard lock(mutex_);
  uint64_t number = next_;
  if (!free_.empty()) {
    number = free_.back();
    free_.pop_back();
  } else if (next_ >= kChunk * chunks_.size()) {
    return {Failure::OutOfMemory, "a device has room for a million textures and surfaces"};
  } else {
    ++next_;
  }
  if (!chunks_[number / kChunk].load(std::memory_order_relaxed)) {
    owned_.push_back(std::make_unique<Chunk>());
    chunks_[number / kChunk].store(owned_.back().get(), std::memory_order_release);
  }
  Entry& e = *entry(number);
  e.texture = texture;
  for (uint32_t level = 0; level < texture.image.level_count; ++level)
    e.texture.image.levels[level].base = reinterpret_cast<uint64_t>(engine_view(texture.image.levels[level].base));
  e.alive.store(true, std::memory_order_release);
  *handle = number;
  return Status::success();
}

Status TextureTable::remove(uint64_t handle) {
  std::lock_guard lock(mutex_);
  Entry* e = entry(handle);
  if (!e || !e->alive.exchange(false)) return {Failure::InvalidValue, "there is no such texture or surface"};
  free_.push_back(handle);
  return Status::success();
}

void TextureTable::forget(device::Address base, size_t size) {
  std::lock_guard lock(mutex_);
  const uint64_t first = reinterpret_cast<uint64_t>(engine_view(base));
  for (uint64_t handle = 1; handle < next_; ++handle) {
    Entry& e = *entry(handle);
    if (e.texture.image.levels[0].base - first < size) e.texture.image.level_count = 0;
  }
}

void TextureTable::clear() {
  std::lock_guard lock(mutex_);
  free_.clear();
  for (uint64_t handle = next_; handle-- > 1;) {
    entry(handle)->alive.store(false);
    free_.push_back(handle);
  }
}

const device::TextureDescriptor* TextureTable::find(uint64_t handle) const {
  if (handle >= kChunk * chunks_.size()) {
    const std::byte* variable = arena_.view(handle, sizeof handle);
    if (!variable) return nullptr;
    std::memcpy(&handle, variable, sizeof handle);
  }
  const Entry* e = entry(handle);
  if (!e || !e->alive.load(std::memory_order_acquire) || e->texture.image.level_count == 0) return nullptr;
  return &e->texture;
}

}  // namespace warpwise::exec
