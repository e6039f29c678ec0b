// Compiled with AVX2 and FMA.
#define WARPWISE_TILE_FUNCTION multiply_tile_avx2
#include "numerics/tile_kernel.h"
#define WARPWISE_DOUBLE_TILE_FUNCTION multiply_doubles_avx2
#include "numerics/double_tile.h"
