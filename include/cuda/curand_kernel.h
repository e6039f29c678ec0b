// cuRAND's device API (cuRAND library guide): XORWOW, Philox4x32-10 and MRG32k3a with uniform, normal, log-normal and
// Poisson numbers. Quasi-random generators and MTGP32 need tables that only NVIDIA's cuRAND has.
#pragma once

#include "cuda_runtime.h"
#include "warpwise/random/states.h"
#ifdef __CUDACC__  // host sources (.cpp) get the states alone
#include "warpwise/random/distributions.h"
#include "warpwise/random/mrg32k3a.h"
#include "warpwise/random/philox.h"
#include "warpwise/random/poisson.h"
#include "warpwise/random/xorwow.h"
#endif

#undef WARPWISE_RANDOM
