// Step 2. The same layers, but the slow kernels get their operands through shared memory and compute their sums with
// whole blocks.
//
//     convolution, both directions    a picture's planes and 8 channels' weights in shared memory: a value is fetched from
//                                     global memory once for 8 channels instead of 9 × 64 times
//     gradient of the weights         32 input channels side by side in a warp; blocks over images, then a second sum
//     statistics                      a block for each channel and slice of the batch, then a second sum
//     linear layers                   tiles of both matrices, read along whichever dimension is contiguous
//
// Expected: an order of magnitude on a GPU, and more from the long sums alone; on the virtual GPU, as much as gathers
// and serial sums cost step 1. ReLU, pooling and the loss stay as they are: one thread for each result is right where a
// result needs few values.
//
// Measured: 64 times faster at batch 512 on an H200 (138 → 2.17 ms), 82 times at 4096 (1191 → 14.6 ms); on the virtual
// GPU 8 times (0.48 → 0.06 s of processor time for a batch of 64).
#include "naive.h"
#include "tiles.cuh"

namespace mnist {
namespace {

using namespace tiles;

constexpr int kSlices = 16;  // of the batch, for sums over it
constexpr int kSumThreads = 256;

// Two sums over channel blockIdx.x of the images of slice blockIdx.y: terms(image, pixel, a, b) adds to them.
template <class Terms>
__global__ void __launch_bounds__(kSumThreads) channel_sums_kernel(Pictures shape, Terms terms, float* partial) {
  __shared__ float scratch[kSumThreads / 32];
  int c = int(blockIdx.x);
  float a = 0, b = 0;
  for (int n = int(blockIdx.y); n < shape.images; n += int(gridDim.y)) {
    float image_a = 0, image_b = 0;
    for (int i = int(threadIdx.x); i < shape.plane(); i += kSumThreads) terms((size_t(n) * shape.channels + c) * shape.plane() + i, c, image_a, image_b);
    a += image_a;
    b += image_b;
  }
  a = block_sum(a, scratch);
  b = block_sum(b, scratch);
  if (threadIdx.x == 0) {
    partial[blockIdx.y * 2 * shape.channels + c] = a;
    partial[blockIdx.y * 2 * shape.channels + shape.channels + c] = b;
  }
}

struct ValueTerms {  // Σ x; the second sum is not used
  const float* values;
  __device__ void operator()(size_t at, int, float& a, float&) const { a += values[at]; }
};
struct SquareTerms {  // Σ (x − m)², of a channel whose mean is known
  const float *values, *mean;
  __device__ void operator()(size_t at, int c, float& a, float&) const { a += (values[at] - mean[c]) * (values[at] - mean[c]); }
};
struct GradientTerms {  // Σ dy and Σ dy x̂
  const float *values, *mean, *inverse, *gradient;
  __device__ void operator()(size_t at, int c, float& a, float& b) const {
    a += gradient[at];
    b += gradient[at] * ((values[at] - mean[c]) * inverse[c]);
  }
};

__global__ void finish_mean_kernel(const float* partial, Pictures shape, float* mean) {
  int c = int(threadIdx.x);
  float sum = 0;
  for (int s = 0; s < kSlices; ++s) sum += partial[s * 2 * shape.channels + c];
  mean[c] = sum / (float(shape.images) * float(shape.plane()));
}
__global__ void finish_inverse_kernel(const float* partial, Pictures shape, float* inverse) {
  int c = int(threadIdx.x);
  float sum = 0;
  for (int s = 0; s < kSlices; ++s) sum += partial[s * 2 * shape.channels + c];
  inverse[c] = 1 / sqrtf(sum / (float(shape.images) * float(shape.plane())) + float(kEpsilon));
}

__global__ void norm_backward_kernel(const float* in, Pictures shape, const float* mean, const float* inverse, const float* scale,
                                     const float* out_gradient, const float* scale_gradient, const float* shift_gradient, float* in_gradient) {
  int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= shape.images * shape.channels * shape.plane()) return;
  int c = i / shape.plane() % shape.channels;
  float count = float(shape.images) * float(shape.plane()), normal = (in[i] - mean[c]) * inverse[c];
  in_gradient[i] = scale[c] * inverse[c] * (out_gradient[i] - shift_gradient[c] / count - normal * scale_gradient[c] / count);
}

class Shared : public Naive {
 public:
  explicit Shared(int batch)
      : Naive(batch),
        turned_(kParameters[Conv2Weight].count()),
        partial_(size_t(kSlices) * kParameters[Conv2Weight].count()),
        sums_(size_t(kSlices) * 2 * kChannels2) {}

 protected:
  void conv_forward(const float* in, Pictures shape, const float* weight, const float* bias, float* out, int channels) override {
    dim3 grid(unsigned(shape.images), unsigned(channels / kGroup));
    FromFloats source{in, shape.channels, shape.plane()};
    ToFloats sink{out, bias, channels, shape.plane()};
    if (shape.side == kSide1)
      conv_kernel<kSide1, 1><<<grid, Plane<kSide1>::kThreads, 0, stream_>>>(source, shape.images, weight, sink);
    else
      conv_kernel<kSide2, kChannels1><<<grid, Plane<kSide2>::kThreads, 0, stream_>>>(source, shape.images, weight, sink);
    MNIST_CHECK(cudaGetLastError());
  }

