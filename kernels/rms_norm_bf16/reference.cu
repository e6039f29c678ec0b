// The plain kernels for bfloat16; ../rms_norm/reference.h has them for both types.
#include "../rms_norm/reference.h"

extern "C" void reference(const __nv_bfloat16* in, const __nv_bfloat16* gamma, __nv_bfloat16* out, int rows,
                          int columns, float epsilon) {
  reference_parts::rms_norm<<<rows, reference_parts::kThreads>>>(in, gamma, out, columns, epsilon);
}
