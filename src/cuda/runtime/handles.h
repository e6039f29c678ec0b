// A table of the objects to which a program holds handles. A handle is the address of its object. It is looked up here
// before it is dereferenced, so that a stale or invented handle gives cudaErrorInvalidResourceHandle and not a crash.
// find() returns a copy, which stays valid when other threads destroy the object meanwhile.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <unordered_map>

namespace warpwise::cuda {

template <class Object>
class HandleTable {
 public:
  Object* add(Object object) {
    auto owned = std::make_unique<Object>(std::move(object));
    Object* handle = owned.get();
    std::unique_lock lock(mutex_);
    objects_.emplace(handle, std::move(owned));
    return handle;
  }
  std::optional<Object> find(const Object* handle) const {
    std::shared_lock lock(mutex_);
    auto found = objects_.find(handle);
    if (found == objects_.end()) return std::nullopt;
    return *found->second;
  }
  // Takes the object out of the table. When several threads try, exactly one gets it.
  std::optional<Object> remove(const Object* handle) {
    std::unique_lock lock(mutex_);
    auto found = objects_.find(handle);
    if (found == objects_.end()) return std::nullopt;
    Object object = std::move(*found->second);
    objects_.erase(found);
    return object;
  }
  void clear() {
    std::unique_lock lock(mutex_);
    objects_.clear();
  }

 private:
  mutable std::shared_mutex mutex_;
  std::unordered_map<const Object*, std::unique_ptr<Object>> objects_;
};

}  // namespace warpwise::cuda
