// Hundreds of guarded stores, which quickly compiled code has the engine check by a call. What they write is written
// from then on, in its lanes alone, and what lies outside is found.
// options: --only=memory,init
#define STORE(n) \
  if (i + (n) < 510) row[n] = x + (n);
#define TEN(n) \
  STORE(n)     \
  STORE(n + 1) STORE(n + 2) STORE(n + 3) STORE(n + 4) STORE(n + 5) STORE(n + 6) STORE(n + 7) STORE(n + 8) STORE(n + 9)
#define HUNDRED(n) \
  TEN(n) TEN(n + 10) TEN(n + 20) TEN(n + 30) TEN(n + 40) TEN(n + 50) TEN(n + 60) TEN(n + 70) TEN(n + 80) TEN(n + 90)
__global__ void fill(float* out, float x) {
  int i = threadIdx.x;
  float* row = out + i * 510;
  HUNDRED(0)
  HUNDRED(100)
  HUNDRED(200)
  HUNDRED(300)
  HUNDRED(400)
  TEN(500)
  float sum = row[0] + row[509 - i];
  if (i == 5) sum += row[509];     // finds C0301
  if (i > 29) row[i + 509] = sum;  // finds C0101
}
int main() {
  float* out;
  cudaMalloc(&out, (32 * 510 + 20) * sizeof(float));
  fill<<<1, 32>>>(out, 1);
  cudaDeviceSynchronize();
  cudaFree(out);
}
