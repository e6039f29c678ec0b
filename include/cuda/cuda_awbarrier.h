// nvcuda::experimental::awbarrier: a barrier with separate arrive and wait steps. cuda::barrier has replaced it; older
// programs use it.
#pragma once

#include "cuda_awbarrier_primitives.h"
#ifdef __CUDACC__
#include "warpwise/begin_device_code.h"

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
namespace nvcuda {
namespace experimental {
class pipeline;

class awbarrier {
 public:
  class arrival_token {
   public:
    arrival_token() = default;
    __device__ unsigned int pending_count() const { return __mbarrier_token_pending_count(token_); }

   private:
    friend awbarrier;
    __device__ arrival_token(__mbarrier_token_t token) : token_(token) {}
    __mbarrier_token_t token_;
  };

  awbarrier() = default;
  awbarrier(const awbarrier&) = delete;
  awbarrier& operator=(const awbarrier&) = delete;

  __device__ arrival_token arrive() { return __mbarrier_arrive(&barrier_); }
  __device__ arrival_token arrive_and_drop() { return __mbarrier_arrive_and_drop(&barrier_); }
  __device__ void wait(arrival_token token) {
    while (!__mbarrier_test_wait(&barrier_, token.token_)) {}
  }
  __device__ void arrive_and_wait() { wait(arrive()); }
  // Whether the phase has ended before that many clocks were over.
  __device__ bool timed_wait(arrival_token token, unsigned int clocks) {
    const long long start = clock64();
    while (!__mbarrier_test_wait(&barrier_, token.token_))
      if (clock64() - start >= clocks) return false;
    return true;
  }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  __device__ bool timed_wait_parity(bool phase, unsigned int clocks) {
    const long long start = clock64();
    while (!__mbarrier_test_wait_parity(&barrier_, phase))
      if (clock64() - start >= clocks) return false;
    return true;
  }
  __device__ bool try_wait(arrival_token token, unsigned int nanoseconds) { return __mbarrier_try_wait(&barrier_, token.token_, nanoseconds); }
  __device__ bool try_wait_parity(bool phase, unsigned int nanoseconds) { return __mbarrier_try_wait_parity(&barrier_, phase, nanoseconds); }
#endif
  static __host__ __device__ constexpr unsigned int max() { return (1u << 14) - 1; }

 private:
  friend __device__ inline void init(awbarrier* barrier, unsigned int expected_count) { __mbarrier_init(&barrier->barrier_, expected_count); }
  friend __device__ inline void inval(awbarrier* barrier) { __mbarrier_inval(&barrier->barrier_); }
  friend class pipeline;
  __mbarrier_t barrier_;
};
}  // namespace experimental
}  // namespace nvcuda
#endif

#include "warpwise/end_device_code.h"
#endif  // __CUDACC__
