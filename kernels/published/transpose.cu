// The steps of a published transpose of floats on an H100 (github.com/yencal/gpu-matrix-transpose, whose README has the times), for
// comparison with the model: scripts/model_table.py transpose. The kernels are ours, after the descriptions of the steps.
//
//   naive                        reads rows, writes columns; 32 x 32 threads
//   tile<side, width, rows, pad>  a tile of side x side through shared memory, whose rows are padded by `pad` words; a thread moves `width`
//                                floats at a time, and a block has `rows` rows of threads, so each does side / rows of them
//
//     warpwise profile --device=h100 kernels/published/transpose.cu [n]        n: a multiple of 64; 32768 in the published table
#include "../../examples/common.h"

__global__ void number(float* matrix, int n) {
  size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < size_t(n) * n) matrix[i] = float(i % 16777213);
}

__global__ void naive(const float* __restrict__ in, float* __restrict__ out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n) out[size_t(x) * n + y] = in[size_t(y) * n + x];
}

template <int kWidth>
struct Vector;
template <>
struct Vector<1> { using Type = float; };
template <>
struct Vector<2> { using Type = float2; };
template <>
struct Vector<4> { using Type = float4; };

template <int kSide, int kWidth, int kRows, int kPad>
__global__ void tile(const float* __restrict__ in, float* __restrict__ out, int n) {
  using Word = typename Vector<kWidth>::Type;
  union Piece {
    Word word;
    float each[kWidth];
  };
  __shared__ float part[kSide][kSide + kPad];
  const int column = threadIdx.x * kWidth, from_x = blockIdx.x * kSide, from_y = blockIdx.y * kSide;
#pragma unroll
  for (int j = threadIdx.y; j < kSide; j += kRows) {
    Piece piece;
    piece.word = *reinterpret_cast<const Word*>(&in[size_t(from_y + j) * n + from_x + column]);
#pragma unroll
    for (int k = 0; k < kWidth; ++k) part[j][column + k] = piece.each[k];
  }
  __syncthreads();
#pragma unroll
  for (int j = threadIdx.y; j < kSide; j += kRows) {
    Piece piece;
#pragma unroll
    for (int k = 0; k < kWidth; ++k) piece.each[k] = part[column + k][j];
    *reinterpret_cast<Word*>(&out[size_t(from_x + j) * n + from_y + column]) = piece.word;
  }
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 1, 4096);
  if (n % 64 != 0) return std::fprintf(stderr, "n must be a multiple of 64\n"), 2;
  const size_t count = size_t(n) * n;
  DeviceArray<float> in(count), out(count);
  number<<<unsigned((count + 255) / 256), 256>>>(in.data, n);
  Verdict verdict;
  std::vector<float> row(n);
  auto check = [&](const char* name) {
    check_kernel();
    bool good = true;
    for (int y = 0; y < n; y += n / 8 + 1) {
      CUDA_CHECK(cudaMemcpy(row.data(), out.data + size_t(y) * n, n * sizeof(float), cudaMemcpyDeviceToHost));
      for (int x = 0; x < n; ++x) good = good && row[x] == float((size_t(x) * n + y) % 16777213);
    }
    verdict.check(name, good);
    out.clear();
  };
#define STEP(side, width, rows, pad)                                                                            \
  tile<side, width, rows, pad><<<dim3(n / side, n / side), dim3(side / width, rows)>>>(in.data, out.data, n); \
  check("tile<" #side ", " #width ", " #rows ", " #pad ">")
  naive<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(in.data, out.data, n);
  check("naive");
  STEP(32, 1, 32, 0);
  STEP(32, 1, 32, 1);
  STEP(32, 1, 16, 1);
  STEP(32, 1, 8, 1);
  STEP(32, 1, 4, 1);
  STEP(32, 2, 32, 1);
  STEP(32, 2, 16, 1);
  STEP(32, 2, 8, 1);
  STEP(32, 2, 4, 1);
  STEP(32, 4, 32, 1);
  STEP(32, 4, 16, 1);
  STEP(32, 4, 8, 1);
  STEP(32, 4, 4, 1);
  STEP(64, 2, 32, 1);
  STEP(64, 2, 16, 1);
  STEP(64, 2, 8, 1);
  STEP(64, 4, 32, 1);
  STEP(64, 4, 16, 1);
  STEP(64, 4, 8, 1);
  return verdict.finish("transpose");
}
