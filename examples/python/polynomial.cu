// A polynomial as an activation: y = (5 x^3 - 3 x) / 2, the third Legendre polynomial, and its gradient. An operator of
// PyTorch is made of the two kernels (polynomial.py, docs/python.md).
#ifndef REAL
#define REAL float
#endif

extern "C" __global__ void legendre(const REAL* x, REAL* y, long n) {
  long i = long(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  REAL v = x[i];
  y[i] = v * (REAL(2.5) * v * v - REAL(1.5));
}

// The chain rule: what reaches y, times dy/dx = (15 x^2 - 3) / 2.
extern "C" __global__ void legendre_backward(const REAL* grad_y, const REAL* x, REAL* grad_x, long n) {
  long i = long(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  grad_x[i] = grad_y[i] * (REAL(7.5) * x[i] * x[i] - REAL(1.5));
}
