// Inclusive prefix sums of any length in three kernels: scan each block (Kogge and Stone, with two
// buffers so that one barrier per step is enough), scan the blocks' totals, add to each block what
// comes before it.
//
//     warpwise run examples/scan.cu [elements]
#include "common.h"

constexpr int kThreads = 512;

__global__ void scan_blocks(const int* in, int* out, int* totals, int n) {
  __shared__ int buffer[2][kThreads];
  int t = threadIdx.x, i = blockIdx.x * kThreads + t;
  int from = 0;
  buffer[from][t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int distance = 1; distance < kThreads; distance *= 2) {
    int to = 1 - from;
    buffer[to][t] = buffer[from][t] + (t >= distance ? buffer[from][t - distance] : 0);
    from = to;
    __syncthreads();
  }
  if (i < n) out[i] = buffer[from][t];
  if (t == kThreads - 1 && totals) totals[blockIdx.x] = buffer[from][t];
}

__global__ void add_totals(int* out, const int* scanned_totals, int n) {
  int i = blockIdx.x * kThreads + threadIdx.x;
  if (blockIdx.x > 0 && i < n) out[i] += scanned_totals[blockIdx.x - 1];
}

// Totals of blocks are scanned by the same function, until one block is enough.
void scan(const int* in, int* out, int n) {
  int blocks = divide_up(n, kThreads);
  if (blocks == 1) {
    scan_blocks<<<1, kThreads>>>(in, out, nullptr, n);
    return;
  }
  DeviceArray<int> totals(blocks), scanned(blocks);
  scan_blocks<<<blocks, kThreads>>>(in, out, totals.data, n);
  scan(totals.data, scanned.data, blocks);
  add_totals<<<blocks, kThreads>>>(out, scanned.data, n);
  check_kernel();
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 1, 300007);
  std::vector<int> in(n), want(n);
  int sum = 0;
  for (int i = 0; i < n; ++i) want[i] = sum += in[i] = int((i * 2654435761u) >> 26) - 20;

  DeviceArray<int> din(in), dout(n);
  dout.clear();
  scan(din.data, dout.data, n);
  check_kernel();
  Verdict verdict;
  verdict.check("inclusive prefix sums", dout.to_host() == want);
  return verdict.finish("scan");
}
