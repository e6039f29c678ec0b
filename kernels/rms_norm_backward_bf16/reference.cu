// The plain kernels for bfloat16; ../rms_norm_backward/reference.h has them for both types.
#include "../rms_norm_backward/reference.h"

extern "C" void reference(const __nv_bfloat16* dy, const __nv_bfloat16* x, const __nv_bfloat16* gamma,
                          const float* rstd, __nv_bfloat16* dx, __nv_bfloat16* dgamma, float* sums, int rows,
                          int columns) {
  reference_parts::rms_norm_backward(dy, x, gamma, rstd, dx, dgamma, rows, columns);
}
