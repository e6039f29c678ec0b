// Step 5 as a class; step 6 runs the same kernels from a graph. step5_exact.cu says what they save, and why the result
// stays the same.
#pragma once

#include "conv1_exact.cuh"
#include "conv_work.cuh"
#include "tensor_step.cuh"

namespace mnist {

namespace exact {

// Forward: conv2's values for the way back, their sums, and of each pooling window the value that will be the largest after the norm,
// with its place (0 … 3). The rows of a window are in one lane, its columns in lanes that differ in bit 2.
template <class P>
struct ForwardWork {
  const typename P::Value* pictures;
  const float* scale;  // γ; its sign decides between the largest and the smallest
  typename P::Value *out, *pooled;
  uint8_t* where;
  float* partial;
  FragmentSums total;
  ForwardWork(const typename P::Value* in, const float* s, typename P::Value* o, typename P::Value* p, uint8_t* w, float* sums)
      : pictures(in), scale(s), out(o), pooled(p), where(w), partial(sums) {}

  __device__ void load(int n, typename P::Value* grid) { conv::load_picture<P, kChannels1, conv::kThreads>(grid, conv::kPitch<P, kChannels1>, pictures + size_t(n) * kPixels2 * kChannels1); }

  __device__ void use(int n, const conv::Sums<kChannels2>& sums) {
    store_picture<P, kChannels2>(out + size_t(n) * kPixels2 * kChannels2, sums);
    int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      int x = half * 8 + lane / 4;
      bool inside = x < kSide2;
#pragma unroll
      for (int p = 0; p < kChannels2 / 8; ++p) {
        float best[2];
        int place[2];
#pragma unroll
        for (int i = 0; i < 2; ++i) {
          float sign = scale[p * 8 + lane % 4 * 2 + i] >= 0 ? 1.0f : -1.0f;
          float upper = sums[half][p][i], lower = sums[half][p][2 + i];
          bool take_lower = lower * sign > upper * sign;
          best[i] = take_lower ? lower : upper;
          float other = __shfl_xor_sync(0xffffffffu, best[i], 4);
          int other_lower = __shfl_xor_sync(0xffffffffu, int(take_lower), 4);
          // Only the lane of the left column continues; of equal values, the first in reading order wins.
          bool take_other = other * sign > best[i] * sign || (other == best[i] && int(take_lower) > other_lower);
          place[i] = take_other ? other_lower * 2 + 1 : int(take_lower) * 2;
          best[i] = take_other ? other : best[i];
        }
        if (inside) {
          total.add(p, sums[half][p][0], sums[half][p][1]);
          total.add(p, sums[half][p][2], sums[half][p][3]);
          if (lane / 4 % 2 == 0) {
            size_t at = ((size_t(n) * kSide3 + warp) * kSide3 + x / 2) * kChannels2 + p * 8 + lane % 4 * 2;
            P::store(pooled + at, best[0], best[1]);
            *reinterpret_cast<uchar2*>(where + at) = uchar2{(unsigned char)place[0], (unsigned char)place[1]};
          }
        }
      }
    }
  }
  __device__ void finish(float* scratch) { total.finish(scratch, partial); }
};

// Norm and ReLU of the pooled values: the features.
template <class P>
__global__ void features_kernel(const typename P::Value* pooled, int count, Norm norm, typename P::Value* features) {
  int i = int(blockIdx.x * blockDim.x + threadIdx.x) * 2, c = i % kChannels2;
  if (i >= count) return;
  float2 values = P::load(pooled + i);
  float left = values.x * norm.factor[c] + norm.offset[c], right = values.y * norm.factor[c + 1] + norm.offset[c + 1];
  P::store(features + i, left < 0 ? 0.0f : left, right < 0 ? 0.0f : right);
}

// A sink of linear1's backward product: the gradient of the features, stopped where the ReLU was at zero.
template <class P>
struct ThroughRelu {
  typename P::Value* gradient;
  const typename P::Value* features;
  __device__ void operator()(int r, int c, float left, float right, int) const {
    size_t at = size_t(r) * kFeatures + size_t(c);
    float2 feature = P::load(features + at);
    P::store(gradient + at, feature.x > 0 ? left : 0.0f, feature.y > 0 ? right : 0.0f);
  }
};

// partial[block][Σ dy x̂, Σ dy][64] over the pooled values; a lane has two channels, a warp goes over windows.
constexpr int kSumWarps = 8;
template <class P>
__global__ void __launch_bounds__(32 * kSumWarps) sums_kernel(const typename P::Value* gradient, const typename P::Value* pooled, int windows, Norm norm, float* partial) {
  __shared__ float shared[kSumWarps][2][kChannels2];
  int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32, c = lane * 2;
  float mean[2] = {norm.mean[c], norm.mean[c + 1]}, sum[2] = {}, product[2] = {};
#pragma unroll 4
  for (int w = int(blockIdx.x) * kSumWarps + warp; w < windows; w += int(gridDim.x) * kSumWarps) {
    float2 dy = P::load(gradient + size_t(w) * kChannels2 + c), value = P::load(pooled + size_t(w) * kChannels2 + c);
    sum[0] += dy.x;
    sum[1] += dy.y;
    product[0] += dy.x * (value.x - mean[0]);
    product[1] += dy.y * (value.y - mean[1]);
  }
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    shared[warp][0][c + i] = product[i] * norm.inverse[c + i];
    shared[warp][1][c + i] = sum[i];
  }
  __syncthreads();
  int i = int(threadIdx.x);
  if (i >= 2 * kChannels2) return;
  float total = 0;
  for (int w = 0; w < kSumWarps; ++w) total += shared[w][i / kChannels2][i % kChannels2];
  partial[size_t(blockIdx.x) * 2 * kChannels2 + i] = total;
}

