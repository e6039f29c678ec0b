// Compiled with AVX-512.
#define WARPWISE_TILE_FUNCTION multiply_tile_avx512
#include "numerics/tile_kernel.h"
#define WARPWISE_DOUBLE_TILE_FUNCTION multiply_doubles_avx512
#include "numerics/double_tile.h"
