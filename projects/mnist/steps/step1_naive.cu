// Step 1. Each kernel is the formula of its layer, one thread for each number of the result. Every operand comes from
// global memory, every time.
//
// Expected: correct, but slow, for three reasons that the next steps remove one by one. A value of a picture is fetched
// 9 × channels times. Neighbouring threads of the linear layers read addresses that lie a whole row apart. Where the
// result is small but the sum is long (the gradient of 288 weights, the mean of 32 channels), a few hundred threads
// work while the rest of the chip is idle.
//
// Measured: 138 ms a step at batch 512 on an H200, 1.19 s at 4096. On the virtual GPU 0.48 s of processor time for
// a batch of 64.
//
// Long sums are computed image by image. Most of a batch is equal background values, so a running sum over it would be
// rounded in the same direction at each addition, and after 20 training steps the losses would be wrong in their third
// digit.
#include "naive.h"

namespace mnist {
namespace {

constexpr unsigned kThreads = 256;

__device__ int thread_index() { return int(blockIdx.x * blockDim.x + threadIdx.x); }

__global__ void gather_kernel(Batch batch, int images, float* input, uint8_t* targets) {
  int i = thread_index();
  if (i >= images * kPixels1) return;
  int image = batch.order[i / kPixels1];
  input[i] = batch.pixels[size_t(image) * kPixels1 + i % kPixels1] * (1.0f / 255.0f);
  if (i % kPixels1 == 0) targets[i / kPixels1] = batch.labels[image];
}

__global__ void conv_forward_kernel(const float* in, Pictures shape, const float* weight, const float* bias, float* out, int channels) {
  int i = thread_index();
  if (i >= shape.images * channels * shape.plane()) return;
  int x = i % shape.side, y = i / shape.side % shape.side, o = i / shape.plane() % channels, n = i / shape.plane() / channels;
  float sum = bias[o];
  for (int c = 0; c < shape.channels; ++c)
    for (int ky = 0; ky < 3; ++ky)
      for (int kx = 0; kx < 3; ++kx) {
        int iy = y + ky - 1, ix = x + kx - 1;
        if (iy >= 0 && iy < shape.side && ix >= 0 && ix < shape.side)
          sum += weight[(o * shape.channels + c) * kTaps + ky * 3 + kx] * in[((n * shape.channels + c) * shape.side + iy) * shape.side + ix];
      }
  out[i] = sum;
}

__global__ void conv_backward_input_kernel(const float* out_gradient, Pictures shape, const float* weight, int channels, float* in_gradient) {
  int i = thread_index();
  if (i >= shape.images * shape.channels * shape.plane()) return;
  int x = i % shape.side, y = i / shape.side % shape.side, c = i / shape.plane() % shape.channels, n = i / shape.plane() / shape.channels;
  float sum = 0;
  for (int o = 0; o < channels; ++o)
    for (int ky = 0; ky < 3; ++ky)
      for (int kx = 0; kx < 3; ++kx) {
        int oy = y + 1 - ky, ox = x + 1 - kx;  // the outputs that this input went into
        if (oy >= 0 && oy < shape.side && ox >= 0 && ox < shape.side)
          sum += weight[(o * shape.channels + c) * kTaps + ky * 3 + kx] * out_gradient[((n * channels + o) * shape.side + oy) * shape.side + ox];
      }
  in_gradient[i] = sum;
}

__global__ void conv_backward_weight_kernel(const float* in, Pictures shape, const float* out_gradient, int channels, float* gradient) {
  int i = thread_index();
  if (i >= channels * shape.channels * kTaps) return;
  int ky = i % kTaps / 3, kx = i % 3, c = i / kTaps % shape.channels, o = i / kTaps / shape.channels;
  float total = 0;
  for (int n = 0; n < shape.images; ++n) {
    float sum = 0;
    for (int y = 0; y < shape.side; ++y)
      for (int x = 0; x < shape.side; ++x) {
        int iy = y + ky - 1, ix = x + kx - 1;
        if (iy >= 0 && iy < shape.side && ix >= 0 && ix < shape.side)
          sum += out_gradient[((n * channels + o) * shape.side + y) * shape.side + x] * in[((n * shape.channels + c) * shape.side + iy) * shape.side + ix];
      }
    total += sum;
  }
  gradient[i] = total;
}

// The sum of each channel: a convolution's gradient of its bias.
__global__ void channel_sum_kernel(const float* values, Pictures shape, float* sums) {
  int c = thread_index();
  if (c >= shape.channels) return;
  float total = 0;
  for (int n = 0; n < shape.images; ++n) {
    float sum = 0;
    for (int i = 0; i < shape.plane(); ++i) sum += values[(n * shape.channels + c) * shape.plane() + i];
    total += sum;
  }
  sums[c] = total;
}

__global__ void norm_statistics_kernel(const float* in, Pictures shape, float* mean, float* inverse) {
  int c = thread_index();
  if (c >= shape.channels) return;
  float count = float(shape.images) * float(shape.plane()), total = 0, squares = 0;
  for (int n = 0; n < shape.images; ++n) {
    float sum = 0;
    for (int i = 0; i < shape.plane(); ++i) sum += in[(n * shape.channels + c) * shape.plane() + i];
    total += sum;
  }
  float m = total / count;
  for (int n = 0; n < shape.images; ++n) {
    float sum = 0;
    for (int i = 0; i < shape.plane(); ++i) {
      float d = in[(n * shape.channels + c) * shape.plane() + i] - m;
      sum += d * d;
    }
    squares += sum;
  }
  mean[c] = m;
  inverse[c] = 1 / sqrtf(squares / count + float(kEpsilon));
}

__global__ void norm_apply_kernel(const float* in, Pictures shape, const float* mean, const float* inverse, const float* scale,
                                  const float* shift, float* out) {
  int i = thread_index();
  if (i >= shape.images * shape.channels * shape.plane()) return;
  int c = i / shape.plane() % shape.channels;
  out[i] = (in[i] - mean[c]) * inverse[c] * scale[c] + shift[c];
}

// Σ dy and Σ dy x̂ of each channel: the gradients of shift and scale.
__global__ void norm_sums_kernel(const float* in, Pictures shape, const float* mean, const float* inverse, const float* out_gradient,
                                 float* scale_gradient, float* shift_gradient) {
  int c = thread_index();
  if (c >= shape.channels) return;
  float total = 0, total_product = 0;
  for (int n = 0; n < shape.images; ++n) {
    float sum = 0, product = 0;
    for (int i = 0; i < shape.plane(); ++i) {
      int at = (n * shape.channels + c) * shape.plane() + i;
      sum += out_gradient[at];
      product += out_gradient[at] * ((in[at] - mean[c]) * inverse[c]);
    }
    total += sum;
    total_product += product;
  }
  shift_gradient[c] = total;
  scale_gradient[c] = total_product;
}

__global__ void norm_backward_kernel(const float* in, Pictures shape, const float* mean, const float* inverse, const float* scale,
                                     const float* out_gradient, const float* scale_gradient, const float* shift_gradient, float* in_gradient) {
  int i = thread_index();
  if (i >= shape.images * shape.channels * shape.plane()) return;
  int c = i / shape.plane() % shape.channels;
  float count = float(shape.images) * float(shape.plane()), normal = (in[i] - mean[c]) * inverse[c];
  in_gradient[i] = scale[c] * inverse[c] * (out_gradient[i] - shift_gradient[c] / count - normal * scale_gradient[c] / count);
}

__global__ void relu_kernel(const float* in, float* out, size_t count) {
  size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) out[i] = in[i] < 0 ? 0 : in[i];
}

__global__ void relu_backward_kernel(const float* out, float* gradient, size_t count) {
  size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count && !(out[i] > 0)) gradient[i] = 0;
}

