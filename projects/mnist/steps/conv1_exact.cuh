// conv1 without its 411 MB of values: steps 5 and 6.
//
// A value of conv1 is linear in nine bytes, v = w · x (x: the 3×3 patch). So all that batch norm needs to know about
// the batch is in the first and second moments of the patches, 9 + 45 numbers, the same for all 32 channels, and sums
// of integers, so exact:
//
//     mean = w · m          variance = wᵀ Σ w          m = mean of x, Σ = mean of x xᵀ − m mᵀ
//
// With the statistics known beforehand, convolution, norm, ReLU and pooling are one kernel, and the norm's factor is multiplied
// into the weights. The backward pass uses the same moments. With dy the gradient after the norm (zero but for one
// value of each pooling window), x̂ the normalised value and a sum over all positions,
//
//     dw_k = γ/σ (Σ dy x_k  −  Σ dy · mean(x_k)  −  Σ dy x̂ · mean(x̂ x_k))
//     Σ dy x̂ = (Σ_j w_j Σ dy x_j − mean · Σ dy) / σ           mean(x̂ x_k) = (Σ_j w_j M_jk − mean · m_k) / σ
//
// so only G_k = Σ dy x_k and S = Σ dy have to be gathered, and only over pooled positions: there is no dense gradient.
#pragma once

#include "norm.cuh"

namespace mnist::conv1 {

constexpr int kMoments = 54;  // 9 sums of x, then 45 of x_i x_j, i ≤ j
constexpr int kMomentThreads = 256, kImagesPerBlock = 16;

__host__ __device__ constexpr int moment_of(int i, int j) {
  int low = i < j ? i : j, high = i < j ? j : i;
  return 9 + low * 9 - low * (low - 1) / 2 + (high - low);
}
static_assert(moment_of(0, 0) == 9 && moment_of(0, 8) == 17 && moment_of(1, 1) == 18 && moment_of(8, 8) == 53, "the upper triangle, row by row");

// A picture with its border, as numbers 0 … 255.
constexpr int kPitch = 36;  // not 32: rows of a patch in different banks
template <class T>
__device__ void load_bytes(T* plane, const uint8_t* image, int threads) {
  for (int i = int(threadIdx.x); i < 30 * kPitch; i += threads) {
    int y = i / kPitch - 1, x = i % kPitch - 1;
    plane[i] = y >= 0 && y < kSide1 && x >= 0 && x < kSide1 ? T(image[y * kSide1 + x]) : T(0);
  }
}

// partial[block][54]. A block's sums fit into 32 bits: 16 images · 784 · 255² < 2^30.
static __global__ void __launch_bounds__(kMomentThreads) moments_kernel(Batch batch, int images, unsigned* partial) {
  __shared__ int plane[30 * kPitch];
  __shared__ unsigned shared[kMomentThreads / 32][kMoments];
  unsigned sums[kMoments] = {};
  int end = min(images, int(blockIdx.x + 1) * kImagesPerBlock);
  for (int n = int(blockIdx.x) * kImagesPerBlock; n < end; ++n) {
    __syncthreads();
    load_bytes(plane, batch.pixels + size_t(batch.order[n]) * kPixels1, kMomentThreads);
    __syncthreads();
    for (int pixel = int(threadIdx.x); pixel < kPixels1; pixel += kMomentThreads) {
      unsigned x[kTaps];
#pragma unroll
      for (int k = 0; k < kTaps; ++k) x[k] = unsigned(plane[(pixel / kSide1 + k / 3) * kPitch + pixel % kSide1 + k % 3]);
#pragma unroll
      for (int i = 0; i < kTaps; ++i) {
        sums[i] += x[i];
#pragma unroll
        for (int j = i; j < kTaps; ++j) sums[moment_of(i, j)] += x[i] * x[j];
      }
    }
  }
#pragma unroll
  for (int m = 0; m < kMoments; ++m) {
    unsigned sum = __reduce_add_sync(0xffffffffu, sums[m]);
    if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32][m] = sum;
  }
  __syncthreads();
  if (threadIdx.x >= kMoments) return;
  unsigned sum = 0;
  for (int w = 0; w < kMomentThreads / 32; ++w) sum += shared[w][threadIdx.x];
  partial[size_t(blockIdx.x) * kMoments + threadIdx.x] = sum;
}

