// A kernel that does nothing: its launch is all there is.
#include "kernel.h"

__global__ void empty() {}
BENCH_KERNEL(empty)
