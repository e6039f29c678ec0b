// The states of cuRAND's generators, with the layout of NVIDIA's header: programs allocate them by sizeof and copy
// them.
#pragma once

#include "../../cuda_runtime.h"

#define WARPWISE_RANDOM static inline __attribute__((device, always_inline))

// Normal numbers come in pairs: the second one is kept here. The flags give its type.
#define WARPWISE_SECOND_NUMBER \
  int boxmuller_flag, boxmuller_flag_double; \
  float boxmuller_extra; \
  double boxmuller_extra_double;

struct curandStateXORWOW {
  unsigned int d, v[5];
  WARPWISE_SECOND_NUMBER
};
struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned int STATE;  // which word of `output` comes next
  WARPWISE_SECOND_NUMBER
};
struct curandStateMRG32k3a {
  unsigned int s1[3], s2[3];
  WARPWISE_SECOND_NUMBER
};
#undef WARPWISE_SECOND_NUMBER

typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

// Not implemented: they use tables that only NVIDIA's cuRAND has.
#define WARPWISE_ABSENT(name)                                                                           \
  struct name##_absent;                                                                                 \
  typedef struct name##_absent name __attribute__((unavailable("quasi-random and MTGP32 generators need NVIDIA's cuRAND: compile with nvcc (--compiler=nvcc)"))); \
  typedef struct name##_absent name##_t __attribute__((unavailable("quasi-random and MTGP32 generators need NVIDIA's cuRAND: compile with nvcc (--compiler=nvcc)")));
WARPWISE_ABSENT(curandStateMtgp32)
WARPWISE_ABSENT(curandStateSobol32)
WARPWISE_ABSENT(curandStateSobol64)
WARPWISE_ABSENT(curandStateScrambledSobol32)
WARPWISE_ABSENT(curandStateScrambledSobol64)
#undef WARPWISE_ABSENT

namespace warpwise {
namespace random {

enum : int { kNoneWaits = 0, kNormalWaits = 1, kLogNormalWaits = 2 };

template <class State> WARPWISE_RANDOM void forget_second(State* state) {
  state->boxmuller_flag = state->boxmuller_flag_double = kNoneWaits;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
}

}  // namespace random
}  // namespace warpwise
