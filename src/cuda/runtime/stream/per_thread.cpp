// Programs compiled with --default-stream per-thread call cudaMemcpy_ptds for cudaMemcpy and cudaMemcpyAsync_ptsz for
// cudaMemcpyAsync: the same functions, in which stream 0 means the calling thread's own stream.
#include "cuda/runtime/api.h"
#include "cuda/runtime/stream/streams.h"

using warpwise::cuda::PerThreadDefault;

#pragma GCC visibility push(default)

#define CUDART(...)
#define TWIN(twin, name, result, parameters)              \
  extern "C" result twin(CUDART_PARAMETERS(parameters)) { \
    PerThreadDefault scope;                               \
    return name(CUDART_ARGUMENTS(parameters));            \
  }
#define CUDART_PTSZ(name, group, state, result, parameters) TWIN(name##_ptsz, name, result, parameters)
#define CUDART_PTDS(name, group, state, result, parameters) TWIN(name##_ptds, name, result, parameters)
#define CUDART_13_ABI_PTSZ(name, group, state, result, parameters) \
  TWIN(name##_ptsz_cuda13, name##_cuda13, result, parameters)
#include "cuda/runtime/api.inc"

#pragma GCC visibility pop
