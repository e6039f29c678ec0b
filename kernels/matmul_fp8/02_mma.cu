// step: tensor cores, a warp at a time: mma.sync, with three tiles on their way
// takes: k % 16 == 0 and n % 2 == 0
// needs: sm_89
//
// The third step of matmul_bf16, with as many bytes and twice as many elements in each fragment (../matmul_int8/mma.h):
// 16x8x32.
//
// Expected: 600 TOP/s, a third of the peak. As for bfloat16, every operand goes through registers.
//
// Found (H100): 261 TFLOP/s at 4096³, 264 at 8192³: two fifths of what step 02 of integers does.
#include "../matmul_int8/mma.h"

extern "C" void solve(const __nv_fp8_e4m3* a, const __nv_fp8_e4m3* b, const float* scale_a, const float* scale_b,
                      __nv_bfloat16* c, int m, int n, int k) {
  solve_by_warps(a, b, scale_a, scale_b, c, m, n, k);
}