__global__ void pool_kernel(const float* in, Pictures shape, float* out, uint8_t* where) {
  int i = thread_index(), half = shape.side / 2;
  if (i >= shape.images * shape.channels * half * half) return;
  int x = i % half, y = i / half % half, plane = i / half / half;
  const float* corner = in + (plane * shape.side + 2 * y) * shape.side + 2 * x;
  float best = corner[0];
  int best_at = 0;
  for (int k = 1; k < 4; ++k) {
    float value = corner[k / 2 * shape.side + k % 2];
    if (value > best || value != value) {
      best = value;
      best_at = k;
    }
  }
  out[i] = best;
  where[i] = uint8_t(best_at);
}

__global__ void pool_backward_kernel(const float* out_gradient, Pictures shape, const uint8_t* where, float* in_gradient) {
  int i = thread_index(), half = shape.side / 2;
  if (i >= shape.images * shape.channels * shape.plane()) return;
  int x = i % shape.side, y = i / shape.side % shape.side, plane = i / shape.plane();
  int from = (plane * half + y / 2) * half + x / 2;
  in_gradient[i] = where[from] == y % 2 * 2 + x % 2 ? out_gradient[from] : 0;
}

__global__ void linear_forward_kernel(const float* in, int images, int in_count, const float* weight, const float* bias, float* out, int out_count) {
  int i = thread_index();
  if (i >= images * out_count) return;
  int o = i % out_count, n = i / out_count;
  float sum = bias[o];
  for (int k = 0; k < in_count; ++k) sum += weight[o * in_count + k] * in[n * in_count + k];
  out[i] = sum;
}

