// The end of the network in one kernel: linear2, softmax, loss, the gradient of the scores, and with it the gradients of the hidden
// values, of linear2 and of linear1's bias. All of it fits into the registers of a warp for each image: a lane has 4 of the 128 hidden values.
//
// What is summed over the batch is summed by each warp over its images, then over the block's warps, then (add_parts) over blocks:
//
//     partial[block]:  128 of linear1.bias | 1280 of linear2.weight | 10 of linear2.bias | the loss
//
// which are neighbours in the flat array of gradients, too.
#pragma once

#include <algorithm>

#include "tiles.cuh"

namespace mnist {

constexpr int kHeadThreads = 256, kHeadWarps = kHeadThreads / 32, kHeadBlocks = 128, kEach = kHidden / 32;
constexpr int kHeadGradients = kHidden + kClasses * kHidden + kClasses, kHeadSums = kHeadGradients + 1;
static_assert(kAt<Linear2Weight> == kAt<Linear1Bias> + kHidden && kAt<Linear2Bias> == kAt<Linear2Weight> + kClasses * kHidden, "neighbours");

// hidden(image, j): a value after its ReLU.   store(image, j, gradient): of the same value, before the ReLU.
template <class Hidden, class Store>
__global__ void __launch_bounds__(kHeadThreads) head_kernel(Batch batch, int images, Hidden hidden, const float* weight, const float* bias, float* scores,
                                                          Store store, float* partial) {
  __shared__ float weights[kClasses * kHidden];
  __shared__ float sums[kHeadSums];
  int thread = int(threadIdx.x), lane = thread % 32, warp = thread / 32;
  for (int i = thread; i < kClasses * kHidden; i += kHeadThreads) weights[i] = weight[i];
  for (int i = thread; i < kHeadSums; i += kHeadThreads) sums[i] = 0;
  __syncthreads();

  float weight_sums[kClasses][kEach] = {}, hidden_sums[kEach] = {}, score_sums[kClasses] = {}, loss = 0;
  for (int n = int(blockIdx.x) * kHeadWarps + warp; n < images; n += int(gridDim.x) * kHeadWarps) {
    float h[kEach], z[kClasses];
#pragma unroll
    for (int e = 0; e < kEach; ++e) h[e] = hidden(n, e * 32 + lane);
#pragma unroll
    for (int k = 0; k < kClasses; ++k) {
      z[k] = 0;
#pragma unroll
      for (int e = 0; e < kEach; ++e) z[k] += h[e] * weights[k * kHidden + e * 32 + lane];
#pragma unroll
      for (int step = 16; step > 0; step /= 2) z[k] += __shfl_xor_sync(0xffffffffu, z[k], step);
      z[k] += bias[k];
    }
    float top = z[0], total = 0;
#pragma unroll
    for (int k = 1; k < kClasses; ++k) top = fmaxf(top, z[k]);
    float gradient[kClasses];
#pragma unroll
    for (int k = 0; k < kClasses; ++k) total += gradient[k] = expf(z[k] - top);
    int label = batch.labels[batch.order[n]];
#pragma unroll
    for (int k = 0; k < kClasses; ++k) {
      gradient[k] = (gradient[k] / total - (k == label ? 1.0f : 0.0f)) / float(images);
      score_sums[k] += gradient[k];
      if (lane == k) scores[size_t(n) * kClasses + k] = z[k];
      if (k == label) loss += (top + logf(total) - z[k]) / float(images);
    }
#pragma unroll
    for (int e = 0; e < kEach; ++e) {
      float back = 0;
#pragma unroll
      for (int k = 0; k < kClasses; ++k) {
        back += gradient[k] * weights[k * kHidden + e * 32 + lane];
        weight_sums[k][e] += gradient[k] * h[e];
      }
      if (!(h[e] > 0)) back = 0;
      hidden_sums[e] += back;
      store(n, e * 32 + lane, back);
    }
  }

  for (int turn = 0; turn < kHeadWarps; ++turn) {  // one warp after the other: no atomics, always the same order
    if (turn == warp) {
#pragma unroll
      for (int e = 0; e < kEach; ++e) {
        sums[e * 32 + lane] += hidden_sums[e];
#pragma unroll
        for (int k = 0; k < kClasses; ++k) sums[kHidden + k * kHidden + e * 32 + lane] += weight_sums[k][e];
      }
      if (lane == 0) {
#pragma unroll
        for (int k = 0; k < kClasses; ++k) sums[kHidden + kClasses * kHidden + k] += score_sums[k];
        sums[kHeadGradients] += loss;
      }
    }
    __syncthreads();
  }
  for (int i = thread; i < kHeadSums; i += kHeadThreads) partial[size_t(blockIdx.x) * kHeadSums + i] = sums[i];
}

// Adds the blocks' parts: 32 sums to a block, 8 warps share the parts.
static __global__ void __launch_bounds__(256) add_head_kernel(const float* partial, int parts, float* gradients, float* loss) {
  __shared__ float shared[8][32];
  int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32, i = int(blockIdx.x) * 32 + lane;
  float sum = 0;
  if (i < kHeadSums)
    for (int p = warp; p < parts; p += 8) sum += partial[size_t(p) * kHeadSums + i];
  shared[warp][lane] = sum;
  __syncthreads();
  if (warp != 0 || i >= kHeadSums) return;
  for (int w = 1; w < 8; ++w) sum += shared[w][lane];
  if (i < kHeadGradients) gradients[i] = sum;
  else *loss = sum;
}

class Head {
 public:
  // `gradients`: where those of linear1.bias begin.
  template <class Hidden, class Store>
  void run(cudaStream_t stream, const Batch& batch, int images, Hidden hidden, const float* weight, const float* bias, float* scores, Store store, float* gradients) {
    int blocks = std::min(kHeadBlocks, int(blocks_for(size_t(images), kHeadWarps)));
    head_kernel<<<blocks, kHeadThreads, 0, stream>>>(batch, images, hidden, weight, bias, scores, store, partial_.data());
    add_head_kernel<<<blocks_for(kHeadSums, 32), 256, 0, stream>>>(partial_, blocks, gradients, batch.loss);
    MNIST_CHECK(cudaGetLastError());
  }

 private:
  Buffer<float> partial_{size_t(kHeadBlocks) * kHeadSums};
};

}  // namespace mnist
