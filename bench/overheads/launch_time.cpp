#include <cuda_runtime_api.h>

#include <chrono>

#include "overheads/overheads.h"

extern "C" const void* bench_empty();

namespace warpwise::bench {

double empty_launch_us() {
  auto launch = [] {
    if (cudaLaunchKernel(bench_empty(), dim3(1), dim3(32), nullptr, 0, nullptr) != cudaSuccess ||
        cudaDeviceSynchronize() != cudaSuccess)
      give_up(std::string("an empty kernel: ") + cudaGetErrorString(cudaGetLastError()));
  };
  for (int i = 0; i < 100; ++i) launch();
  std::vector<double> times;
  for (int i = 0; i < 5000; ++i) {
    auto start = std::chrono::steady_clock::now();
    launch();
    times.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
  }
  return median_of(std::move(times));
}

}  // namespace warpwise::bench
