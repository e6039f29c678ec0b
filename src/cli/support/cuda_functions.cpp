#include "cli/support/cuda_functions.h"

#include <string>
#include <unordered_map>

namespace warpwise::cli {

namespace {

constexpr bool kReady = true, kMissing = false;

constexpr CudaFunction kFunctions[] = {
#define CUDART(name, group, state, result, parameters) {"runtime", #name, #group, k##state},
#define CUDART_COMPILER(...)
#define CUDART_COMPILER_PTSZ(...)
#define CUDART_12(...)
#define CUDART_12_PTSZ(...)
#define CUDART_13_ABI(...) CUDART(__VA_ARGS__)
#define CUDART_OPAQUE(name, group) {"runtime", #name, #group, kMissing},
#include "cuda/runtime/api.inc"
#define DRIVER(symbol, name, since, group, state, parameters) {"driver", #symbol, #group, k##state},
#define DRIVER_OPAQUE(symbol, name, since, group) {"driver", #symbol, #group, kMissing},
#include "../include/cuda/warpwise/driver_api.inc"
#define NVRTC(result, name, parameters) {"nvrtc", #name, "Compilation", kReady},
#include "../include/cuda/warpwise/nvrtc_api.inc"
#undef NVRTC
#define NVJITLINK(name, parameters) {"nvJitLink", #name, "Linking", kReady},
#include "../include/cuda/warpwise/nvjitlink_api.inc"
#undef NVJITLINK
};

// What compilers and programs of CUDA 12 call beside those.
constexpr CudaFunction kOthers[] = {
#define CUDART(...)
#define CUDART_COMPILER(name, group, state, result, parameters) {"runtime", #name, #group, k##state},
#define CUDART_12(name, group, state, result, parameters) {"runtime", #name, #group, k##state},
#include "cuda/runtime/api.inc"
};

std::unordered_map<std::string_view, const CudaFunction*> by_symbol() {
  std::unordered_map<std::string_view, const CudaFunction*> all;
  for (const CudaFunction& function : kOthers) all.emplace(function.name, &function);
  for (const CudaFunction& function : kFunctions) all.emplace(function.name, &function);
  return all;
}

}  // namespace

std::span<const CudaFunction> all_cuda_functions() { return kFunctions; }

const CudaFunction* find_cuda_function(std::string_view symbol) {
  static const auto all = by_symbol();
  if (auto found = all.find(symbol); found != all.end()) return found->second;
  if (symbol.ends_with("_ptsz") || symbol.ends_with("_ptds"))
    return find_cuda_function(symbol.substr(0, symbol.size() - 5));
  return nullptr;
}

}  // namespace warpwise::cli
