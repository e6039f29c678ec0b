// For any x86-64 processor.
#define WARPWISE_TILE_FUNCTION multiply_tile_sse2
#include "numerics/tile_kernel.h"