__global__ void linear_backward_input_kernel(const float* out_gradient, int images, int in_count, const float* weight, int out_count, float* in_gradient) {
  int i = thread_index();
  if (i >= images * in_count) return;
  int k = i % in_count, n = i / in_count;
  float sum = 0;
  for (int o = 0; o < out_count; ++o) sum += out_gradient[n * out_count + o] * weight[o * in_count + k];
  in_gradient[i] = sum;
}

__global__ void linear_backward_weight_kernel(const float* in, int images, int in_count, const float* out_gradient, int out_count,
                                              float* weight_gradient, float* bias_gradient) {
  int i = thread_index();
  if (i >= out_count * in_count) return;
  int k = i % in_count, o = i / in_count;
  float sum = 0, bias = 0;
  for (int n = 0; n < images; ++n) {
    sum += out_gradient[n * out_count + o] * in[n * in_count + k];
    bias += out_gradient[n * out_count + o];
  }
  weight_gradient[i] = sum;
  if (k == 0) bias_gradient[o] = bias;
}

__global__ void loss_kernel(const float* logits, const uint8_t* targets, int images, float* losses, float* gradient) {
  int n = thread_index();
  if (n >= images) return;
  const float* z = logits + n * kClasses;
  float top = z[0], sum = 0;
  for (int k = 1; k < kClasses; ++k) top = fmaxf(top, z[k]);
  for (int k = 0; k < kClasses; ++k) sum += expf(z[k] - top);
  losses[n] = top + logf(sum) - z[targets[n]];
  for (int k = 0; k < kClasses; ++k) gradient[n * kClasses + k] = (expf(z[k] - top) / sum - (k == targets[n] ? 1.0f : 0.0f)) / float(images);
}

__global__ void mean_kernel(const float* values, int count, float* mean) {
  float sum = 0;
  for (int i = 0; i < count; ++i) sum += values[i];
  *mean = sum / float(count);
}

__global__ void update_kernel(float* weights, const float* gradients, float rate) {
  int i = thread_index();
  if (i < kParameterCount) weights[i] -= rate * gradients[i];
}

}  // namespace

// One thread for each of `count` results.
#define FOR_EACH(count, kernel, ...) \
  kernel<<<blocks_for(count, kThreads), kThreads, 0, stream_>>>(__VA_ARGS__); \
  MNIST_CHECK(cudaGetLastError())

