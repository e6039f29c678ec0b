// A multicast object (cuMulticastCreate): a range of bytes that stands for memory of several devices at once.
//
//     bytes of the object      0              2 MiB           4 MiB
//     device 0                 [ memory 5            ]
//     device 1                 [ memory 7     ][ memory 8     ]
//                                      a multimem access here reaches one copy on each device
//
// A device contributes memory in pieces that do not overlap; each has a window of addresses of its own, through which
// the engine reaches it whether or not the program has mapped it, too. Objects are not thread-safe: AddressRanges,
// which owns them, has the lock.
#pragma once

#include <map>
#include <string>

#include "device/virtual_memory.h"

namespace warpwise::exec {

class Multicast {
 public:
  Multicast(size_t bytes, unsigned devices) : bytes_(bytes), devices_(devices) {}

  struct Binding {
    size_t bytes = 0;
    device::MemoryId memory = 0;
    size_t memory_offset = 0;
    device::Address window = 0;
  };

  // Each of these says what is wrong; empty: nothing.
  std::string join(unsigned device);
  // Whether memory of `device` may be bound to these bytes.
  std::string may_bind(unsigned device, size_t offset, size_t bytes) const;

  void bind(unsigned device, size_t offset, const Binding& binding) { members_.at(device)[offset] = binding; }
  // What was bound to exactly these bytes, and is no longer; a Binding of no bytes when nothing was.
  Binding unbind(unsigned device, size_t offset, size_t bytes);

  // The copy number `index`, in the order of the devices, of bytes of the object; null when that device has bound no
  // memory to all of them. `at` is the offset within the binding.
  const Binding* copy(unsigned index, size_t offset, size_t bytes, size_t* at) const;

  bool complete() const { return members_.size() == devices_; }
  size_t bytes() const { return bytes_; }
  unsigned devices() const { return devices_; }

  template <class F>
  void for_each_binding(F f) const {
    for (const auto& [device, bindings] : members_)
      for (const auto& [offset, binding] : bindings) f(binding);
  }

 private:
  using Bindings = std::map<size_t, Binding>;  // by offset in the object

  const size_t bytes_;
  const unsigned devices_;
  std::map<unsigned, Bindings> members_;
};

}  // namespace warpwise::exec
