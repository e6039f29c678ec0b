// The attributes of streams: access windows, synchronisation policies, launch priorities, fence domains. They affect
// caches and timing, never results, so they have no effect here. A query returns the value that the program has set.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "cuda/runtime/types.h"

namespace warpwise::cuda {

class StreamAttributes {
 public:
  // Keyed by stream number (cudaStreamGetId), which is never used twice.
  using Stream = unsigned long long;

  void set(Stream stream, cudaLaunchAttributeID attribute, const cudaLaunchAttributeValue& value) {
    std::lock_guard lock(mutex_);
    values_[{stream, attribute}] = value;
  }
  // Empty for an attribute that was never set.
  std::optional<cudaLaunchAttributeValue> get(Stream stream, cudaLaunchAttributeID attribute) const {
    std::lock_guard lock(mutex_);
    auto found = values_.find({stream, attribute});
    return found == values_.end() ? std::nullopt : std::optional(found->second);
  }
  void copy(Stream from, Stream to) {
    std::lock_guard lock(mutex_);
    std::map<Key, cudaLaunchAttributeValue> copied;
    for (const auto& [key, value] : values_)
      if (key.first == from) copied[{to, key.second}] = value;
    for (const auto& [key, value] : copied) values_[key] = value;
  }
  void forget(Stream stream) {
    std::lock_guard lock(mutex_);
    std::erase_if(values_, [&](const auto& entry) { return entry.first.first == stream; });
  }

 private:
  using Key = std::pair<Stream, cudaLaunchAttributeID>;
  mutable std::mutex mutex_;
  std::map<Key, cudaLaunchAttributeValue> values_;
};

}  // namespace warpwise::cuda
