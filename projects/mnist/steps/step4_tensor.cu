// Step 4. The three products of conv2 and the three of linear1 are nine tenths of the arithmetic; this step gives them
// to the tensor cores (mma.cuh, conv_mma.cuh, product_mma.cuh), in bf16, tf32, or three tf32 products that together are
// as good as fp32. Everything between them is as in step 3, except for the layout: channels are innermost, because a
// product needs its k contiguous.
//
// Expected: 103 GFLOP at batch 4096 take at best 2 ms as fp32 multiply-adds, and 0.2 to 0.3 ms here. Then the cost that
// step 3 hid becomes visible: conv1's 411 MB, written once and read three times, and the passes over conv2's values.
//
// Measured on an H200, batch 4096: 9.20 → 7.41 ms (fp32 in three tf32 products), 5.39 (tf32), 5.09 (bf16). The products
// take as long as expected. Four fifths of the time are now passes over conv1's values; conv1's weight gradient alone
// takes 2.7 ms. On the virtual GPU the tensor cores are modelled bit by bit, which costs more than plain multiply-adds.
#include "conv_work.cuh"
#include "tensor_step.cuh"

namespace mnist {
namespace {

using namespace tiles;

constexpr int kParts = 128;
constexpr uint8_t kNowhere = 4;

// A sink of tiles::conv_kernel: channels innermost.
struct ToChannelsLast {
  float* values;
  int channels, plane;
  __device__ void operator()(int n, int first, int pixel, const float* sums) const {
    float4* to = reinterpret_cast<float4*>(values + (size_t(n) * plane + pixel) * channels + first);
    to[0] = float4{sums[0], sums[1], sums[2], sums[3]};
    to[1] = float4{sums[4], sums[5], sums[6], sums[7]};
  }
};

// Work of conv::product_kernel, forward: conv2's values and the sums for their statistics.
template <class P>
struct ForwardWork {
  const typename P::Value* pictures;
  typename P::Value* out;
  float* partial;  // [block][sum, sum of squares][64]
  FragmentSums total;
  ForwardWork(const typename P::Value* p, typename P::Value* o, float* s) : pictures(p), out(o), partial(s) {}