// The dense gradient, made while it is loaded: dx = a · dy + b · value + c in each channel.
template <class P>
struct DenseGradient {
  using Value = typename P::Value;
  const Value *values, *pool_gradient;
  const uint8_t* where;
  Norm norm;
  const float *scale_gradient, *shift_gradient;
  float count;

  static constexpr int kEach = 16 / int(sizeof(Value)), kGroups = kChannels2 / kEach;

  // Fills pixel (y, x) of the picture at rows + (y · 16 + x) · pitch. The channels of a thread are always the same.
  template <int Threads>
  __device__ void load(int n, Value* rows, int pitch) const {
    static_assert(Threads % kGroups == 0, "a thread keeps its channels");
    int group = int(threadIdx.x) % kGroups, first = group * kEach;
    float a[kEach], b[kEach], c[kEach];
#pragma unroll
    for (int k = 0; k < kEach; ++k) {
      a[k] = norm.factor[first + k];
      b[k] = -a[k] * norm.inverse[first + k] * scale_gradient[first + k] / count;
      c[k] = -a[k] * shift_gradient[first + k] / count - b[k] * norm.mean[first + k];
    }
    for (int w = int(threadIdx.x) / kGroups; w < kPixels3; w += Threads / kGroups) {
      size_t pooled = (size_t(n) * kPixels3 + size_t(w)) * kChannels2 + size_t(first);
      Pack dy, from[4];
      dy.bits = *reinterpret_cast<const uint4*>(pool_gradient + pooled);
      union { unsigned char at[kEach]; unsigned words[kEach / 4]; } place;
#pragma unroll
      for (int k = 0; k < kEach / 4; ++k) place.words[k] = *reinterpret_cast<const unsigned*>(where + pooled + 4 * k);
      int y = w / kSide3 * 2, x = w % kSide3 * 2;
#pragma unroll
      for (int q = 0; q < 4; ++q) from[q].bits = *reinterpret_cast<const uint4*>(values + (size_t(n) * kPixels2 + size_t((y + q / 2) * kSide2 + x + q % 2)) * kChannels2 + first);
#pragma unroll
      for (int q = 0; q < 4; ++q) {
        Pack to;
#pragma unroll
        for (int k = 0; k < kEach; k += 2)
          P::store(to.values() + k, P::to_float(from[q].values()[k]) * b[k] + c[k] + (place.at[k] == q ? P::to_float(dy.values()[k]) * a[k] : 0.0f),
                   P::to_float(from[q].values()[k + 1]) * b[k + 1] + c[k + 1] + (place.at[k + 1] == q ? P::to_float(dy.values()[k + 1]) * a[k + 1] : 0.0f));
        *reinterpret_cast<uint4*>(rows + ((y + q / 2) * conv::kGridSide + x + q % 2) * pitch) = to.bits;
      }
    }
  }

