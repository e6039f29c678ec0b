// verdict: wrong-value
// why: an odd length that remains is left as it is
#include <cuda_runtime.h>

// Stockham's order: no reversal of bits. The input has `parts` interleaved signals of N / parts numbers, of which each is
// transformed; the first step sums directly over those of odd length.
__global__ void sums(const float2* in, float2* out, int N, int length) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, parts = N / length;
  if (i >= N) return;
  int part = i % parts, k = i / parts, turn = 0;
  float2 sum{0, 0};
  for (int n = 0; n < length; ++n) {
    float s, c;
    s = 0, c = n == k;
    float2 x = in[part + n * parts];
    sum.x += x.x * c - x.y * s;
    sum.y += x.x * s + x.y * c;
    turn += k;
    if (turn >= length) turn -= length;
  }
  out[part + k * parts] = sum;
}

// `parts` spectra of `length` numbers, interleaved, become parts / 2 of twice the length.
__global__ void join(const float2* in, float2* out, int N, int length) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, parts = N / length, half = parts / 2;
  if (i >= N / 2) return;
  int part = i % half, k = i / half;
  float s, c;
  sincospif(-float(k) / length, &s, &c);
  float2 even = in[part + k * parts], odd = in[part + half + k * parts];
  float2 turned{odd.x * c - odd.y * s, odd.x * s + odd.y * c};
  out[part + k * half] = float2{even.x + turned.x, even.y + turned.y};
  out[part + (k + length) * half] = float2{even.x - turned.x, even.y - turned.y};
}

extern "C" void solve(const float* signal, float* spectrum, int N) {
  int length = N, steps = 0;
  while (length % 2 == 0) {
    length /= 2;
    ++steps;
  }
  float2 *result = reinterpret_cast<float2*>(spectrum), *other;
  cudaMalloc(&other, N * sizeof(float2));
  float2* to = steps % 2 ? other : result;
  sums<<<(N + 127) / 128, 128>>>(reinterpret_cast<const float2*>(signal), to, N, length);
  for (; length < N; length *= 2) {
    float2* from = to;
    to = from == result ? other : result;
    join<<<(N / 2 + 127) / 128, 128>>>(from, to, N, length);
  }
  cudaFree(other);
}
