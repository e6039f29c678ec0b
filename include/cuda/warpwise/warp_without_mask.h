// Warp functions without a lane mask, as in CUDA 8 and older: __all, __any, __ballot, __shfl and similar functions.
//
//     total += __shfl_down(total, 16);      // as if __shfl_down_sync(__activemask(), total, 16)
//
// Their instructions ended with sm_70, and nvcc offers the names only for older GPUs. Such programs mean the lanes that
// happen to be active, which can be named on any GPU. Therefore they compile here, with a warning where hardware would
// not run them.
//
// Programs may define functions of these names themselves, for compilers that lack them. Those match a call better,
// because these convert the lane first.
#pragma once

#pragma push_macro("DEVICE")
#define DEVICE static inline __attribute__((device, always_inline))
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
#define WARPWISE_ENDED(name) __attribute__((deprecated(#name " ended with sm_70; taken as " #name "_sync for the lanes that are active")))
#else
#define WARPWISE_ENDED(name)
#endif

struct __warpwise_lane {
  int number;
  __attribute__((device)) constexpr __warpwise_lane(int n) : number(n) {}
};

WARPWISE_ENDED(__all) DEVICE int __all(__warpwise_lane predicate) { return __all_sync(__activemask(), predicate.number); }
WARPWISE_ENDED(__any) DEVICE int __any(__warpwise_lane predicate) { return __any_sync(__activemask(), predicate.number); }
WARPWISE_ENDED(__ballot) DEVICE unsigned int __ballot(__warpwise_lane predicate) { return __ballot_sync(__activemask(), predicate.number); }

#define WARPWISE_SHUFFLE(name)                                                                         \
  template <class T>                                                                                   \
  WARPWISE_ENDED(name) DEVICE T name(T value, __warpwise_lane lane, int width = 32) {                  \
    return name##_sync(__activemask(), value, lane.number, width);                                     \
  }
WARPWISE_SHUFFLE(__shfl)
WARPWISE_SHUFFLE(__shfl_up)
WARPWISE_SHUFFLE(__shfl_down)
WARPWISE_SHUFFLE(__shfl_xor)

#undef WARPWISE_SHUFFLE
#undef WARPWISE_ENDED
#pragma pop_macro("DEVICE")
