// The shadow of device memory (simt/instrument/shadow.h), mapped, and painted for everything that compiled code does
// not do itself.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/result.h"
#include "device/device.h"
#include "exec/memory/arena.h"
#include "simt/instrument/shadow.h"

namespace warpwise::check {

class ShadowMemory {
 public:
  ShadowMemory() = default;
  ~ShadowMemory();
  ShadowMemory(const ShadowMemory&) = delete;
  ShadowMemory& operator=(const ShadowMemory&) = delete;

  // Reserves addresses for the shadow of all of the window; pages come when they are painted. Error R0101: the system
  // does not give that many addresses.
  Result<void> map();

  // The shadow of a program's address; any address of the arena's window has one.
  static uint8_t* at(device::Address address);
  static bool covers(device::Address address, size_t bytes) {
    return exec::Arena::in_window(address) && bytes <= exec::Arena::kLast - address;
  }

  // `state`: of simt/instrument/shadow.h. Outside of the window nothing happens. What is painted as a large range takes
  // no memory before it is changed; to clear it, clear all of it. What will hardly be touched (Sparse) is large at a
  // hundredth of the size: giving such a page memory takes longer than painting it.
  enum class Use : uint8_t { Dense, Sparse };
  void paint(device::Address address, size_t bytes, uint8_t state, Use use = Use::Dense);
  // Becomes initialised where it is memory that kernels may write.
  void mark(device::Address address, size_t bytes);
  // A whole range becomes no memory; its pages go back to the system where they can.
  void clear(device::Address address, size_t bytes);
  // The shadow travels with the bytes.
  void copy(device::Address to, device::Address from, size_t bytes);

 private:
  bool mapped_ = false;
};

}  // namespace warpwise::check
