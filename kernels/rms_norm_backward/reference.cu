// The plain kernels for float; reference.h has them for both types.
#include "reference.h"

extern "C" void reference(const float* dy, const float* x, const float* gamma, const float* rstd, float* dx,
                          float* dgamma, float* sums, int rows, int columns) {
  reference_parts::rms_norm_backward(dy, x, gamma, rstd, dx, dgamma, rows, columns);
}