// The means of the 54 products over all positions, of values between 0 and 1; then each channel's norm. One block.
static __global__ void __launch_bounds__(1024) statistics_kernel(const unsigned* partial, int parts, double positions, const float* weight, const float* scale,
                                                               const float* shift, double* moments, Norm norm) {
  __shared__ double m[kMoments];
  int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
  for (int i = warp; i < kMoments; i += 32) {
    unsigned long long sum = 0;
    for (int p = lane; p < parts; p += 32) sum += partial[size_t(p) * kMoments + i];
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step);
    if (lane == 0) moments[i] = m[i] = double(sum) / positions / (i < kTaps ? 255.0 : 255.0 * 255.0);
  }
  __syncthreads();
  int c = int(threadIdx.x);
  if (c >= kChannels1) return;
  double mean = 0, square = 0;
  for (int i = 0; i < kTaps; ++i) {
    mean += weight[c * kTaps + i] * m[i];
    for (int j = 0; j < kTaps; ++j) square += double(weight[c * kTaps + i]) * weight[c * kTaps + j] * m[moment_of(i, j)];
  }
  double inverse = 1 / sqrt(square - mean * mean + kEpsilon);
  norm.mean[c] = float(mean);
  norm.inverse[c] = float(inverse);
  norm.factor[c] = float(scale[c] * inverse);
  norm.offset[c] = float(shift[c] - scale[c] * inverse * mean);
}

// Bytes to pooled values, [image][196][32]. A warp handles one pooled pixel at a time, and each lane a channel: 36
// multiply-adds with weights in registers and a 4×4 patch that all lanes read together. Where the maximum was goes into
// three words of 32 bits, one bit of each for a channel: its row, its column, and whether it is above zero at all.
constexpr int kPoolThreads = 256, kPoolWarps = kPoolThreads / 32;
template <class P>
__global__ void __launch_bounds__(kPoolThreads) pool_kernel(Batch batch, int images, const float* weight, Norm norm, typename P::Value* out, unsigned* where) {
  __shared__ float plane[30 * kPitch];
  int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
  float w[kTaps], offset = norm.offset[lane];
#pragma unroll
  for (int k = 0; k < kTaps; ++k) w[k] = weight[lane * kTaps + k] * (norm.factor[lane] / 255.0f);
  for (int n = int(blockIdx.x); n < images; n += int(gridDim.x)) {
    __syncthreads();
    load_bytes(plane, batch.pixels + size_t(batch.order[n]) * kPixels1, kPoolThreads);
    __syncthreads();
    for (int pooled = warp; pooled < kPixels2; pooled += kPoolWarps) {
      const float2* corner = reinterpret_cast<const float2*>(plane + pooled / kSide2 * 2 * kPitch + pooled % kSide2 * 2);
      float patch[4][4];
#pragma unroll
      for (int y = 0; y < 4; ++y) {
        float2 left = corner[y * kPitch / 2], right = corner[y * kPitch / 2 + 1];
        patch[y][0] = left.x, patch[y][1] = left.y, patch[y][2] = right.x, patch[y][3] = right.y;
      }
      float best = 0;
      int at = 0;
      bool alive = false;
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        float v = offset;
#pragma unroll
        for (int tap = 0; tap < kTaps; ++tap) v += w[tap] * patch[k / 2 + tap / 3][k % 2 + tap % 3];
        if (v > best || v != v) {
          best = v;
          at = k;
          alive = true;
        }
      }
      size_t place = size_t(n) * kPixels2 + size_t(pooled);
      out[place * kChannels1 + lane] = P::round(best);
      unsigned row = __ballot_sync(0xffffffffu, at / 2), column = __ballot_sync(0xffffffffu, at % 2), above = __ballot_sync(0xffffffffu, alive);
      if (lane < 3) where[place * 3 + lane] = lane == 0 ? row : lane == 1 ? column : above;
    }
  }
}

