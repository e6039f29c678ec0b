// Addresses without memory and memory without addresses, put together by the program (cuMemAddressReserve, cuMemCreate,
// cuMemMap, cuMemSetAccess). Part of device.h's interface; a device need not have it.
//
//     reserve  ──►  a range of addresses        create  ──►  memory
//                          └───────────── map ──────────────┘        then set_access, or touching it is a fault
//
// A multicast object is mapped like memory and has none of its own: memory is bound to it on each of several devices,
// and the instructions of PTX called multimem (9.7.9.14) reach all of it at one address. No other access may.
#pragma once

#include "device/device.h"

namespace warpwise::device {

using MemoryId = uint32_t;  // never 0

// A piece of a file of memory that processes share.
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
  // The whole range, when nothing is mapped in it.
  virtual Status free(Address base, size_t bytes) = 0;

  // `home`: the number of the device whose memory it is in the eyes of the program.
  virtual Status create(size_t bytes, unsigned home, MemoryId* out) = 0;
  virtual Status home_of(MemoryId memory, unsigned* home) const = 0;
  // Another owner of the memory that is mapped at `address`.
  virtual Status retain(Address address, MemoryId* out) = 0;
  // Gives up one ownership. The memory goes with the last, and when it is mapped nowhere.
  virtual Status release(MemoryId memory) = 0;

  // A multicast object for so many devices. Nothing is bound or mapped before all of them have joined.
  virtual Status create_multicast(size_t bytes, unsigned devices, MemoryId* out) = 0;
  virtual Status join(MemoryId multicast, unsigned device) = 0;
  // Bytes of memory, of the device that is its home, and of a multicast object become one. The object owns the memory,
  // too.
  virtual Status bind(MemoryId multicast, size_t offset, MemoryId memory, size_t memory_offset, size_t bytes) = 0;
  // The memory that is mapped at `address`.
  virtual Status bind_mapped(MemoryId multicast, size_t offset, Address address, size_t bytes) = 0;
  // What one bind() made. Work that was submitted has run when it returns.
  virtual Status unbind(MemoryId multicast, unsigned device, size_t offset, size_t bytes) = 0;

  // Memory, or a multicast object.
  virtual Status map(Address address, size_t bytes, MemoryId memory, size_t offset) = 0;
  // Whole mappings that fill the range. Work that was submitted has run when it returns.
  virtual Status unmap(Address address, size_t bytes) = 0;
  virtual Status set_access(Address address, size_t bytes, Access access) = 0;
  virtual Status get_access(Address address, Access* out) const = 0;

  // Host memory of the program where kernels find it: both see the same bytes (cudaHostRegister).
  virtual Status map_host(void* host, size_t bytes, Address* out) = 0;
  // What map_host() answered. Work that was submitted has run when it returns.
  virtual Status unmap_host(Address base) = 0;

  // The allocation around `address` for other processes (cudaIpcGetMemHandle); the file stays the device's.
  virtual Status lend(Address address, SharedMemory* out) = 0;
  // Such a piece of another process here; the file stays the caller's.
  virtual Status open_lent(const SharedMemory& memory, Address* out) = 0;
  // What open_lent() answered. Work that was submitted has run when it returns.
  virtual Status close_lent(Address base) = 0;
  // What create() made as a file, which stays the device's, and such a file of another process as memory of this one.
  virtual Status file_of(MemoryId memory, int* file) = 0;
  virtual Status create_from(int file, MemoryId* out) = 0;
};

}  // namespace warpwise::device
