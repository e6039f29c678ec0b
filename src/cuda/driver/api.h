// The functions that libcuda exports, under the names of their symbols (cuMemAlloc_v2, not cuMemAlloc). Each file that
// implements a group includes this header. An implementation whose types differ from its row in driver_api.inc does not
// compile; a Ready row without one does not link.
#pragma once

#define __CUDA_API_VERSION_INTERNAL  // disables macros that rename functions
#pragma GCC visibility push(default)
#include "cuda.h"
#pragma GCC visibility pop
