// Contexts. A virtual device has one address space for all contexts, so a context is little more than a name: its
// device, its flags, and whether it still exists.
//
//     primary context of device n    the runtime's; retained and released
//     created contexts               any number
//
// Each host thread has a stack of them; its top is the current one. As in CUDA, a thread that has called the runtime
// and pushed nothing has the primary context of its device as the current one.
//
// The resources of a context are released when the last context of its device is destroyed: then the device is reset,
// which frees memory, modules and streams and clears the error of a failed kernel. With several contexts on one device,
// the resources of a destroyed one live on until then.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "cuda/driver/call.h"

struct CUctx_st {
  int device = 0;
  unsigned flags = 0;
  bool primary = false;
  unsigned retained = 0;  // of a primary context
  unsigned long long id = 0;
  unsigned api_version = 3020;
};

namespace warpwise::cuda::driver {

class Contexts {
 public:
  static Contexts& instance();

  void initialise() { initialised_.store(true, std::memory_order_release); }
  // Called by cuInit, and by the runtime, which starts the driver for its own use.
  bool initialised() const { return initialised_.load(std::memory_order_acquire) || runtime_queried(); }

  CUcontext create(int device, unsigned flags, unsigned api_version);
  cudaError_t destroy(device::Device& gpu, CUcontext context);
  CUcontext retain_primary(int device);
  cudaError_t release_primary(device::Device& gpu, int device);
  cudaError_t set_primary_flags(int device, unsigned flags);
  void primary_state(int device, unsigned* flags, bool* active);

  // The stack of the calling thread.
  void push(CUcontext context);
  cudaError_t pop(CUcontext* context);
  void set_current(CUcontext context);
  CUcontext current();  // null: none; may be one that has been destroyed
  // CUDA_ERROR_INVALID_CONTEXT, CUDA_ERROR_CONTEXT_IS_DESTROYED.
  cudaError_t check_current();
  cudaError_t check(CUcontext context) const;

 private:
  CUcontext primary(int device);  // mutex_ held
  bool any_left(int device) const;
  bool exists(CUcontext context) const;

  std::atomic<bool> initialised_{false};
  mutable std::mutex mutex_;
  std::map<CUcontext, std::unique_ptr<CUctx_st>> contexts_;
  std::map<int, CUcontext> primaries_;
  unsigned long long next_id_ = 1;
};

}  // namespace warpwise::cuda::driver
