// nvcuda::experimental::pipeline: copies from global to shared memory in batches that are waited for in order.
// cuda::pipeline has replaced it; older programs use it.
#pragma once

#include "cuda_awbarrier.h"
#include "cuda_pipeline_primitives.h"
#ifdef __CUDACC__
#include "warpwise/begin_device_code.h"

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
namespace nvcuda {
namespace experimental {
class pipeline {
 public:
  __device__ pipeline() {}
  pipeline(const pipeline&) = delete;
  pipeline& operator=(const pipeline&) = delete;

  // Ends a batch and returns its number.
  __device__ size_t commit() {
    __pipeline_commit();
    return committed_++;
  }
  __device__ void commit_and_wait() { wait(commit()); }
  // Waits until that batch has arrived. (NVIDIA's header stops one batch short.)
  __device__ void wait(size_t batch) { __pipeline_wait_prior(committed_ > batch + 1 ? committed_ - batch - 1 : 0); }
  template <unsigned n> __device__ void wait_prior() { __pipeline_wait_prior(n); }
  __device__ void arrive_on(awbarrier& barrier) { __pipeline_arrive_on(&barrier.barrier_); }

 private:
  size_t committed_ = 0;
};

// Any size, in pieces as large as the type's alignment allows. What the instruction cannot copy is copied at once.
template <class T> __device__ inline void memcpy_async(T& dst, const T& src, pipeline&) {
  constexpr size_t piece = alignof(T) >= 16 ? 16 : alignof(T) >= 8 ? 8 : 4;
  if constexpr (alignof(T) >= 4 && __is_trivially_copyable(T)) {
    for (size_t i = 0; i < sizeof(T); i += piece)
      __pipeline_memcpy_async(reinterpret_cast<char*>(&dst) + i, reinterpret_cast<const char*>(&src) + i, piece);
  } else {
    dst = src;
  }
}

// 4, 8 or 16 bytes; the part that the source lacks is filled with zeros.
template <class T, size_t to, size_t from> __device__ inline void memcpy_async(T (*dst)[to], const T (*src)[from], pipeline&) {
  static_assert(sizeof *dst == 4 || sizeof *dst == 8 || sizeof *dst == 16, "a copy of 4, 8 or 16 bytes");
  static_assert(from <= to, "the source is larger than the destination");
  __pipeline_memcpy_async(*dst, *src, sizeof *dst, sizeof *dst - sizeof *src);
}
template <size_t n, class T> __device__ inline T (*segment(T* p))[n] { return reinterpret_cast<T(*)[n]>(p); }
}  // namespace experimental
}  // namespace nvcuda
#endif

#include "warpwise/end_device_code.h"
#endif  // __CUDACC__