 private:
  struct Pack {
    uint4 bits;
    __device__ Value* values() { return reinterpret_cast<Value*>(&bits); }
  };
};

template <class P>
struct BackwardWork {
  DenseGradient<P> gradient;
  typename P::Value* out;
  __device__ void load(int n, typename P::Value* grid) {
    constexpr int kPitch = conv::kPitch<P, kChannels2>;
    gradient.template load<conv::kThreads>(n, grid + (conv::kGridSide + 1) * kPitch + int(threadIdx.x) % DenseGradient<P>::kGroups * DenseGradient<P>::kEach, kPitch);
  }
  __device__ void use(int n, const conv::Sums<kChannels1>& sums) { store_picture<P, kChannels1>(out + size_t(n) * kPixels2 * kChannels1, sums); }
  __device__ void finish(float*) {}
};

template <class P>
struct WeightWork {
  const typename P::Value* pictures;
  DenseGradient<P> gradient;
  __device__ void load_picture(int n, typename P::Value* grid, int pitch) { conv::load_picture<P, kChannels1, conv::kWeightThreads>(grid, pitch, pictures + size_t(n) * kPixels2 * kChannels1); }
  __device__ void load_gradient(int n, typename P::Value* rows, int pitch) {
    gradient.template load<conv::kWeightThreads>(n, rows + int(threadIdx.x) % DenseGradient<P>::kGroups * DenseGradient<P>::kEach, pitch);
  }
};

}  // namespace exact

template <class P>
class ExactStep : public TensorStep<P> {
  using Base = TensorStep<P>;
  using Value = typename P::Value;
  using Base::conv2_, Base::turned_;

 protected:
  using Base::batch_, Base::stream_;

 private:
  static constexpr size_t kForwardBytes = conv::product_bytes<P, kChannels1, kChannels2>(), kBackwardBytes = conv::product_bytes<P, kChannels2, kChannels1>(),
                          kWeightBytes = conv::weight_bytes<P>();
  static constexpr int kBlocks = 264;  // for kernels that sum: two blocks for each of 132 multiprocessors

 public:
  explicit ExactStep(int batch)
      : Base(batch),
        forward_blocks_(std::min(batch, conv::resident_blocks(conv::product_kernel<P, kChannels1, kChannels2, exact::ForwardWork<P>>, conv::kThreads, kForwardBytes))),
        backward_blocks_(std::min(batch, conv::resident_blocks(conv::product_kernel<P, kChannels2, kChannels1, exact::BackwardWork<P>>, conv::kThreads, kBackwardBytes))),
        weight_blocks_(std::min(batch, conv::resident_blocks(conv::weight_kernel<P, exact::WeightWork<P>>, conv::kWeightThreads, kWeightBytes))),
        pool_blocks_(std::min(batch, 3 * kBlocks)),
        moment_blocks_(int(blocks_for(size_t(batch), conv1::kImagesPerBlock))),
        moment_parts_(size_t(moment_blocks_) * conv1::kMoments),
        moments_(conv1::kMoments),
        statistics1_(4 * kChannels1),
        statistics2_(4 * kChannels2),
        pool1_(size_t(batch) * kPixels2 * kChannels1),
        pool1_gradient_(pool1_.count()),
        conv2_values_(size_t(batch) * kPixels2 * kChannels2),
        pool2_(size_t(batch) * kFeatures),
        features_(pool2_.count()),
        features_gradient_(pool2_.count()),
        where1_(size_t(batch) * kPixels2 * 3),
        where2_(pool2_.count()),
        partial_(size_t(std::max({pool_blocks_, forward_blocks_, 2 * kBlocks})) * 10 * kChannels1),
        weight_parts_(size_t(weight_blocks_) * kConv2Count) {}

 protected:
  Norm norm1() { return norm_in(statistics1_, kChannels1); }
  Norm norm2() { return norm_in(statistics2_, kChannels2); }

