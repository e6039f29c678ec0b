// The functions of the CUDA libraries and whether Warpwise has them, for lists and for `run --what-is-missing`.
#pragma once

#include <span>
#include <string_view>

namespace warpwise::cli {

struct CudaFunction {
  std::string_view library;  // "runtime", "driver", "nvrtc", "nvJitLink"
  std::string_view name;     // of the symbol: "cuMemAlloc_v2"
  std::string_view group;    // chapter of CUDA's manual
  bool ready = false;
};

// In the order of the manuals; without what only compilers call.
std::span<const CudaFunction> all_cuda_functions();

// The function behind a symbol, also of its twin for a default stream per thread (cudaMemcpy_ptds); null when no
// library of ours has it.
const CudaFunction* find_cuda_function(std::string_view symbol);

}  // namespace warpwise::cli