  // The gradient of the input is a convolution of the gradient of the output, with the weights turned around.
  void conv_backward_input(const float* out_gradient, Pictures shape, const float* weight, int channels, float* in_gradient) override {
    int count = kParameters[Conv2Weight].count();
    turn_weights_kernel<<<blocks_for(count, 256), 256, 0, stream_>>>(weight, channels, shape.channels, turned_);
    conv_kernel<kSide2, kChannels2><<<dim3(unsigned(shape.images), unsigned(shape.channels / kGroup)), Plane<kSide2>::kThreads, 0, stream_>>>(
        FromFloats{out_gradient, channels, shape.plane()}, shape.images, turned_.data(), ToFloats{in_gradient, nullptr, shape.channels, shape.plane()});
    MNIST_CHECK(cudaGetLastError());
  }

  void conv_backward_weight(const float* in, Pictures shape, const float* out_gradient, int channels, float* weight_gradient, float* bias_gradient) override {
    FromFloats source{in, shape.channels, shape.plane()}, gradient{out_gradient, channels, shape.plane()};
    if (shape.side == kSide1)
      conv_weight_single_kernel<kSide1><<<dim3(kSlices, unsigned(channels)), Plane<kSide1>::kThreads, 0, stream_>>>(source, gradient, shape.images, channels, partial_.data());
    else
      conv_weight_kernel<kSide2><<<dim3(kSlices, unsigned(channels / kGroup)), kWeightThreads, 0, stream_>>>(source, gradient, shape.images, channels, partial_.data());
    int count = channels * shape.channels * kTaps;
    add_parts_kernel<<<blocks_for(count, 256), 256, 0, stream_>>>(partial_, kSlices, count, weight_gradient);
    sum(Pictures{shape.images, channels, shape.side}, ValueTerms{out_gradient});
    add_parts_kernel<<<1, 2 * kChannels2, 0, stream_>>>(sums_, kSlices, 2 * channels, both_);
    MNIST_CHECK(cudaMemcpyAsync(bias_gradient, both_, size_t(channels) * sizeof(float), cudaMemcpyDeviceToDevice, stream_));
  }

  void norm_statistics(const Block& b) override {
    sum(b.out, ValueTerms{b.conv});
    finish_mean_kernel<<<1, unsigned(b.out.channels), 0, stream_>>>(sums_, b.out, b.mean);
    sum(b.out, SquareTerms{b.conv, b.mean});
    finish_inverse_kernel<<<1, unsigned(b.out.channels), 0, stream_>>>(sums_, b.out, b.inverse);
    MNIST_CHECK(cudaGetLastError());
  }

  void norm_backward(const Block& b, const float* scale, float* scale_gradient, float* shift_gradient) override {
    sum(b.out, GradientTerms{b.conv, b.mean, b.inverse, b.relu_gradient});
    add_parts_kernel<<<1, 2 * kChannels2, 0, stream_>>>(sums_, kSlices, 2 * b.out.channels, both_);
    size_t bytes = size_t(b.out.channels) * sizeof(float);
    MNIST_CHECK(cudaMemcpyAsync(shift_gradient, both_, bytes, cudaMemcpyDeviceToDevice, stream_));
    MNIST_CHECK(cudaMemcpyAsync(scale_gradient, both_ + b.out.channels, bytes, cudaMemcpyDeviceToDevice, stream_));
    norm_backward_kernel<<<blocks_for(b.out.count(), 256), 256, 0, stream_>>>(b.conv, b.out, b.mean, b.inverse, scale, b.relu_gradient, scale_gradient,
                                                                             shift_gradient, b.conv_gradient);
    MNIST_CHECK(cudaGetLastError());
  }

  void linear_forward(const float* in, int in_count, const float* weight, const float* bias, float* out, int out_count) override {
    product<true, true>(stream_, {in, in_count, 1}, {weight, 1, in_count}, batch_, out_count, in_count, ToMatrix{out, bias, out_count, false});
  }

  void linear_backward(const float* in, int in_count, const float* weight, const float* out_gradient, int out_count, float* in_gradient,
                       float* weight_gradient, float* bias_gradient) override {
    product<true, false>(stream_, {out_gradient, out_count, 1}, {weight, in_count, 1}, batch_, in_count, out_count, ToMatrix{in_gradient, nullptr, in_count, false});
    product<false, false>(stream_, {out_gradient, 1, out_count}, {in, in_count, 1}, out_count, in_count, batch_, ToMatrix{weight_gradient, nullptr, in_count, false});
    add_parts_kernel<<<1, unsigned(out_count), 0, stream_>>>(out_gradient, batch_, out_count, bias_gradient);
    MNIST_CHECK(cudaGetLastError());
  }

 private:
  template <class Terms>
  void sum(Pictures shape, Terms terms) {
    channel_sums_kernel<<<dim3(unsigned(shape.channels), kSlices), kSumThreads, 0, stream_>>>(shape, terms, sums_.data());
    MNIST_CHECK(cudaGetLastError());
  }

  Buffer<float> turned_, partial_, sums_, both_{2 * kChannels2};
};

}  // namespace

std::unique_ptr<Step> make_step2(int batch, Precision) { return std::make_unique<Shared>(batch); }

}  // namespace mnist
