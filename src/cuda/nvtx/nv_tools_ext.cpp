// libnvToolsExt: NVTX 2, with which programs are linked. It exports the functions of include/cuda/nvToolsExt.h.
#define WARPWISE_NVTX_FUNCTION extern "C" __attribute__((visibility("default")))
#include <nvToolsExt.h>
