// The streams of the process: those that the program creates, the legacy default stream, and one default stream per
// host thread.
//
//     0                    the legacy stream, or the thread's own inside a PerThreadDefault scope
//     cudaStreamLegacy     the legacy stream (device stream 0)
//     cudaStreamPerThread  the thread's own, created on first use
//
// The default streams of all devices are one stream internally: they wait for each other more than CUDA requires.
#pragma once

#include <atomic>
#include <cstdint>

#include "cuda/runtime/handles.h"
#include "cuda/runtime/stream/stream_attributes.h"
#include "cuda/runtime/types.h"
#include "device/device.h"

struct CUstream_st {
  warpwise::device::StreamId id = 0;
  unsigned flags = 0;
  int priority = 0;
  unsigned long long number = 0;  // cudaStreamGetId; never used twice
  int device = 0;                 // the device whose kernels it accepts
};

namespace warpwise::cuda {

inline constexpr unsigned kStreamNonBlocking = 1;
// Lower numbers are more urgent (cudaDeviceGetStreamPriorityRange; the range of an H100).
inline constexpr int kLeastPriority = 0;
inline constexpr int kGreatestPriority = -5;

// While an object exists, stream 0 of this host thread is the thread's own default stream.
class PerThreadDefault {
 public:
  PerThreadDefault();
  ~PerThreadDefault();
};

class Streams {
 public:
  cudaStream_t create(device::Device& gpu, unsigned flags, int priority);
  // cudaErrorInvalidResourceHandle for a default stream and for a handle that is not a stream.
  cudaError_t destroy(device::Device& gpu, cudaStream_t stream);
  // The stream that a handle stands for.
  cudaError_t find(device::Device& gpu, cudaStream_t stream, CUstream_st* out);
  cudaError_t find(device::Device& gpu, cudaStream_t stream, device::StreamId* out);
  // The device has been reset: all handles are invalid.
  void forget_all();
  // Whether streams created in that epoch still exist.
  bool is_current(uint64_t epoch) const { return epoch_ == epoch; }

  StreamAttributes attributes;

 private:
  CUstream_st thread_stream(device::Device& gpu);

  HandleTable<CUstream_st> table_;
  std::atomic<uint64_t> epoch_{1};              // counts resets, to recognise stale per-thread streams
  std::atomic<unsigned long long> numbers_{3};  // 1 and 2 are the default streams
};

}  // namespace warpwise::cuda
