// peer: cuBLASLt, sums in fp32
// library: libcublasLt.so.13
//
// The same without fast accumulation: sums are brought to fp32 along the way.
#include "peer.h"

extern "C" void solve(const __nv_fp8_e4m3* a, const __nv_fp8_e4m3* b, const float* scale_a, const float* scale_b,
                      __nv_bfloat16* c, int m, int n, int k) {
  solve_by_cublaslt(a, b, scale_a, scale_b, c, m, n, k, false);
}
