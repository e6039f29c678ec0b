// A layer of a convolutional network in one kernel: 3×3 convolution, batch normalisation, ReLU and
// 2×2 maximum pooling. Four kernels would write and read three intermediate pictures; here they stay in
// registers and shared memory.
//
// A block makes an 8×8 piece of one output channel: it computes the 16×16 piece before pooling, one
// value per thread, from an 18×18 tile of each input channel.
//
//     warpwise run examples/fused_conv.cu [input channels] [output channels] [side]
#include "common.h"

constexpr int kPiece = 16, kTile = kPiece + 2;

struct Shape {
  int in_channels, out_channels, side;  // pictures are side×side; side is even
};

__global__ void conv_norm_relu_pool(const float* in, const float* weights, const float* mean, const float* variance,
                                    const float* gamma, const float* beta, float* out, Shape shape) {
  __shared__ float tile[kTile][kTile];
  __shared__ float piece[kPiece][kPiece];
  int tx = threadIdx.x, ty = threadIdx.y, channel = blockIdx.z;
  int left = blockIdx.x * kPiece - 1, top = blockIdx.y * kPiece - 1;

  float sum = 0;
  for (int c = 0; c < shape.in_channels; ++c) {
    for (int i = ty * kPiece + tx; i < kTile * kTile; i += kPiece * kPiece) {
      int px = left + i % kTile, py = top + i / kTile;
      bool inside = px >= 0 && px < shape.side && py >= 0 && py < shape.side;
      tile[i / kTile][i % kTile] = inside ? in[(c * shape.side + py) * shape.side + px] : 0.0f;
    }
    __syncthreads();
    const float* w = weights + (channel * shape.in_channels + c) * 9;
    for (int dy = 0; dy < 3; ++dy)
      for (int dx = 0; dx < 3; ++dx) sum += tile[ty + dy][tx + dx] * w[dy * 3 + dx];
    __syncthreads();
  }

  float scaled = (sum - mean[channel]) * rsqrtf(variance[channel] + 1e-5f) * gamma[channel] + beta[channel];
  piece[ty][tx] = fmaxf(scaled, 0.0f);
  __syncthreads();

  int half = shape.side / 2;
  int ox = blockIdx.x * (kPiece / 2) + tx, oy = blockIdx.y * (kPiece / 2) + ty;
  if (tx < kPiece / 2 && ty < kPiece / 2 && ox < half && oy < half) {
    float best = fmaxf(fmaxf(piece[2 * ty][2 * tx], piece[2 * ty][2 * tx + 1]),
                       fmaxf(piece[2 * ty + 1][2 * tx], piece[2 * ty + 1][2 * tx + 1]));
    out[(channel * half + oy) * half + ox] = best;
  }
}

int main(int argc, char** argv) {
  Shape shape{argument(argc, argv, 1, 3), argument(argc, argv, 2, 8), argument(argc, argv, 3, 52) / 2 * 2};
  int side = shape.side, half = side / 2;
  if (side == 0) {
    std::fprintf(stderr, "the side must be at least 2\n");
    return 2;
  }
  std::vector<float> in = random_floats(size_t(shape.in_channels) * side * side, 1);
  std::vector<float> weights = random_floats(size_t(shape.out_channels) * shape.in_channels * 9, 2);
  std::vector<float> mean = random_floats(shape.out_channels, 3), variance = random_floats(shape.out_channels, 4);
  std::vector<float> gamma = random_floats(shape.out_channels, 5), beta = random_floats(shape.out_channels, 6);
  for (float& v : variance) v = v * v + 0.5f;

  std::vector<float> want(size_t(shape.out_channels) * half * half, 0.0f);  // 0: the least that ReLU returns
  for (int o = 0; o < shape.out_channels; ++o)
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x) {
        double sum = 0;
        for (int c = 0; c < shape.in_channels; ++c)
          for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) {
              int px = x + dx, py = y + dy;
              if (px >= 0 && px < side && py >= 0 && py < side)
                sum += double(in[(c * side + py) * side + px]) *
                       weights[(o * shape.in_channels + c) * 9 + (dy + 1) * 3 + dx + 1];
            }
        double scaled = (sum - mean[o]) / std::sqrt(double(variance[o]) + 1e-5) * gamma[o] + beta[o];
        float& pooled = want[(o * half + y / 2) * half + x / 2];
        pooled = std::fmax(pooled, float(scaled));
      }

  DeviceArray<float> din(in), dweights(weights), dmean(mean), dvariance(variance), dgamma(gamma), dbeta(beta);
  DeviceArray<float> dout(want.size());
  dout.clear();
  dim3 grid(divide_up(side, kPiece), divide_up(side, kPiece), shape.out_channels), block(kPiece, kPiece);
  conv_norm_relu_pool<<<grid, block>>>(din.data, dweights.data, dmean.data, dvariance.data, dgamma.data, dbeta.data,
                                       dout.data, shape);
  check_kernel();
  Verdict verdict;
  verdict.check("conv + norm + ReLU + pool", dout.to_host(), want, 1e-4);
  return verdict.finish("fused_conv");
}