  __device__ void load(int n, typename P::Value* grid) { conv::load_picture<P, kChannels1, conv::kThreads>(grid, conv::kPitch<P, kChannels1>, pictures + size_t(n) * kPixels2 * kChannels1); }
  __device__ void use(int n, const conv::Sums<kChannels2>& sums) {
    store_picture<P, kChannels2>(out + size_t(n) * kPixels2 * kChannels2, sums);
#pragma unroll
    for (int half = 0; half < 2; ++half)
      if (half * 8 + int(threadIdx.x) % 32 / 4 < kSide2)
#pragma unroll
        for (int p = 0; p < kChannels2 / 8; ++p)
#pragma unroll
          for (int row = 0; row < 2; ++row) total.add(p, sums[half][p][2 * row], sums[half][p][2 * row + 1]);
  }
  __device__ void finish(float* scratch) { total.finish(scratch, partial); }
};

// Backward: from the gradient of conv2's values to that of its pictures.
template <class P>
struct BackwardWork {
  const typename P::Value* gradients;
  typename P::Value* out;
  __device__ void load(int n, typename P::Value* grid) { conv::load_picture<P, kChannels2, conv::kThreads>(grid, conv::kPitch<P, kChannels2>, gradients + size_t(n) * kPixels2 * kChannels2); }
  __device__ void use(int n, const conv::Sums<kChannels1>& sums) { store_picture<P, kChannels1>(out + size_t(n) * kPixels2 * kChannels1, sums); }
  __device__ void finish(float*) {}
};

// The weights: pictures and gradients as they lie in memory.
template <class P>
struct WeightWork {
  const typename P::Value *pictures, *gradients;
  __device__ void load_picture(int n, typename P::Value* grid, int pitch) { conv::load_picture<P, kChannels1, conv::kWeightThreads>(grid, pitch, pictures + size_t(n) * kPixels2 * kChannels1); }
  __device__ void load_gradient(int n, typename P::Value* rows, int pitch) {
    constexpr int kEach = 16 / int(sizeof(typename P::Value)), kPieces = kChannels2 / kEach;
    for (int i = int(threadIdx.x); i < kPixels2 * kPieces; i += conv::kWeightThreads) {
      int pixel = i / kPieces, at = i % kPieces * kEach;
      mma::copy_async(rows + (pixel / kSide2 * conv::kGridSide + pixel % kSide2) * pitch + at, gradients + (size_t(n) * kPixels2 + pixel) * kChannels2 + at, true);
    }
  }
};

// Norm, ReLU, pooling and their way back, channels innermost: lanes lie along the channels. In: the values' type.
template <class P, class In>
__global__ void pool_kernel(const In* in, Pictures shape, Norm norm, typename P::Value* out, uint8_t* where) {
  int i = int(blockIdx.x * blockDim.x + threadIdx.x), half = shape.side / 2;
  if (i >= int(shape.count() / 4)) return;
  int c = i % shape.channels, x = i / shape.channels % half, y = i / shape.channels / half % half, n = i / shape.channels / half / half;
  const In* corner = in + ((size_t(n) * shape.side + 2 * y) * shape.side + 2 * x) * shape.channels + c;
  float best = 0;
  int best_at = kNowhere;
  for (int k = 0; k < 4; ++k) {
    float v = float(corner[(k / 2 * shape.side + k % 2) * shape.channels]) * norm.factor[c] + norm.offset[c];
    if (v > best || v != v) {
      best = v;
      best_at = k;
    }
  }
  out[i] = P::round(best);
  where[i] = uint8_t(best_at);
}

template <class P, class In>
struct PoolGradient {  // dy at a pixel, from the pooled gradient
  const In* in;
  const typename P::Value* pool_gradient;
  const uint8_t* where;
  Norm norm;
  const float *scale_gradient, *shift_gradient;
  Pictures shape;
  __device__ float operator()(int n, int pixel, int c) const {
    int half = shape.side / 2, y = pixel / shape.side, x = pixel % shape.side;
    size_t pooled = (size_t(n) * half * half + y / 2 * half + x / 2) * shape.channels + c;
    float dy = where[pooled] == y % 2 * 2 + x % 2 ? P::to_float(pool_gradient[pooled]) : 0.0f;
    float count = float(shape.images) * float(shape.plane());
    float normal = (float(in[(size_t(n) * shape.plane() + pixel) * shape.channels + c]) - norm.mean[c]) * norm.inverse[c];
    return norm.factor[c] * (dy - shift_gradient[c] / count - normal * scale_gradient[c] / count);
  }
};

// partial[block][Σ dy x̂, Σ dy][channels]; warps go over pooled pixels.
constexpr int kSumWarps = 8;
template <class P, class In>
__global__ void __launch_bounds__(32 * kSumWarps) pool_sums_kernel(PoolGradient<P, In> g, float* partial) {
  __shared__ float shared[2][kSumWarps][32];
  int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32, c = int(blockIdx.y) * 32 + lane, half = g.shape.side / 2;
  float sum = 0, product = 0;
  for (int i = int(blockIdx.x) * kSumWarps + warp; i < g.shape.images * half * half; i += int(gridDim.x) * kSumWarps) {
    size_t at = size_t(i) * g.shape.channels + c;
    int from = g.where[at], x = i % half, y = i / half % half, n = i / half / half;
    if (from == kNowhere) continue;
    float dy = P::to_float(g.pool_gradient[at]);
    float value = float(g.in[((size_t(n) * g.shape.side + size_t(2 * y + from / 2)) * g.shape.side + size_t(2 * x + from % 2)) * g.shape.channels + c]);
    sum += dy;
    product += dy * ((value - g.norm.mean[c]) * g.norm.inverse[c]);
  }
  shared[0][warp][lane] = product;
  shared[1][warp][lane] = sum;
  __syncthreads();
  if (warp >= 2) return;
  float total = 0;
  for (int w = 0; w < kSumWarps; ++w) total += shared[warp][w][lane];
  partial[(size_t(blockIdx.x) * 2 + warp) * g.shape.channels + c] = total;
}

template <class P, class In>
__global__ void dense_gradient_kernel(PoolGradient<P, In> g, typename P::Value* out) {
  int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < int(g.shape.count())) out[i] = P::round(g(i / g.shape.channels / g.shape.plane(), i / g.shape.channels % g.shape.plane(), i % g.shape.channels));
}

// conv1's weights: a lane for each output channel, the 9 taps in registers; the patch is the same for all lanes.
template <class P>
__global__ void __launch_bounds__(32 * kSumWarps) conv1_weight_kernel(Batch batch, PoolGradient<P, float> g, float* partial) {
  using Grid = Plane<kSide1>;
  __shared__ float plane[Grid::kSize];
  __shared__ float shared[kSumWarps][kTaps][32];
  int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
  float sums[kTaps] = {};
  for (int n = int(blockIdx.x); n < g.shape.images; n += int(gridDim.x)) {
    const uint8_t* image = batch.pixels + size_t(batch.order[n]) * kPixels1;
    __syncthreads();
    for (int i = int(threadIdx.x); i < Grid::kSize; i += 32 * kSumWarps) {
      int y = i / Grid::kStride - 1, x = i % Grid::kStride - 1;
      plane[i] = y >= 0 && y < kSide1 && x >= 0 && x < kSide1 ? image[y * kSide1 + x] * (1.0f / 255.0f) : 0.0f;
    }
    __syncthreads();
    for (int pixel = warp; pixel < kPixels1; pixel += kSumWarps) {
      float dx = g(n, pixel, lane);
#pragma unroll
      for (int tap = 0; tap < kTaps; ++tap) sums[tap] += dx * plane[(pixel / kSide1 + tap / 3) * Grid::kStride + pixel % kSide1 + tap % 3];
    }
  }
#pragma unroll
  for (int tap = 0; tap < kTaps; ++tap) shared[warp][tap][lane] = sums[tap];
  __syncthreads();
  for (int i = int(threadIdx.x); i < kChannels1 * kTaps; i += 32 * kSumWarps) {
    float total = 0;
    for (int w = 0; w < kSumWarps; ++w) total += shared[w][i % kTaps][i / kTaps];
    partial[size_t(blockIdx.x) * kChannels1 * kTaps + i] = total;
  }
}

template <class P>
class Tensor : public TensorStep<P> {
  using Base = TensorStep<P>;
  using Value = typename P::Value;
  using Base::batch_, Base::stream_, Base::conv2_, Base::turned_;
  static constexpr size_t kForwardBytes = conv::product_bytes<P, kChannels1, kChannels2>(), kBackwardBytes = conv::product_bytes<P, kChannels2, kChannels1>(),
                          kWeightBytes = conv::weight_bytes<P>();

