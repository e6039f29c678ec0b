// The steps of a published softmax of the rows of a matrix on a GeForce GTX 1050 Ti (github.com/Maharshi-Pandya/cudacodes, softmax/README.md),
// for comparison with the model: scripts/model_table.py softmax. The kernels are ours, after the descriptions of the steps.
//
//   naive    one thread per row, three passes over it; blocks of 1024 threads
//   online   one thread per row, maximum and sum in one pass
//   shared   a block of 1024 threads per row; first the maxima and then the sums are combined in shared memory
//   shuffle  the same, but warps reduce in registers first
//
//     warpwise profile --device=gtx1050ti kernels/published/softmax.cu [rows] [columns]        1024 and 32768 in the published table
#include "../../examples/common.h"

constexpr int kThreads = 1024, kWarps = kThreads / 32;

__global__ void naive(const float* __restrict__ in, float* __restrict__ out, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float most = -INFINITY, sum = 0;
  for (int i = 0; i < columns; ++i) most = fmaxf(most, in[row * columns + i]);
  for (int i = 0; i < columns; ++i) sum += expf(in[row * columns + i] - most);
  for (int i = 0; i < columns; ++i) out[row * columns + i] = expf(in[row * columns + i] - most) / sum;
}

struct Part {
  float most = -INFINITY, sum = 0;
  __device__ void add(float x) {
    if (x > most) sum *= expf(most - x), most = x;
    sum += expf(x - most);
  }
};

__global__ void online(const float* __restrict__ in, float* __restrict__ out, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  Part part;
  for (int i = 0; i < columns; ++i) part.add(in[row * columns + i]);
  for (int i = 0; i < columns; ++i) out[row * columns + i] = expf(in[row * columns + i] - part.most) / part.sum;
}

struct Max {
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Sum {
  __device__ float operator()(float a, float b) const { return a + b; }
};

// A tree in shared memory, a barrier for each level.
struct InShared {
  template <class Combine>
  __device__ static float of_block(float mine, float, Combine combine, float* words) {
    words[threadIdx.x] = mine;
    __syncthreads();
    for (int distance = kThreads / 2; distance > 0; distance /= 2) {
      if (int(threadIdx.x) < distance) words[threadIdx.x] = combine(words[threadIdx.x], words[threadIdx.x + distance]);
      __syncthreads();
    }
    float all = words[0];
    __syncthreads();
    return all;
  }
};

// Each warp by shuffles, then one warp those of all.
struct ByShuffles {
  template <class Combine>
  __device__ static float of_warp(float mine, Combine combine) {
    for (int distance = 16; distance > 0; distance /= 2) mine = combine(mine, __shfl_down_sync(0xffffffffu, mine, distance));
    return mine;
  }
  template <class Combine>
  __device__ static float of_block(float mine, float nothing, Combine combine, float* words) {
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    mine = of_warp(mine, combine);
    if (lane == 0) words[warp] = mine;
    __syncthreads();
    if (warp == 0) {
      mine = of_warp(lane < kWarps ? words[lane] : nothing, combine);
      if (lane == 0) words[0] = mine;
    }
    __syncthreads();
    float all = words[0];
    __syncthreads();
    return all;
  }
};

template <class Reduce>
__device__ void by_blocks(const float* in, float* out, int columns) {
  __shared__ float words[kThreads];
  const float* x = in + blockIdx.x * columns;
  float* y = out + blockIdx.x * columns;
  Part part;
  for (int i = threadIdx.x; i < columns; i += kThreads) part.add(x[i]);
  __syncthreads();
  const float most = Reduce::of_block(part.most, -INFINITY, Max(), words);
  const float sum = Reduce::of_block(part.sum * expf(part.most - most), 0.0f, Sum(), words);
  for (int i = threadIdx.x; i < columns; i += kThreads) y[i] = expf(x[i] - most) / sum;
}

__global__ void shared(const float* __restrict__ in, float* __restrict__ out, int, int columns) { by_blocks<InShared>(in, out, columns); }
__global__ void shuffle(const float* __restrict__ in, float* __restrict__ out, int, int columns) { by_blocks<ByShuffles>(in, out, columns); }

int main(int argc, char** argv) {
  int rows = argument(argc, argv, 1, 1024), columns = argument(argc, argv, 2, 2048);
  std::vector<float> host = random_floats(size_t(rows) * columns);
  for (float& x : host) x *= 2;
  DeviceArray<float> in(host), out(host.size());
  Verdict verdict;
  using Kernel = void (*)(const float*, float*, int, int);
  auto step = [&](const char* name, Kernel kernel, int blocks) {
    out.clear();
    kernel<<<blocks, kThreads>>>(in.data, out.data, rows, columns);
    check_kernel();
    std::vector<float> got(columns);
    double worst = 0;
    for (int row = 0; row < rows; row += divide_up(rows, 16)) {
      CUDA_CHECK(cudaMemcpy(got.data(), out.data + size_t(row) * columns, columns * sizeof(float), cudaMemcpyDeviceToHost));
      const float* x = &host[size_t(row) * columns];
      double sum = 0;
      for (int i = 0; i < columns; ++i) sum += std::exp(double(x[i]));
      for (int i = 0; i < columns; ++i) worst = std::max(worst, std::abs(std::exp(double(x[i])) / sum - got[i]) * columns);
    }
    verdict.check(name, worst < 1e-3);
  };
  step("naive", naive, divide_up(rows, kThreads));
  step("online", online, divide_up(rows, kThreads));
  step("shared", shared, rows);
  step("shuffle", shuffle, rows);
  return verdict.finish("softmax");
}