// G and S: partial[block][10][32] (nine sums of dy x_k, x in 0 … 255, then that of dy), over pooled positions.
template <class P>
__global__ void __launch_bounds__(kPoolThreads) gradient_kernel(Batch batch, int images, const typename P::Value* pool_gradient, const unsigned* where, float* partial) {
  __shared__ float plane[30 * kPitch];
  __shared__ float shared[kPoolWarps][kTaps + 1][32];
  int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
  float sums[kTaps + 1] = {};
  for (int n = int(blockIdx.x); n < images; n += int(gridDim.x)) {
    __syncthreads();
    load_bytes(plane, batch.pixels + size_t(batch.order[n]) * kPixels1, kPoolThreads);
    __syncthreads();
#pragma unroll 2
    for (int pooled = warp; pooled < kPixels2; pooled += kPoolWarps) {
      size_t place = size_t(n) * kPixels2 + size_t(pooled);
      unsigned row = where[place * 3] >> lane & 1, column = where[place * 3 + 1] >> lane & 1, above = where[place * 3 + 2] >> lane & 1;
      float dy = above ? P::to_float(pool_gradient[place * kChannels1 + lane]) : 0.0f;
      const float* patch = plane + (pooled / kSide2 * 2 + int(row)) * kPitch + pooled % kSide2 * 2 + int(column);
#pragma unroll
      for (int tap = 0; tap < kTaps; ++tap) sums[tap] += dy * patch[tap / 3 * kPitch + tap % 3];
      sums[kTaps] += dy;
    }
  }
#pragma unroll
  for (int i = 0; i <= kTaps; ++i) shared[warp][i][lane] = sums[i];
  __syncthreads();
  for (int i = int(threadIdx.x); i < (kTaps + 1) * 32; i += kPoolThreads) {
    float total = 0;
    for (int w = 0; w < kPoolWarps; ++w) total += shared[w][i / 32][i % 32];
    partial[size_t(blockIdx.x) * (kTaps + 1) * 32 + i] = total;
  }
}

// The formulas at the top of this file: a block for each channel adds up the parts, its first thread does the rest.
constexpr int kFinishThreads = 256;
static __global__ void finish_gradient_kernel(const float* partial, int parts, const double* moments, const float* weight, Norm norm,
                                              float* weight_gradient, float* scale_gradient, float* shift_gradient) {
  __shared__ double shared[kFinishThreads / 32][kTaps + 1];
  int c = int(blockIdx.x), thread = int(threadIdx.x);
  float sums[kTaps + 1] = {};
  for (int p = thread; p < parts; p += kFinishThreads)
    for (int k = 0; k <= kTaps; ++k) sums[k] += partial[(size_t(p) * (kTaps + 1) + k) * 32 + c];
  for (int k = 0; k <= kTaps; ++k) {
    double sum = sums[k];
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step);
    if (thread % 32 == 0) shared[thread / 32][k] = sum;
  }
  __syncthreads();
  if (thread != 0) return;
  double g[kTaps + 1] = {};
  for (int k = 0; k <= kTaps; ++k)
    for (int warp = 0; warp < kFinishThreads / 32; ++warp) g[k] += shared[warp][k];
  const float* w = weight + c * kTaps;
  double sum = g[kTaps], mean = norm.mean[c], inverse = norm.inverse[c], product = -mean * sum;
  for (int k = 0; k < kTaps; ++k) product += w[k] * (g[k] /= 255.0);
  product *= inverse;  // Σ dy x̂
  shift_gradient[c] = float(sum);
  scale_gradient[c] = float(product);
  for (int k = 0; k < kTaps; ++k) {
    double cross = -mean * moments[k];
    for (int j = 0; j < kTaps; ++j) cross += w[j] * moments[moment_of(j, k)];
    weight_gradient[c * kTaps + k] = float(norm.factor[c] * (g[k] - sum * moments[k] - product * inverse * cross));
  }
}

}  // namespace mnist::conv1
