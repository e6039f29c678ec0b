// libnvToolsExt: NVTX 2, which programs are linked with. Its functions are those of our header, exported.
#define WARPWISE_NVTX_FUNCTION extern "C" __attribute__((visibility("default")))
#include <nvToolsExt.h>
