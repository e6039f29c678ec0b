// The plain kernels for float; reference.h has them for both types.
#include "reference.h"

extern "C" void reference(const float* dy, const float* x, const float* gamma, const float* mean, const float* rstd,
                          float* dx, float* dgamma, float* dbeta, float* sums, int rows, int columns) {
  reference_parts::layer_norm_backward(dy, x, gamma, mean, rstd, dx, dgamma, dbeta, rows, columns);
}
