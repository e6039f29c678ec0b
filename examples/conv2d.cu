// A two-dimensional convolution with zeros around the picture, twice: from global memory, and from a
// tile with a halo in (dynamic) shared memory, whose size is known only at the launch.
//
//     warpwise run examples/conv2d.cu [width] [height]
#include "common.h"

constexpr int kRadius = 2, kSide = 2 * kRadius + 1, kBlock = 16;
__constant__ float filter[kSide][kSide];

__global__ void conv_naive(const float* in, float* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int dy = -kRadius; dy <= kRadius; ++dy)
    for (int dx = -kRadius; dx <= kRadius; ++dx) {
      int px = x + dx, py = y + dy;
      if (px >= 0 && px < width && py >= 0 && py < height)
        sum += in[py * width + px] * filter[dy + kRadius][dx + kRadius];
    }
  out[y * width + x] = sum;
}

__global__ void conv_tiled(const float* in, float* out, int width, int height) {
  extern __shared__ float tile[];  // (blockDim.y + 2·radius) rows of pitch words
  int pitch = blockDim.x + 2 * kRadius, rows = blockDim.y + 2 * kRadius;
  int left = int(blockIdx.x * blockDim.x) - kRadius, top = int(blockIdx.y * blockDim.y) - kRadius;
  for (int i = threadIdx.y * blockDim.x + threadIdx.x; i < pitch * rows; i += blockDim.x * blockDim.y) {
    int px = left + i % pitch, py = top + i / pitch;
    tile[i] = px >= 0 && px < width && py >= 0 && py < height ? in[py * width + px] : 0.0f;
  }
  __syncthreads();
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int dy = 0; dy < kSide; ++dy)
    for (int dx = 0; dx < kSide; ++dx) sum += tile[(threadIdx.y + dy) * pitch + threadIdx.x + dx] * filter[dy][dx];
  out[y * width + x] = sum;
}

int main(int argc, char** argv) {
  int width = argument(argc, argv, 1, 250), height = argument(argc, argv, 2, 190);
  std::vector<float> in = random_floats(size_t(width) * height, 1), weights = random_floats(kSide * kSide, 2);
  std::vector<float> want(in.size());
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      double sum = 0;
      for (int dy = -kRadius; dy <= kRadius; ++dy)
        for (int dx = -kRadius; dx <= kRadius; ++dx) {
          int px = x + dx, py = y + dy;
          if (px >= 0 && px < width && py >= 0 && py < height)
            sum += double(in[py * width + px]) * weights[(dy + kRadius) * kSide + dx + kRadius];
        }
      want[y * width + x] = float(sum);
    }
  CUDA_CHECK(cudaMemcpyToSymbol(filter, weights.data(), sizeof(filter)));

  DeviceArray<float> din(in), dout(in.size());
  dim3 block(kBlock, kBlock), grid(divide_up(width, kBlock), divide_up(height, kBlock));
  Verdict verdict;
  dout.clear();
  conv_naive<<<grid, block>>>(din.data, dout.data, width, height);
  check_kernel();
  verdict.check("naive", dout.to_host(), want, 1e-5);

  size_t shared_bytes = sizeof(float) * (kBlock + 2 * kRadius) * (kBlock + 2 * kRadius);
  dout.clear();
  conv_tiled<<<grid, block, shared_bytes>>>(din.data, dout.data, width, height);
  check_kernel();
  verdict.check("tiled", dout.to_host(), want, 1e-5);
  return verdict.finish("conv2d");
}
