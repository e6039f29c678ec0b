// Races: what these kernels compute depends on the order in which warps run, and nothing orders them. Every way of running
// them gives one result (docs/internals/unordered_accesses.md), and some shuffled schedule another.
// Output: a line for each kernel, its name and a checksum of the words it left.
#include <cstdio>
#include <cstring>

constexpr int kWords = 1024;

// The same work by every row of threads; every warp; at a distance.
__global__ void rows(int* x, const int* a, int) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] += a[i];
}
__global__ void modulo(int* x, const int* a, int) {
  int i = threadIdx.x % 32;
  x[i] += a[i];
}
__global__ void shift(int* x, const int*, int n) {
  int i = threadIdx.x;
  if (i + 1 < n) x[i] = x[i + 1];
}
__global__ void reverse(int* x, const int*, int n) {
  int i = threadIdx.x;
  x[i] = x[n - 1 - i];
}
__global__ void smooth(int* x, const int*, int n) {
  int i = threadIdx.x;
  if (i > 0 && i + 1 < n) x[i] = x[i - 1] + x[i] + x[i + 1];
}
__global__ void histogram(int* x, const int* a, int) { x[a[threadIdx.x] % 7]++; }
__global__ void counter(int* x, const int*, int) { x[0]++; }
__global__ void largest(int* x, const int* a, int) {
  if (a[threadIdx.x] > x[0]) x[0] = a[threadIdx.x];
}
__global__ void rounds(int* x, const int* a, int n) {
  for (int k = 0; k < 5; ++k) x[(threadIdx.x * 3 + k) % 40] += a[k];
}
__global__ void stride(int* x, const int*, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] = x[(i + 96) % n] + 1;
}

