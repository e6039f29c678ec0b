// Programs compiled with a default stream per thread call cuMemcpyHtoD_v2_ptds for cuMemcpyHtoD and cuMemcpyAsync_ptsz
// for cuMemcpyAsync: the same functions, in which stream 0 means the calling thread's own stream.
#include "cuda/driver/api.h"
#include "cuda/runtime/stream/streams.h"

using warpwise::cuda::PerThreadDefault;

#define TWIN(twin, symbol, parameters, arguments) \
  CUresult twin parameters {                      \
    PerThreadDefault scope;                       \
    return symbol arguments;                      \
  }
#define DRIVER(...)
#define DRIVER_PTSZ(symbol, name, since, group, state, parameters, arguments) \
  TWIN(symbol##_ptsz, symbol, parameters, arguments)
#define DRIVER_PTDS(symbol, name, since, group, state, parameters, arguments) \
  TWIN(symbol##_ptds, symbol, parameters, arguments)
#include "warpwise/driver_api.inc"
