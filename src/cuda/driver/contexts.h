// Contexts. A virtual device has one address space for all contexts, so a context is little more than a name: its
// device, its flags, and whether it still exists.
//
//     primary context of device n    the runtime's; retained and released
//     created contexts               any number
//
// Each host thread has a stack of them; its top is the current one. As in CUDA, a thread that has called the runtime
// and pushed nothing has the primary context of its device as the current one. After a push, cudaSetDevice to another
// device replaces the top by that device's primary context.
//
// Destroying a context releases nothing by itself. When the last context of a device goes, and no thread has called the
// runtime directly, the device is reset, which frees memory, modules and streams and clears the error of a failed
// kernel.
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
  unsigned retained = 0;  // times cuDevicePrimaryCtxRetain has been called and not released
  unsigned long long id = 0;
  unsigned api_version = 3020;  // what cuCtxGetApiVersion answers
};

namespace warpwise::cuda::driver {

class Contexts {
 public:
  static Contexts& instance();

  // Called by cuInit.
  void initialise() { initialised_.store(true, std::memory_order_release); }
  // Also once any function of the runtime has been called, because that starts the driver.
  bool initialised() const { return initialised_.load(std::memory_order_acquire) || runtime_queried(); }

  CUcontext create(int device, unsigned flags, unsigned api_version);
  // Waits for the device, and takes the context off the top of the calling thread's stack; other threads keep it.
  // CUDA_ERROR_INVALID_VALUE: null. CUDA_ERROR_INVALID_CONTEXT: unknown, or a primary context.
  cudaError_t destroy(device::Device& gpu, CUcontext context);
  CUcontext retain_primary(int device);
  // CUDA_ERROR_INVALID_CONTEXT: not retained.
  cudaError_t release_primary(device::Device& gpu, int device);
  cudaError_t set_primary_flags(int device, unsigned flags);  // never fails
  // `active`: it is retained, or the runtime has been used.
  void primary_state(int device, unsigned* flags, bool* active);

  // The stack of the calling thread. The runtime's device follows its top.
  void push(CUcontext context);
  // `context` may be null. CUDA_ERROR_INVALID_CONTEXT: no context is current.
  cudaError_t pop(CUcontext* context);
  // Replaces the top; null pops it.
  void set_current(CUcontext context);
  // Null: none. May be a destroyed one. Follows cudaSetDevice, which may replace the top.
  CUcontext current();
  // CUDA_ERROR_INVALID_CONTEXT: none is current. CUDA_ERROR_CONTEXT_IS_DESTROYED: it has been destroyed.
  cudaError_t check_current();
  // CUDA_ERROR_INVALID_VALUE: null. CUDA_ERROR_INVALID_CONTEXT: never created, or destroyed.
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