void Naive::gather(const Batch& batch) { FOR_EACH(input_.count(), gather_kernel, batch, batch_, input_, targets_); }

void Naive::conv_forward(const float* in, Pictures shape, const float* weight, const float* bias, float* out, int channels) {
  FOR_EACH(size_t(shape.images) * channels * shape.plane(), conv_forward_kernel, in, shape, weight, bias, out, channels);
}

void Naive::conv_backward_weight(const float* in, Pictures shape, const float* out_gradient, int channels, float* weight_gradient, float* bias_gradient) {
  FOR_EACH(channels * shape.channels * kTaps, conv_backward_weight_kernel, in, shape, out_gradient, channels, weight_gradient);
  FOR_EACH(channels, channel_sum_kernel, out_gradient, Pictures{shape.images, channels, shape.side}, bias_gradient);
}

void Naive::conv_backward_input(const float* out_gradient, Pictures shape, const float* weight, int channels, float* in_gradient) {
  FOR_EACH(shape.count(), conv_backward_input_kernel, out_gradient, shape, weight, channels, in_gradient);
}

void Naive::norm_statistics(const Block& b) { FOR_EACH(b.out.channels, norm_statistics_kernel, b.conv, b.out, b.mean, b.inverse); }

void Naive::norm_apply(const Block& b, const float* scale, const float* shift) {
  FOR_EACH(b.out.count(), norm_apply_kernel, b.conv, b.out, b.mean, b.inverse, scale, shift, b.normal);
}

void Naive::norm_backward(const Block& b, const float* scale, float* scale_gradient, float* shift_gradient) {
  FOR_EACH(b.out.channels, norm_sums_kernel, b.conv, b.out, b.mean, b.inverse, b.relu_gradient, scale_gradient, shift_gradient);
  FOR_EACH(b.out.count(), norm_backward_kernel, b.conv, b.out, b.mean, b.inverse, scale, b.relu_gradient, scale_gradient, shift_gradient,
           b.conv_gradient);
}

void Naive::relu_forward(const float* in, float* out, size_t count) { FOR_EACH(count, relu_kernel, in, out, count); }
void Naive::relu_backward(const float* out, float* gradient, size_t count) { FOR_EACH(count, relu_backward_kernel, out, gradient, count); }
void Naive::pool_forward(const Block& b) { FOR_EACH(b.pool.count(), pool_kernel, b.relu, b.out, b.pool, b.where); }
void Naive::pool_backward(const float* pool_gradient, const Block& b) {
  FOR_EACH(b.out.count(), pool_backward_kernel, pool_gradient, b.out, b.where, b.relu_gradient);
}

void Naive::linear_forward(const float* in, int in_count, const float* weight, const float* bias, float* out, int out_count) {
  FOR_EACH(size_t(batch_) * out_count, linear_forward_kernel, in, batch_, in_count, weight, bias, out, out_count);
}

void Naive::linear_backward(const float* in, int in_count, const float* weight, const float* out_gradient, int out_count, float* in_gradient,
                            float* weight_gradient, float* bias_gradient) {
  FOR_EACH(size_t(batch_) * in_count, linear_backward_input_kernel, out_gradient, batch_, in_count, weight, out_count, in_gradient);
  FOR_EACH(size_t(out_count) * in_count, linear_backward_weight_kernel, in, batch_, in_count, out_gradient, out_count, weight_gradient, bias_gradient);
}

void Naive::loss(const Batch& batch) {
  FOR_EACH(batch_, loss_kernel, logits_, targets_, batch_, image_loss_, logits_gradient_);
  mean_kernel<<<1, 1, 0, stream_>>>(image_loss_, batch_, batch.loss);
  MNIST_CHECK(cudaGetLastError());
}

void Naive::update(float rate) { FOR_EACH(kParameterCount, update_kernel, weights_, gradients_, rate); }

std::unique_ptr<Step> make_step1(int batch, Precision) { return std::make_unique<Naive>(batch); }

}  // namespace mnist
