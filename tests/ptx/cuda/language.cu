// CUDA C++ that uses much of PTX's grammar: virtual functions, recursion, local arrays, switches, inline
// PTX with labels of its own, addresses in initialisers, printf.
#ifdef __clang__  // a stand-in for CUDA's headers; nvcc brings its own
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __noinline__ __attribute__((noinline))
#include <__clang_cuda_builtin_vars.h>
extern "C" __device__ int vprintf(const char*, void*);
__device__ inline void print(const char* format, int value) { vprintf(format, &value); }
#else
#include <cstdio>
__device__ inline void print(const char* format, int value) { printf(format, value); }
#endif

__constant__ float weights[4] = {1.5f, 2.f, 3.f, 4.f};
__device__ float values[10];
__device__ float* pointer = &values[2];
__device__ const char* message = "value %d\n";

struct Shape {
  __device__ virtual int area(int x) const { return x; }
};
struct Square : Shape {
  __device__ int area(int x) const override { return x * x; }
};

__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

__device__ int spin(int x) {
  asm volatile(
      "{\n .reg .pred p;\n WAIT: setp.ne.u32 p, %0, 0;\n @p bra DONE;\n bra WAIT;\n DONE: mov.u32 %0, %%laneid;\n}"
      : "+r"(x));
  return x;
}

__global__ void language(float* a, int n, double d, const Shape* shape) {
  __shared__ float tile[64];
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  int local[8];
  for (int j = 0; j < 8; ++j) local[(j + n) & 7] = i;
  tile[threadIdx.x] = a[i];
  __syncthreads();
  a[i] = tile[63 - threadIdx.x] * weights[i & 3] + (float)d / 3 + local[n & 7];
  Square square;
  const Shape* chosen = n > 3 ? shape : &square;
  a[0] = fibonacci(n) + chosen->area(n) + spin(n) + spin(i);
  print(message, n);
  switch (n) {
    case 0: a[1] = 2; break;
    case 1: a[2] = 3; break;
    case 2: a[4] = 9; break;
    case 4: a[5] = 7; break;
    case 5: a[6] = 6; break;
  }
  *pointer += a[i] * (float)(n / 7) + (float)(n % 5);
}
