// The plain kernels for bfloat16; ../sgemv/reference.h has them for both types.
#include "../sgemv/reference.h"

extern "C" void reference(const __nv_bfloat16* a, const __nv_bfloat16* x, __nv_bfloat16* y, int rows, int columns) {
  reference_parts::multiply<<<rows, reference_parts::kThreads>>>(a, x, y, columns);
}