// In shared memory: a barrier is missing.
__global__ void shared_shift(int* x, const int* a, int) {
  __shared__ int s[257];
  s[threadIdx.x] = a[threadIdx.x];
  if (threadIdx.x == 0) s[256] = 9;
  __syncthreads();
  s[threadIdx.x] = s[threadIdx.x + 1];
  __syncthreads();
  x[threadIdx.x] = s[threadIdx.x];
}
__global__ void scan(int* x, const int* a, int) {
  __shared__ int s[256];
  s[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  for (int d = 1; d < 256; d *= 2) {
    if (threadIdx.x >= d) s[threadIdx.x] += s[threadIdx.x - d];
    __syncthreads();
  }
  x[threadIdx.x] = s[threadIdx.x];
}
__global__ void tree(int* x, const int* a, int) {
  __shared__ int s[256];
  s[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  for (int d = 128; d > 0; d /= 2)
    if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
  __syncthreads();
  x[threadIdx.x] = s[threadIdx.x];
}
__global__ void neighbour(int* x, const int* a, int) {
  __shared__ int s[256];
  s[threadIdx.x] = 0;
  __syncthreads();
  s[threadIdx.x] = a[threadIdx.x];
  x[threadIdx.x] = s[(threadIdx.x + 32) % 256];
}
__global__ void flag(int* x, const int* a, int) {
  __shared__ int s;
  if (threadIdx.x == 0) s = 1;
  __syncthreads();
  if (threadIdx.x == 40) s = a[40];
  x[threadIdx.x] = s;
}
__global__ void in_place_transpose(int* x, const int* a, int) {
  __shared__ int s[16][16];
  s[threadIdx.y][threadIdx.x] = a[threadIdx.y * 16 + threadIdx.x];
  __syncthreads();
  s[threadIdx.y][threadIdx.x] = s[threadIdx.x][threadIdx.y];
  __syncthreads();
  x[threadIdx.y * 16 + threadIdx.x] = s[threadIdx.y][threadIdx.x];
}
__global__ void bytes(int* x, const int* a, int) {
  __shared__ unsigned char s[512];
  s[threadIdx.x] = a[threadIdx.x], s[threadIdx.x + 256] = a[threadIdx.x] * 3;
  __syncthreads();
  s[threadIdx.x] += s[(threadIdx.x * 5 + 100) % 512];
  __syncthreads();
  x[threadIdx.x] = s[threadIdx.x];
}
__global__ void pairs(int* x, const int* a, int n) {
  int i = threadIdx.x;
  int2 two = {x[i] + a[i], x[i + 1] + a[i]};
  if (i % 2 == 0) reinterpret_cast<int2*>(x)[(i + 64) / 2 % 120] = two;
}

// Within a warp, in another function, in branches, round after round.
__global__ void lanes(int* x, const int* a, int) { x[threadIdx.x / 2] += a[threadIdx.x]; }
__device__ __noinline__ void add(int* x, int i, int value) { x[i] += value; }
__global__ void called(int* x, const int* a, int) { add(x, threadIdx.x % 48, a[threadIdx.x]); }
__global__ void branches(int* x, const int* a, int) {
  int i = threadIdx.x % 64;
  if (threadIdx.x / 64 % 2 == 0)
    x[i] = x[i + 64] + a[i];
  else
    x[i + 64] = x[i] - a[i];
}
__global__ void tasks(int* x, const int* a, int) {
  __shared__ int next;
  if (threadIdx.x == 0) next = 0;
  __syncthreads();
  while (next < 10) {
    x[next * 32 + threadIdx.x % 32] += a[next];
    if (threadIdx.x == 0) next = next + 1;
    __syncthreads();
  }
}
__global__ void alias(int* x, const int* y, int n) {
  int i = threadIdx.x;
  if (i + 1 < n) x[i] = y[i + 1] + 1;
}
__global__ void fenced(int* x, const int* a, int) {
  x[threadIdx.x % 32] += a[threadIdx.x];
  __threadfence();
  x[threadIdx.x % 32 + 32] += x[threadIdx.x % 32];
}
// A race where rows of n words are narrower than the block.
__global__ void narrow_rows(int* x, const int* a, int n) { x[threadIdx.y * n + threadIdx.x] += a[threadIdx.y]; }

int main() {
  int *x, *a, words[kWords];
  cudaMalloc(&x, sizeof words);
  cudaMalloc(&a, sizeof words);
  for (int i = 0; i < kWords; ++i) words[i] = (i * 37 + 11) % 101;
  cudaMemcpy(a, words, sizeof words, cudaMemcpyHostToDevice);
  auto run = [&](const char* name, void (*kernel)(int*, const int*, int), dim3 block, const int* second, int n = 256) {
    for (int i = 0; i < kWords; ++i) words[i] = i;
    cudaMemcpy(x, words, sizeof words, cudaMemcpyHostToDevice);
    kernel<<<1, block>>>(x, second, n);
    cudaMemcpy(words, x, sizeof words, cudaMemcpyDeviceToHost);
    unsigned long long sum = 0;
    for (int i = 0; i < kWords; ++i) sum = sum * 31 + unsigned(words[i]);
    std::printf("%s %llx %s\n", name, sum, cudaGetErrorString(cudaGetLastError()));
  };
#define RUN(kernel, ...) run(#kernel, kernel, dim3(__VA_ARGS__), a)
  RUN(rows, 32, 8);
  RUN(modulo, 256);
  RUN(shift, 256);
  RUN(reverse, 256);
  RUN(smooth, 256);
  RUN(histogram, 256);
  RUN(counter, 256);
  RUN(largest, 256);
  RUN(rounds, 256);
  RUN(stride, 128);
  RUN(shared_shift, 256);
  RUN(scan, 256);
  RUN(tree, 256);
  RUN(neighbour, 256);
  RUN(flag, 256);
  RUN(in_place_transpose, 16, 16);
  RUN(bytes, 256);
  RUN(pairs, 256);
  RUN(lanes, 256);
  RUN(called, 256);
  RUN(branches, 256);
  RUN(tasks, 256);
  run("alias", alias, 256, x);
  RUN(fenced, 256);
  narrow_rows<<<1, dim3(16, 16)>>>(x, a, 32);  // as wide as the block, or wider: no race
  run("narrow_rows", narrow_rows, dim3(16, 16), a, 10);
}
