// Where a pointer of the program points, and whether a range that starts there fits.
#pragma once

#include "cuda/runtime/error.h"
#include "device/device.h"

namespace warpwise::cuda {

class Process;

// The memory that a box of rows covers, from its first byte to its last.
struct BoxShape {
  size_t width = 0, height = 1, depth = 1;  // bytes of a row, rows, slices
  size_t pitch = 0, slice = 0;              // from row to row, from slice to slice
  // False when the size overflows.
  bool bytes(size_t* out) const;
};

struct Place {
  device::Address address = 0;
  std::optional<device::Allocation> allocation;  // none: host memory
  bool pageable = false;                         // host memory unknown to CUDA: it may change once the call returns

  // Whether commands use its device address; pinned memory is reached through the host address.
  bool on_device() const { return allocation && allocation->kind != device::MemoryKind::Pinned; }
  bool managed() const { return allocation && allocation->kind == device::MemoryKind::Managed; }
  void* host() const { return reinterpret_cast<void*>(address); }
};

Place locate(Process& process, device::Device& gpu, const void* pointer);

// cudaErrorInvalidValue unless the range lies in the allocation that contains its first byte. `what` is the argument's
// name. Host memory unknown to CUDA cannot be checked.
cudaError_t check_fits(const Place& place, const BoxShape& shape, const char* what);

}  // namespace warpwise::cuda
