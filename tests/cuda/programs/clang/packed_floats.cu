// Pairs of floats (__ffma2_rn and similar functions, compute capability 10.0): each half like the function of one
// float.
#include <cstdio>

__device__ bool same(float2 pair, float x, float y) { return __float_as_int(pair.x) == __float_as_int(x) && __float_as_int(pair.y) == __float_as_int(y); }

#define COMPARE(rounding)                                                                                                          \
  right = right && same(__fadd2_##rounding(a, b), __fadd_##rounding(a.x, b.x), __fadd_##rounding(a.y, b.y)) &&                     \
          same(__fmul2_##rounding(a, b), __fmul_##rounding(a.x, b.x), __fmul_##rounding(a.y, b.y)) &&                              \
          same(__ffma2_##rounding(a, b, c), __fmaf_##rounding(a.x, b.x, c.x), __fmaf_##rounding(a.y, b.y, c.y))

__global__ void compare(int* wrong, float2* sums) {
  const float i = threadIdx.x + 1;
  const float2 a = {1 / i, i / 3}, b = {i * 1e-7f, -1 / (i * i)}, c = {1e-8f * i, -i};
  bool right = true;
  COMPARE(rn);
  COMPARE(rz);
  COMPARE(rd);
  COMPARE(ru);
  if (!right) atomicAdd(wrong, 1);
  if (threadIdx.x == 6) sums[0] = __ffma2_rn(a, b, c), sums[1] = __ffma2_ru(a, b, c), sums[2] = __fadd2_rd(a, b), sums[3] = __fmul2_rz(a, b);
}

int main() {
  int* wrong;
  float2* sums;
  cudaMallocManaged(&wrong, sizeof(int));
  cudaMallocManaged(&sums, 4 * sizeof(float2));
  *wrong = 0;
  compare<<<1, 256>>>(wrong, sums);
  cudaDeviceSynchronize();
  printf("%d wrong\n", *wrong);
  for (int i = 0; i < 4; ++i) printf("%a %a\n", sums[i].x, sums[i].y);
}
