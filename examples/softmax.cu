// Softmax of the rows of a matrix, one block per row. The largest value is subtracted first, or exp
// would overflow; maximum and sum are each a reduction over the block.
//
//     warpwise run examples/softmax.cu [rows] [columns]
#include "common.h"

constexpr int kThreads = 128;

struct Largest {
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Sum {
  __device__ float operator()(float a, float b) const { return a + b; }
};

// All threads of the block get the result. `part` has one word per warp.
template <class Combine>
__device__ float block_reduce(float value, float* part, Combine combine) {
  for (int distance = 16; distance > 0; distance /= 2)
    value = combine(value, __shfl_xor_sync(0xffffffffu, value, distance));
  __syncthreads();  // the words may still be read from the reduction before
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = value;
  __syncthreads();
  value = part[0];
  for (int warp = 1; warp < kThreads / 32; ++warp) value = combine(value, part[warp]);
  return value;
}

__global__ void softmax(const float* in, float* out, int columns) {
  __shared__ float part[kThreads / 32];
  in += size_t(blockIdx.x) * columns;
  out += size_t(blockIdx.x) * columns;

  float largest = -INFINITY;
  for (int i = threadIdx.x; i < columns; i += kThreads) largest = fmaxf(largest, in[i]);
  largest = block_reduce(largest, part, Largest{});

  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += kThreads) sum += out[i] = expf(in[i] - largest);
  sum = block_reduce(sum, part, Sum{});

  for (int i = threadIdx.x; i < columns; i += kThreads) out[i] /= sum;
}

int main(int argc, char** argv) {
  int rows = argument(argc, argv, 1, 100), columns = argument(argc, argv, 2, 777);
  std::vector<float> in = random_floats(size_t(rows) * columns), want(in.size());
  for (float& v : in) v *= 100.0f;  // exp(100) is no float: without the subtraction this overflows
  for (int r = 0; r < rows; ++r) {
    const float* row = &in[size_t(r) * columns];
    double largest = -INFINITY, sum = 0;
    for (int i = 0; i < columns; ++i) largest = std::fmax(largest, double(row[i]));
    for (int i = 0; i < columns; ++i) sum += std::exp(row[i] - largest);
    for (int i = 0; i < columns; ++i) want[size_t(r) * columns + i] = float(std::exp(row[i] - largest) / sum);
  }

  DeviceArray<float> din(in), dout(in.size());
  dout.clear();
  softmax<<<rows, kThreads>>>(din.data, dout.data, columns);
  check_kernel();
  Verdict verdict;
  verdict.check("softmax of rows", dout.to_host(), want, 1e-6);
  return verdict.finish("softmax");
}
