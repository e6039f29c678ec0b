// What the steps on tensor cores share: copies of the weights in the layout that the products need, the linear layers,
// the update.
//
// Pictures lie channels innermost here ([image][pixel][channel]), so a patch's channels are one piece of memory; the flat feature
// vector therefore runs over (pixel, channel), where PyTorch's runs over (channel, pixel). On the device the parameters have this
// order, too, and are put into PyTorch's when they come and go. They are in single precision; copies of them ("shadows") are rounded
// to the precision of the products:
//
//     conv2    [64][9][32]        for the forward convolution
//     turned   [32][9][64]        for the backward one: in and out exchanged, taps reversed
//     linear1  [128][7·7][64]
#pragma once

#include "conv_mma.cuh"
#include "head.cuh"
#include "norm.cuh"
#include "product_mma.cuh"

namespace mnist {

constexpr int kConv2Count = kParameters[Conv2Weight].count(), kLinear1Count = kParameters[Linear1Weight].count();

template <class P>
struct Shadows {
  typename P::Value *conv2, *turned, *linear1;
};

// Sums over the batch that the products left in parts.
struct GradientParts {
  const float* conv2;    // [parts][64][9][32], added up already when parts is 1
  const float* linear1;  // [parts][128][49][64]
  int linear1_parts;
};

// Where the parameter at place i on the device is in PyTorch's order.
inline int place_in_pytorch(int i) {
  constexpr int kConv2 = kAt<Conv2Weight>, kLinear1 = kAt<Linear1Weight>;
  if (i >= kConv2 && i < kConv2 + kConv2Count) {
    int q = i - kConv2, c = q % kChannels1, tap = q / kChannels1 % kTaps, o = q / kChannels1 / kTaps;
    return kConv2 + (o * kChannels1 + c) * kTaps + tap;
  }
  if (i >= kLinear1 && i < kLinear1 + kLinear1Count) {
    int q = i - kLinear1, c = q % kChannels2, p = q / kChannels2 % kPixels3, j = q / kFeatures;
    return kLinear1 + j * kFeatures + c * kPixels3 + p;
  }
  return i;
}

// Finishes the gradients of the two large tensors, takes the step w −= rate · g, and writes the shadows.
template <class P>
__global__ void tensor_update_kernel(float* weights, float* gradients, GradientParts parts, float rate, Shadows<P> shadows) {
  int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= kParameterCount) return;
  constexpr int kConv2 = kAt<Conv2Weight>, kLinear1 = kAt<Linear1Weight>;
  int conv2 = i - kConv2, linear1 = i - kLinear1;
  bool in_conv2 = conv2 >= 0 && conv2 < kConv2Count, in_linear1 = linear1 >= 0 && linear1 < kLinear1Count;
  float g = in_conv2 || in_linear1 ? 0.0f : gradients[i];
  if (in_conv2 && parts.conv2) g = parts.conv2[conv2];
  if (in_linear1)
    for (int part = 0; part < parts.linear1_parts; ++part) g += parts.linear1[size_t(part) * kLinear1Count + linear1];
  float w = weights[i] - rate * g;
  gradients[i] = g;
  weights[i] = w;
  if (in_conv2) {
    int c = conv2 % kChannels1, tap = conv2 / kChannels1 % kTaps, o = conv2 / kChannels1 / kTaps;
    shadows.conv2[conv2] = P::round(w);
    shadows.turned[(c * kTaps + kTaps - 1 - tap) * kChannels2 + o] = P::round(w);
  }
  if (in_linear1) shadows.linear1[linear1] = P::round(w);
}

// result[i] = Σ over parts of partial[part][i], 32 results to a block; its 8 warps share the parts.
static __global__ void __launch_bounds__(256) add_many_parts_kernel(const float* partial, int parts, int count, float* result) {
  __shared__ float shared[8][32];
  int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32, i = int(blockIdx.x) * 32 + lane;
  float sum = 0;
  if (i < count)
#pragma unroll 4
    for (int p = warp; p < parts; p += 8) sum += partial[size_t(p) * count + i];
  shared[warp][lane] = sum;
  __syncthreads();
  if (warp != 0 || i >= count) return;
  for (int w = 1; w < 8; ++w) sum += shared[w][lane];
  result[i] = sum;
}

// Sinks of the linear layers' products.
struct ToSplits {
  float* partial;  // [split][rows][columns]
  int rows, columns;
  __device__ void operator()(int r, int c, float left, float right, int split) const {
    *reinterpret_cast<float2*>(partial + (size_t(split) * rows + r) * columns + c) = float2{left, right};
  }
};
template <class P>
struct ToValues {
  typename P::Value* values;
  int columns;
  __device__ void operator()(int r, int c, float left, float right, int) const { P::store(values + size_t(r) * columns + c, left, right); }
};

