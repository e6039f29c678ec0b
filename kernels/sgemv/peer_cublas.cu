// peer: cuBLAS
// library: libcublas.so.13 libcublas.so.12
//
// cublasSgemv of the transpose, which is what it sees of a matrix that is stored by rows.
#include "../parts/cublas.h"

extern "C" void solve(const float* a, const float* x, float* y, int rows, int columns) {
  const Cublas& cublas = Cublas::get();
  const float one = 1, zero = 0;
  Cublas::must(cublas.sgemv(cublas.handle, Cublas::kTransposed, columns, rows, &one, a, columns, x, 1, &zero, y, 1),
               "cublasSgemv");
}
