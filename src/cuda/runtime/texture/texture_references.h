// The texture and surface references of a process (texture_reference.cpp): the registered ones, and what each is bound
// to.
#pragma once

#include <cstdint>
#include <mutex>
#include <unordered_map>

namespace warpwise::cuda {

struct ReferenceBinding {
  bool normalized_float =
      false;            // cudaReadModeNormalizedFloat: part of the variable's type, so registration supplies it
  uint64_t handle = 0;  // the device's texture; 0: bound to nothing
  size_t offset = 0;    // cudaGetTextureAlignmentOffset
};

class TextureReferences {
 public:
  void add(const void* reference, bool normalized_float) {
    std::lock_guard lock(mutex_);
    bindings_[reference] = {.normalized_float = normalized_float};
  }
  // Runs `use(binding)` under the lock; false when there is no such reference.
  template <class Use>
  bool with(const void* reference, Use&& use) {
    std::lock_guard lock(mutex_);
    auto found = bindings_.find(reference);
    if (found != bindings_.end()) use(found->second);
    return found != bindings_.end();
  }
  // The device has dropped its textures.
  void forget_bindings() {
    std::lock_guard lock(mutex_);
    for (auto& [reference, binding] : bindings_) binding.handle = binding.offset = 0;
  }

 private:
  std::mutex mutex_;
  std::unordered_map<const void*, ReferenceBinding> bindings_;
};

}  // namespace warpwise::cuda