 public:
  explicit Tensor(int batch)
      : Base(batch),
        parts_(std::min(batch, kParts)),
        forward_blocks_(std::min(batch, conv::resident_blocks(conv::product_kernel<P, kChannels1, kChannels2, ForwardWork<P>>, conv::kThreads, kForwardBytes))),
        backward_blocks_(std::min(batch, conv::resident_blocks(conv::product_kernel<P, kChannels2, kChannels1, BackwardWork<P>>, conv::kThreads, kBackwardBytes))),
        weight_blocks_(std::min(batch, conv::resident_blocks(conv::weight_kernel<P, WeightWork<P>>, conv::kWeightThreads, kWeightBytes))),
        conv1_values_(shape1().count()),
        statistics1_(4 * kChannels1),
        statistics2_(4 * kChannels2),
        conv2_values_(shape2().count()),
        conv2_gradient_(shape2().count()),
        pool1_(shape1().count() / 4),
        pool2_(shape2().count() / 4),
        pool1_gradient_(pool1_.count()),
        pool2_gradient_(pool2_.count()),
        where1_(pool1_.count()),
        where2_(pool2_.count()),
        partial_(size_t(std::max(weight_blocks_, parts_)) * kConv2Count) {}

 protected:
  Pictures shape1() const { return {batch_, kChannels1, kSide1}; }
  Pictures shape2() const { return {batch_, kChannels2, kSide2}; }
  Norm norm1() { return norm_in(statistics1_, kChannels1); }
  Norm norm2() { return norm_in(statistics2_, kChannels2); }

