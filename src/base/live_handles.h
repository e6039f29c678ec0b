// The objects that a C interface has handed out, so that a stale handle is an error and not a crash.
#pragma once

#include <mutex>
#include <set>

namespace warpwise {

template <class T>
class LiveHandles {
 public:
  // Never destroyed: the program may still use its handles while its static objects are destroyed.
  static LiveHandles& instance() {
    static auto* handles = new LiveHandles;
    return *handles;
  }
  void add(T* handle) {
    std::lock_guard lock(mutex_);
    known_.insert(handle);
  }
  // False when there was none.
  bool remove(T* handle) {
    std::lock_guard lock(mutex_);
    return known_.erase(handle) != 0;
  }
  bool contains(T* handle) const {
    std::lock_guard lock(mutex_);
    return known_.contains(handle);
  }

 private:
  mutable std::mutex mutex_;
  std::set<T*> known_;
};

}  // namespace warpwise
