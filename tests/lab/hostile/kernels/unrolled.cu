// verdict: too-slow
// Four nested loops of 64 turns that the compiler is to unroll into 16 million statements.
extern "C" __global__ void add_ten(float* out, const float* a) {
  int i = threadIdx.x;
  float sum = 0;
#pragma unroll
  for (int j = 0; j < 64; ++j)
#pragma unroll
    for (int k = 0; k < 64; ++k)
#pragma unroll
      for (int l = 0; l < 64; ++l)
#pragma unroll
        for (int m = 0; m < 64; ++m) sum += __sinf(a[i] + j * k * l * m);
  if (sum == 12345) return;
  out[i] = a[i] + 10;
}
