#include "exec/memory/multicast.h"

#include <fmt/format.h>

#include <iterator>

namespace warpwise::exec {

std::string Multicast::join(unsigned device) {
  if (members_.contains(device)) return fmt::format("device {} has been added before", device);
  if (complete()) return fmt::format("all {} devices have been added", devices_);
  members_.emplace(device, Bindings{});
  return "";
}

std::string Multicast::may_bind(unsigned device, size_t offset, size_t bytes) const {
  if (offset > bytes_ || bytes > bytes_ - offset)
    return fmt::format("{} bytes from byte {} of an object of {}", bytes, offset, bytes_);
  auto member = members_.find(device);
  if (member == members_.end()) return fmt::format("the memory is device {}'s, which has not been added", device);
  auto next = member->second.lower_bound(offset);
  const bool behind = next != member->second.end() && next->first < offset + bytes;
  const bool before = next != member->second.begin() && std::prev(next)->first + std::prev(next)->second.bytes > offset;
  return behind || before ? fmt::format("memory of device {} is bound there already", device) : "";
}

Multicast::Binding Multicast::unbind(unsigned device, size_t offset, size_t bytes) {
  auto member = members_.find(device);
  if (member == members_.end()) return {};
  auto found = member->second.find(offset);
  if (found == member->second.end() || found->second.bytes != bytes) return {};
  const Binding binding = found->second;
  member->second.erase(found);
  return binding;
}

const Multicast::Binding* Multicast::copy(unsigned index, size_t offset, size_t bytes, size_t* at) const {
  const Bindings& bindings = std::next(members_.begin(), index)->second;
  auto after = bindings.upper_bound(offset);
  if (after == bindings.begin()) return nullptr;
  const auto& [first, binding] = *std::prev(after);
  *at = offset - first;
  return *at < binding.bytes && bytes <= binding.bytes - *at ? &binding : nullptr;
}

}  // namespace warpwise::exec