  void forward(const Batch& batch) override {
    conv1::moments_kernel<<<moment_blocks_, conv1::kMomentThreads, 0, stream_>>>(batch, batch_, moment_parts_);
    conv1::statistics_kernel<<<1, 1024, 0, stream_>>>(moment_parts_, moment_blocks_, double(batch_) * kPixels1, Base::template weight<Conv1Weight>(),
                                                      Base::template weight<Norm1Scale>(), Base::template weight<Norm1Shift>(), moments_, norm1());
    conv1::pool_kernel<P><<<pool_blocks_, conv1::kPoolThreads, 0, stream_>>>(batch, batch_, Base::template weight<Conv1Weight>(), norm1(), pool1_.data(), where1_);
    conv::product_kernel<P, kChannels1, kChannels2><<<forward_blocks_, conv::kThreads, kForwardBytes, stream_>>>(
        exact::ForwardWork<P>(pool1_, Base::template weight<Norm2Scale>(), conv2_values_, pool2_, where2_, partial_), batch_, conv2_.data());
    finish_norm(stream_, kChannels2, partial_, forward_blocks_, double(batch_) * kPixels2, Base::template weight<Norm2Scale>(), Base::template weight<Norm2Shift>(), norm2());
    exact::features_kernel<P><<<blocks_for(features_.count() / 2, 256), 256, 0, stream_>>>(pool2_.data(), int(features_.count()), norm2(), features_.data());
    MNIST_CHECK(cudaGetLastError());
    Base::linear_forward(batch, features_);
  }

  void backward(const Batch& batch) override {
    fork();
    Base::linear_backward_weight(side_, features_);
    Base::linear_backward_input(exact::ThroughRelu<P>{features_gradient_, features_});
    float *scale_gradient = Base::template gradient<Norm2Scale>(), *shift_gradient = Base::template gradient<Norm2Shift>();
    exact::sums_kernel<P><<<2 * kBlocks, 32 * exact::kSumWarps, 0, stream_>>>(features_gradient_.data(), pool2_.data(), batch_ * kPixels3, norm2(), partial_);
    add_many_parts_kernel<<<blocks_for(2 * kChannels2, 32), 256, 0, stream_>>>(partial_, 2 * kBlocks, 2 * kChannels2, scale_gradient);
    exact::DenseGradient<P> dense{conv2_values_, features_gradient_, where2_, norm2(), scale_gradient, shift_gradient, float(batch_) * kPixels2};
    fork();
    conv::weight_kernel<P><<<weight_blocks_, conv::kWeightThreads, kWeightBytes, side_>>>(exact::WeightWork<P>{pool1_, dense}, batch_, weight_parts_.data());
    Base::add_conv2_parts(side_, weight_parts_, weight_blocks_);
    conv::product_kernel<P, kChannels2, kChannels1><<<backward_blocks_, conv::kThreads, kBackwardBytes, stream_>>>(exact::BackwardWork<P>{dense, pool1_gradient_}, batch_, turned_.data());

    conv1::gradient_kernel<P><<<pool_blocks_, conv1::kPoolThreads, 0, stream_>>>(batch, batch_, pool1_gradient_.data(), where1_, partial_);
    conv1::finish_gradient_kernel<<<kChannels1, conv1::kFinishThreads, 0, stream_>>>(partial_, pool_blocks_, moments_, Base::template weight<Conv1Weight>(), norm1(),
                                                                Base::template gradient<Conv1Weight>(), Base::template gradient<Norm1Scale>(), Base::template gradient<Norm1Shift>());
    join();
    MNIST_CHECK(cudaGetLastError());
  }

  // Only the update needs the gradients of the weights of linear1 and conv2. They are enqueued on side_, between a fork
  // (side_ waits for what is on stream_ by now) and the join. Here that is the same stream; step 6 makes it another
  // one.
  virtual void fork() {}
  virtual void join() {}
  cudaStream_t side_ = stream_;

  std::vector<GpuStep::Layer> layers() override { return {{"conv1 or norm1", &statistics1_}, {"conv2 or norm2", &statistics2_}, {"linear1 or linear2", &this->logits_}}; }

 private:
  int forward_blocks_, backward_blocks_, weight_blocks_, pool_blocks_, moment_blocks_;
  Buffer<unsigned> moment_parts_;
  Buffer<double> moments_;
  Buffer<float> statistics1_, statistics2_;
  Buffer<Value> pool1_, pool1_gradient_, conv2_values_, pool2_, features_, features_gradient_;
  Buffer<unsigned> where1_;
  Buffer<uint8_t> where2_;
  Buffer<float> partial_, weight_parts_;
};

}  // namespace mnist