// The hidden values, from the parts of linear1's products.
struct SplitHidden {
  const float *partial, *bias;
  int images, splits;
  __device__ float operator()(int n, int j) const {
    float sum = bias[j];
    for (int s = 0; s < splits; ++s) sum += partial[(size_t(s) * images + n) * kHidden + j];
    return sum < 0 ? 0.0f : sum;
  }
};
template <class P>
struct ToHiddenGradient {
  typename P::Value* values;
  __device__ void operator()(int n, int j, float value) const { values[size_t(n) * kHidden + j] = P::round(value); }
};

template <class P>
class TensorStep : public GpuStep {
 public:
  using Value = typename P::Value;

  explicit TensorStep(int batch)
      : GpuStep(batch),
        conv2_(kConv2Count),
        turned_(kConv2Count),
        linear1_(kLinear1Count),
        hidden_gradient_(size_t(batch) * kHidden),
        forward_splits_(splits_for(2, kFeatures)),
        weight_splits_(std::max(1, std::min({8, 264 / 98, batch / 32}))),
        hidden_parts_(size_t(forward_splits_) * batch * kHidden),
        linear1_parts_(size_t(weight_splits_) * kLinear1Count),
        conv2_sum_(kConv2Count) {}

  void set_parameters(const std::vector<float>& values) override {
    std::vector<float> ours(values.size());
    for (int i = 0; i < kParameterCount; ++i) ours[i] = values[place_in_pytorch(i)];
    GpuStep::set_parameters(ours);
    update_with(GradientParts{nullptr, nullptr, 0}, 0.0f);
  }
  std::vector<float> parameters() override { return in_pytorch_order(GpuStep::parameters()); }
  std::vector<float> gradients() override { return in_pytorch_order(GpuStep::gradients()); }

 protected:
  // features: [images][49][64]
  void linear_forward(const Batch& batch, const Value* features) {
    product::launch<P, true, true>(stream_, features, linear1_, batch_, kHidden, kFeatures, forward_splits_, ToSplits{hidden_parts_, batch_, kHidden});
    head_.run(stream_, batch, batch_, SplitHidden{hidden_parts_, weight<Linear1Bias>(), batch_, forward_splits_}, weight<Linear2Weight>(),
              weight<Linear2Bias>(), logits_, ToHiddenGradient<P>{hidden_gradient_}, gradient<Linear1Bias>());
  }
  void linear_backward_weight(cudaStream_t stream, const Value* features) {
    product::launch<P, false, false>(stream, hidden_gradient_, features, kHidden, kFeatures, batch_, weight_splits_, ToSplits{linear1_parts_, kHidden, kFeatures});
  }
  template <class Sink>
  void linear_backward_input(Sink features_gradient) {
    product::launch<P, true, false>(stream_, hidden_gradient_, linear1_, batch_, kFeatures, kHidden, 1, features_gradient);
  }

  void update(float rate) override { update_with(GradientParts{conv2_sum_, linear1_parts_, weight_splits_}, rate); }

  void add_conv2_parts(cudaStream_t stream, const float* partial, int parts) {
    add_many_parts_kernel<<<blocks_for(kConv2Count, 32), 256, 0, stream>>>(partial, parts, kConv2Count, conv2_sum_);
    MNIST_CHECK(cudaGetLastError());
  }

  Buffer<Value> conv2_, turned_, linear1_, hidden_gradient_;

 private:
  static std::vector<float> in_pytorch_order(const std::vector<float>& ours) {
    std::vector<float> values(ours.size());
    for (int i = 0; i < kParameterCount; ++i) values[place_in_pytorch(i)] = ours[i];
    return values;
  }
  // So many splits of the depth that about two blocks come to each of 132 multiprocessors, each with a few chunks to do.
  int splits_for(int column_tiles, int depth) const {
    int tiles = int(blocks_for(size_t(batch_), product::kTile)) * column_tiles;
    return std::max(1, std::min({16, 264 / tiles, depth / 128}));
  }
  void update_with(GradientParts parts, float rate) {
    tensor_update_kernel<P><<<blocks_for(kParameterCount, 256), 256, 0, stream_>>>(weights_, gradients_, parts, rate, Shadows<P>{conv2_, turned_, linear1_});
    MNIST_CHECK(cudaGetLastError());
  }

  int forward_splits_, weight_splits_;
  Head head_;
  Buffer<float> hidden_parts_, linear1_parts_, conv2_sum_;
};

template <template <class> class S>
std::unique_ptr<Step> make_tensor_step(int batch, Precision precision) {
  switch (precision) {
    case Precision::Fp32: return std::make_unique<S<mma::Fp32>>(batch);
    case Precision::Tf32: return std::make_unique<S<mma::Tf32>>(batch);
    case Precision::Bf16: return std::make_unique<S<mma::Bf16>>(batch);
  }
  return nullptr;
}

}  // namespace mnist
