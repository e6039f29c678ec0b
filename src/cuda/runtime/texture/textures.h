// The texture and surface objects of a process, and the descriptions that they were made from, for queries.
#pragma once

#include <mutex>
#include <optional>
#include <unordered_map>

#include "cuda/runtime/texture/texture_types.h"

namespace warpwise::cuda {

struct TextureObject {
  bool is_surface = false;
  cudaResourceDesc resource{};
  cudaTextureDesc texture{};
  std::optional<cudaResourceViewDesc> view;
};

class Textures {
 public:
  void add(unsigned long long handle, TextureObject object) {
    std::lock_guard lock(mutex_);
    objects_[handle] = std::move(object);
  }
  // Empty when there is none, or when it is of the other kind.
  std::optional<TextureObject> find(unsigned long long handle, bool is_surface) const {
    std::lock_guard lock(mutex_);
    auto found = objects_.find(handle);
    if (found == objects_.end() || found->second.is_surface != is_surface) return std::nullopt;
    return found->second;
  }
  void remove(unsigned long long handle) {
    std::lock_guard lock(mutex_);
    objects_.erase(handle);
  }
  void clear() {
    std::lock_guard lock(mutex_);
    objects_.clear();
  }

 private:
  mutable std::mutex mutex_;
  std::unordered_map<unsigned long long, TextureObject> objects_;
};

}  // namespace warpwise::cuda
