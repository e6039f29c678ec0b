// The plain kernels for bfloat16; ../layer_norm_backward/reference.h has them for both types.
#include "../layer_norm_backward/reference.h"

extern "C" void reference(const __nv_bfloat16* dy, const __nv_bfloat16* x, const __nv_bfloat16* gamma,
                          const float* mean, const float* rstd, __nv_bfloat16* dx, __nv_bfloat16* dgamma,
                          __nv_bfloat16* dbeta, float* sums, int rows, int columns) {
  reference_parts::layer_norm_backward(dy, x, gamma, mean, rstd, dx, dgamma, dbeta, rows, columns);
}
