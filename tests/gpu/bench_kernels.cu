// The benchmark's kernels (bench/kernels) as one program, with the sizes of bench/cases, for a real GPU and for the
// model:
//
//     nvcc -O3 -arch=native -o bench_kernels tests/gpu/bench_kernels.cu && ./bench_kernels        times by events,
//     medians of 20 warpwise profile --device=h200 tests/gpu/bench_kernels.cu -- 1                               what
//     the model says (one run each)
//
// Answers are not checked: bench_peers does that.
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

namespace sgemm_naive_ {
#include "../../bench/kernels/sgemm_naive.cu"
}
namespace sgemm_tiled_ {
#include "../../bench/kernels/sgemm_tiled.cu"
}
namespace saxpy_ {
#include "../../bench/kernels/saxpy.cu"
}
namespace block_sum_ {
#include "../../bench/kernels/block_sum.cu"
}
namespace mandelbrot_ {
#include "../../bench/kernels/mandelbrot.cu"
}
namespace transpose_naive_ {
#include "../../bench/kernels/transpose_naive.cu"
}
namespace transpose_tiled_ {
#include "../../bench/kernels/transpose_tiled.cu"
}
namespace softmax_ {
#include "../../bench/kernels/softmax.cu"
}
namespace histogram_global_ {
#include "../../bench/kernels/histogram_global.cu"
}
namespace histogram_shared_ {
#include "../../bench/kernels/histogram_shared.cu"
}
namespace n_body_ {
#include "../../bench/kernels/n_body.cu"
}
namespace stencil_ {
#include "../../bench/kernels/stencil.cu"
}
namespace scan_ {
#include "../../bench/kernels/scan.cu"
}

#define CUDA_CHECK(call)                                                                    \
  do {                                                                                      \
    cudaError_t status_ = (call);                                                           \
    if (status_ != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status_)); \
      std::exit(2);                                                                         \
    }                                                                                       \
  } while (0)

int main(int argc, char** argv) {
  const int runs = argc > 1 ? std::max(1, std::atoi(argv[1])) : 20;
  constexpr int n = 1 << 24;
  float *x, *y;
  unsigned char* bytes;
  unsigned* bins;
  CUDA_CHECK(cudaMalloc(&x, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&y, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&bytes, n));
  CUDA_CHECK(cudaMalloc(&bins, 256 * sizeof(unsigned)));
  std::mt19937 random(1);
  std::vector<float> floats(n);
  for (float& f : floats) f = float(random() >> 8) / float(1 << 23) - 1;
  std::vector<unsigned char> some(n);
  for (unsigned char& b : some) b = (unsigned char)(random() >> 24);
  CUDA_CHECK(cudaMemcpy(bytes, some.data(), n, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemset(bins, 0, 256 * sizeof(unsigned)));
  cudaEvent_t begin, end;
  CUDA_CHECK(cudaEventCreate(&begin));
  CUDA_CHECK(cudaEventCreate(&end));

  auto time = [&](const char* name, auto launch) {
    CUDA_CHECK(cudaMemcpy(x, floats.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(y, floats.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    std::vector<float> times;
    for (int run = 0; run < runs + (runs > 1); ++run) {
      CUDA_CHECK(cudaEventRecord(begin));
      launch();
      CUDA_CHECK(cudaEventRecord(end));
      CUDA_CHECK(cudaEventSynchronize(end));
      CUDA_CHECK(cudaGetLastError());
      float ms;
      CUDA_CHECK(cudaEventElapsedTime(&ms, begin, end));
      times.push_back(ms);
    }
    std::sort(times.begin(), times.end());
    std::printf("%-18s %10.2f us\n", name, times[times.size() / 2] * 1e3);
  };
  const dim3 flat(32, 8);
  time("sgemm_naive",
       [&] { sgemm_naive_::sgemm_naive<<<dim3(1024 / 32, 1024 / 8), flat>>>(x, x + (1 << 20), y, 1024); });
  time("sgemm_tiled",
       [&] { sgemm_tiled_::sgemm_tiled<<<dim3(1024 / 16, 1024 / 16), dim3(16, 16)>>>(x, x + (1 << 20), y, 1024); });
  time("saxpy", [&] { saxpy_::saxpy<<<n / 256, 256>>>(x, y, 1.25f, n); });
  time("block_sum", [&] { block_sum_::block_sum<<<n / 256, 256>>>(x, y, n); });
  time("mandelbrot",
       [&] { mandelbrot_::mandelbrot<<<dim3(1024 / 32, 1024 / 8), flat>>>((int*)y, 1024, 1024, 3.0f / 1024, 256); });
  time("transpose_naive", [&] { transpose_naive_::transpose_naive<<<dim3(4096 / 32, 4096 / 8), flat>>>(x, y, 4096); });
  time("transpose_tiled", [&] { transpose_tiled_::transpose_tiled<<<dim3(4096 / 32, 4096 / 32), flat>>>(x, y, 4096); });
  time("softmax", [&] { softmax_::softmax<<<4096, 256>>>(x, y, 1024); });
  time("histogram_global", [&] { histogram_global_::histogram_global<<<n / 256, 256>>>(bytes, bins, n); });
  time("histogram_shared", [&] { histogram_shared_::histogram_shared<<<1024, 256>>>(bytes, bins, n); });
  time("n_body", [&] { n_body_::n_body<<<16384 / 256, 256>>>((const float4*)x, (float4*)y, 16384, 0.01f); });
  time("stencil", [&] { stencil_::stencil<<<dim3(4096 / 32, 4096 / 8), flat>>>(x, y, 4096, 4096, 0.5f, 0.125f); });
  time("scan", [&] { scan_::scan<<<n / 256, 256>>>((const int*)x, (int*)y, n); });
  return 0;
}
