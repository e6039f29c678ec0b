// step: a tile for each shape: clusters that share k where there are few tiles
// takes: k % 16 == 0 and n % 8 == 0
// needs: sm_90a
//
// The last step of matmul_bf16 (../parts/product_shapes.h), with the two ways that the shapes of this ladder need:
// tiles of 128x256, and tiles of 128x128 for two blocks each.
//
// Expected: as before for large squares; half as much again for 128 rows, which have too few tiles of 128x256.
//
// Found (H100): 1.5 times step 03 for 128 rows of 8192x8192, 509 TOP/s. From 2048³ on it launches the kernel of step
// 03. 1024³ has not been measured with this choice. With pairs of blocks that share tiles of b, large squares took
// twice as long, so there are none.
#include "../parts/product_shapes.h"

using Ways = WaysOf<int8_t, Scaled>;

extern "C" void solve(const int8_t* a, const int8_t* b, const float* scale_a, const float* scale_b, __nv_bfloat16* c,
                      int m, int n, int k) {
  Ways::multiply({Ways::together<256>(1), Ways::together<128, 2>(0.55)}, a, b, c, m, n, k, {scale_a, scale_b, m, n});
}
