// Kernels that our tool chain compiled, through our CUDA runtime, as a CUDA program would run them.
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "peers/competitor.h"

#define CASE(name) extern "C" const void* bench_##name();
#include "cases/cases.inc"
#undef CASE

namespace warpwise::bench {
namespace {

void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess) give_up(fmt::format("{}: {}", what, cudaGetErrorString(status)));
}

const void* find_kernel(const std::string& kernel) {
#define CASE(name) \
  if (kernel == #name) return bench_##name();
#include "cases/cases.inc"
#undef CASE
  give_up("there is no CUDA kernel " + kernel);
}

class OnWarpwise : public Prepared {
 public:
  OnWarpwise(const void* kernel, const Case& the_case)
      : kernel_(kernel),
        grid_{the_case.grid.x, the_case.grid.y, 1},
        block_{the_case.block.x, the_case.block.y, 1},
        output_(the_case.output),
        output_size_(the_case.buffers[output_].size()),
        buffers_(upload(the_case.buffers)),
        arguments_(buffers_, the_case.scalars) {}
  ~OnWarpwise() override {
    for (void* buffer : buffers_) cudaFree(buffer);
  }
  void run() override {
    check(cudaLaunchKernel(kernel_, grid_, block_, arguments_.places(), 0, nullptr), "cudaLaunchKernel");
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }
  Bytes output() override {
    Bytes bytes(output_size_);
    check(cudaMemcpy(bytes.data(), buffers_[output_], bytes.size(), cudaMemcpyDeviceToHost), "cudaMemcpy");
    return bytes;
  }

 private:
  static std::vector<void*> upload(const std::vector<Bytes>& contents) {
    std::vector<void*> buffers;
    for (const Bytes& bytes : contents) {
      void* buffer = nullptr;
      check(cudaMalloc(&buffer, bytes.size()), "cudaMalloc");
      check(cudaMemcpy(buffer, bytes.data(), bytes.size(), cudaMemcpyHostToDevice), "cudaMemcpy");
      buffers.push_back(buffer);
    }
    return buffers;
  }

  const void* kernel_;
  dim3 grid_, block_;
  size_t output_, output_size_;
  std::vector<void*> buffers_;
  Arguments arguments_;
};

class Warpwise : public Competitor {
 public:
  std::string name() const override { return "Warpwise"; }
  std::string description() const override {
    return fmt::format("Warpwise {}, Clang and LLVM {}", WARPWISE_VERSION, WARPWISE_BENCH_LLVM);
  }
  std::unique_ptr<Prepared> prepare(const std::string& kernel, const Case& the_case) override {
    return std::make_unique<OnWarpwise>(find_kernel(kernel), the_case);
  }
};

}  // namespace

std::unique_ptr<Competitor> open_warpwise() {
  // Read by the runtime when it opens its device, at the first call. What is set from outside stays: another
  // compiler plug-in, say.
  const char* given = std::getenv("WARPWISE_OPTIONS");
  auto options = nlohmann::json::parse(given ? given : "{}", nullptr, /*allow_exceptions=*/false);
  if (!options.is_object()) give_up("WARPWISE_OPTIONS is not a JSON object");
  options["threads"] = kThreads;
  setenv("WARPWISE_OPTIONS", options.dump().c_str(), 1);
  return std::make_unique<Warpwise>();
}

}  // namespace warpwise::bench
