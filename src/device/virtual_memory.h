// Addresses without memory and memory without addresses, which the program combines (cuMemAddressReserve, cuMemCreate,
// cuMemMap, cuMemSetAccess). Part of device.h's interface, and optional for a device.
//
//     reserve  ──►  a range of addresses        create  ──►  memory
//                          └───────────── map ──────────────┘        then set_access; before that an access faults
//
// A multicast object is mapped like memory and has none of its own: memory is bound to it on each of several devices,
// and the multimem instructions of PTX (9.7.9.14) reach all of it at one address. Other accesses are not allowed.
#pragma once

#include "device/device.h"

namespace warpwise::device {

using MemoryId = uint32_t;  // never 0

// A piece of a memory file that processes share.
struct SharedMemory {
  int file = -1;
  size_t offset = 0, bytes = 0;
};

enum class Access : uint8_t { None, Read, ReadWrite };

class VirtualMemory {
 public:
  virtual ~VirtualMemory() = default;
  // All sizes, offsets and addresses are multiples of this.
  virtual size_t granularity() const = 0;

  virtual Status reserve(size_t bytes, size_t alignment, Address* out) = 0;
  // Releases the whole range, when nothing is mapped in it.
  virtual Status free(Address base, size_t bytes) = 0;

  // `home`: the number of the device that owns the memory, as the program sees it.
  virtual Status create(size_t bytes, unsigned home, MemoryId* out) = 0;
  virtual Status home_of(MemoryId memory, unsigned* home) const = 0;
  // Adds an owner of the memory that is mapped at `address`.
  virtual Status retain(Address address, MemoryId* out) = 0;
  // Gives up one ownership. The memory is freed when it has no owner and is mapped nowhere.
  virtual Status release(MemoryId memory) = 0;

  // A multicast object for that many devices. Nothing is bound or mapped before all of them have joined.
  virtual Status create_multicast(size_t bytes, unsigned devices, MemoryId* out) = 0;
  virtual Status join(MemoryId multicast, unsigned device) = 0;
  // Binds bytes of memory, on the device that is its home, to bytes of a multicast object. The object becomes another
  // owner of the memory.
  virtual Status bind(MemoryId multicast, size_t offset, MemoryId memory, size_t memory_offset, size_t bytes) = 0;
  // The memory that is mapped at `address`.
  virtual Status bind_mapped(MemoryId multicast, size_t offset, Address address, size_t bytes) = 0;
  // Undoes one bind(). Submitted work has run when it returns.
  virtual Status unbind(MemoryId multicast, unsigned device, size_t offset, size_t bytes) = 0;

  // Memory, or a multicast object.
  virtual Status map(Address address, size_t bytes, MemoryId memory, size_t offset) = 0;
  // Unmaps whole mappings that fill the range. Submitted work has run when it returns.
  virtual Status unmap(Address address, size_t bytes) = 0;
  virtual Status set_access(Address address, size_t bytes, Access access) = 0;
  virtual Status get_access(Address address, Access* out) const = 0;

  // Maps host memory of the program for kernels: both see the same bytes (cudaHostRegister).
  virtual Status map_host(void* host, size_t bytes, Address* out) = 0;
  // Undoes map_host(). Submitted work has run when it returns.
  virtual Status unmap_host(Address base) = 0;

  // The allocation around `address` as a file for other processes (cudaIpcGetMemHandle); the device owns the file.
  virtual Status lend(Address address, SharedMemory* out) = 0;
  // Maps such a piece of another process; the caller owns the file.
  virtual Status open_lent(const SharedMemory& memory, Address* out) = 0;
  // Undoes open_lent(). Submitted work has run when it returns.
  virtual Status close_lent(Address base) = 0;
  // Memory of create() as a file, which the device owns, and such a file of another process as memory of this device.
  virtual Status file_of(MemoryId memory, int* file) = 0;
  virtual Status create_from(int file, MemoryId* out) = 0;
};

}  // namespace warpwise::device
