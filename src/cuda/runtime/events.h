// The events of the process.
#pragma once

#include "cuda/runtime/handles.h"
#include "cuda/runtime/types.h"
#include "device/device.h"

struct CUevent_st {
  warpwise::device::EventId id = 0;
  unsigned flags = 0;
};

namespace warpwise::cuda {

inline constexpr unsigned kEventBlockingSync = 1, kEventDisableTiming = 2, kEventInterprocess = 4;

class Events {
 public:
  cudaEvent_t create(device::Device& gpu, unsigned flags) { return table_.add({gpu.create_event(), flags}); }
  cudaError_t destroy(device::Device& gpu, cudaEvent_t event);
  cudaError_t find(cudaEvent_t event, CUevent_st* out) const;
  void forget_all() { table_.clear(); }

 private:
  HandleTable<CUevent_st> table_;
};

}  // namespace warpwise::cuda
