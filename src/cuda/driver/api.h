// The functions that libcuda exports, under the names of their symbols (cuMemAlloc_v2, not cuMemAlloc). A file that
// implements a group includes this: an implementation whose types differ from its row in driver_api.inc does not
// compile, a Ready row without one does not link.
#pragma once

#define __CUDA_API_VERSION_INTERNAL  // no names for symbols
#pragma GCC visibility push(default)
#include "cuda.h"
#pragma GCC visibility pop
