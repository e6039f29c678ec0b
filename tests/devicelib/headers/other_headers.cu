// The names programs include, and what is in them.
#include <cuComplex.h>
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_device_runtime_api.h>
#include <cuda_fp16.h>
#include <cuda_runtime_api.h>
#include <builtin_types.h>
#include <channel_descriptor.h>
#include <device_atomic_functions.h>
#include <device_functions.h>
#include <device_launch_parameters.h>
#include <driver_types.h>
#include <host_config.h>
#include <host_defines.h>
#include <library_types.h>
#include <math_constants.h>
#include <math_functions.h>
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCudaRt.h>
#include <nvtx3/nvToolsExtMem.h>
#include <nvtx3/nvToolsExtMemCudaRt.h>
#include <sm_20_atomic_functions.h>
#include <sm_30_intrinsics.h>
#include <sm_32_intrinsics.h>
#include <sm_60_atomic_functions.h>
#include <sm_61_intrinsics.h>
#include <surface_types.h>
#include <texture_types.h>
#include <vector_functions.h>
#include <vector_types.h>
__global__ void kernel(cuDoubleComplex* z, cuFloatComplex* c, float* f, dim3 d) {
  z[0] = cuCadd(cuCmul(z[1], z[2]), cuConj(cuCdiv(z[3], make_cuDoubleComplex(1, 2))));
  c[0] = cuCmulf(c[1], c[2]);
  f[0] = cuCabsf(c[0]) + CUDART_PI_F + cuCreal(z[0]) + d.x + dim3(threadIdx).y + dim3(blockDim).z;
  const uint3 t = threadIdx;
  f[1] = t.x;
}
#if !defined(__CUDACC__) || __CUDACC_VER_MAJOR__ != 12 || CUDART_VERSION < 12000
#error "what nvcc defines is missing"
#endif