  void forward(const Batch& batch) override {
    conv_kernel<kSide1, 1><<<dim3(unsigned(parts_), kChannels1 / kGroup), Plane<kSide1>::kThreads, 0, stream_>>>(
        FromBytes{batch}, batch_, Base::template weight<Conv1Weight>(), WithSums<ToChannelsLast>({conv1_values_, kChannels1, kPixels1}, partial_));
    finish_norm(stream_, kChannels1, partial_, parts_, double(batch_) * kPixels1, Base::template weight<Norm1Scale>(), Base::template weight<Norm1Shift>(), norm1());
    pool_kernel<P, float><<<blocks_for(pool1_.count(), 256), 256, 0, stream_>>>(conv1_values_, shape1(), norm1(), pool1_, where1_);
    conv::product_kernel<P, kChannels1, kChannels2><<<forward_blocks_, conv::kThreads, kForwardBytes, stream_>>>(ForwardWork<P>(pool1_, conv2_values_, partial_), batch_, conv2_);
    finish_norm(stream_, kChannels2, partial_, forward_blocks_, double(batch_) * kPixels2, Base::template weight<Norm2Scale>(), Base::template weight<Norm2Shift>(), norm2());
    pool_kernel<P, Value><<<blocks_for(pool2_.count(), 256), 256, 0, stream_>>>(conv2_values_, shape2(), norm2(), pool2_, where2_);
    MNIST_CHECK(cudaGetLastError());
    Base::linear_forward(batch, pool2_);
  }

  void backward(const Batch& batch) override {
    Base::linear_backward_weight(stream_, pool2_);
    Base::linear_backward_input(ToValues<P>{pool2_gradient_, kFeatures});

    PoolGradient<P, Value> second{conv2_values_, pool2_gradient_, where2_, norm2(), Base::template gradient<Norm2Scale>(), Base::template gradient<Norm2Shift>(), shape2()};
    sums(second, Base::template gradient<Norm2Scale>());
    dense_gradient_kernel<<<blocks_for(conv2_gradient_.count(), 256), 256, 0, stream_>>>(second, conv2_gradient_.data());
    conv::weight_kernel<P><<<weight_blocks_, conv::kWeightThreads, kWeightBytes, stream_>>>(WeightWork<P>{pool1_, conv2_gradient_}, batch_, partial_.data());
    Base::add_conv2_parts(stream_, partial_, weight_blocks_);
    conv::product_kernel<P, kChannels2, kChannels1><<<backward_blocks_, conv::kThreads, kBackwardBytes, stream_>>>(BackwardWork<P>{conv2_gradient_, pool1_gradient_}, batch_, turned_);

    PoolGradient<P, float> first{conv1_values_, pool1_gradient_, where1_, norm1(), Base::template gradient<Norm1Scale>(), Base::template gradient<Norm1Shift>(), shape1()};
    sums(first, Base::template gradient<Norm1Scale>());
    conv1_weight_kernel<P><<<unsigned(parts_), 32 * kSumWarps, 0, stream_>>>(batch, first, partial_);
    add_many_parts_kernel<<<blocks_for(kChannels1 * kTaps, 32), 256, 0, stream_>>>(partial_, parts_, kChannels1 * kTaps, Base::template gradient<Conv1Weight>());
    MNIST_CHECK(cudaGetLastError());
  }

  std::vector<GpuStep::Layer> layers() override { return {{"conv1", &conv1_values_}, {"norm1", &statistics1_}, {"norm2", &statistics2_}, {"linear2", &this->logits_}}; }

 private:
  template <class Gradient>
  void sums(const Gradient& g, float* scale_gradient) {
    pool_sums_kernel<<<dim3(unsigned(parts_), unsigned(g.shape.channels / 32)), 32 * kSumWarps, 0, stream_>>>(g, partial_.data());
    add_many_parts_kernel<<<blocks_for(size_t(2 * g.shape.channels), 32), 256, 0, stream_>>>(partial_, parts_, 2 * g.shape.channels, scale_gradient);
  }

  int parts_, forward_blocks_, backward_blocks_, weight_blocks_;
  Buffer<float> conv1_values_, statistics1_, statistics2_;
  Buffer<Value> conv2_values_, conv2_gradient_, pool1_, pool2_, pool1_gradient_, pool2_gradient_;
  Buffer<uint8_t> where1_, where2_;
  Buffer<float> partial_;
};

}  // namespace

std::unique_ptr<Step> make_step4(int batch, Precision precision) { return make_tensor_step<Tensor>(batch, precision); }

}  // namespace mnist
