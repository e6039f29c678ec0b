// The runtime API that kernels may call (CUDA programming guide, "CUDA Dynamic Parallelism", API reference): overloads
// for device code of functions that the host also has. nvcc emits calls of these names, so the module that implements
// them (src/exec/device_runtime/device_runtime.cpp) is linked to every module that declares one. Launches from kernels
// are not among them: Clang has no syntax for those.
#pragma once

extern "C" {
__device__ cudaError_t __cudaCDP2GetLastError(void);
__device__ cudaError_t __cudaCDP2PeekAtLastError(void);
__device__ const char* __cudaCDP2GetErrorString(cudaError_t error);
__device__ const char* __cudaCDP2GetErrorName(cudaError_t error);
__device__ cudaError_t __cudaCDP2GetDevice(int* device);
__device__ cudaError_t __cudaCDP2GetDeviceCount(int* count);
__device__ cudaError_t __cudaCDP2Malloc(void** pointer, size_t size);
__device__ cudaError_t __cudaCDP2Free(void* pointer);
__device__ cudaError_t __cudaCDP2MemcpyAsync(void* dst, const void* src, size_t count, cudaMemcpyKind kind, cudaStream_t stream);
__device__ cudaError_t __cudaCDP2MemsetAsync(void* pointer, int value, size_t count, cudaStream_t stream);
__device__ cudaError_t __cudaCDP2Memcpy2DAsync(void* dst, size_t dst_pitch, const void* src, size_t src_pitch, size_t width, size_t height,
                                                cudaMemcpyKind kind, cudaStream_t stream);
__device__ cudaError_t __cudaCDP2Memcpy3DAsync(const cudaMemcpy3DParms* params, cudaStream_t stream);
__device__ cudaError_t __cudaCDP2Memset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream);
__device__ cudaError_t __cudaCDP2Memset3DAsync(cudaPitchedPtr pointer, int value, cudaExtent extent, cudaStream_t stream);
__device__ cudaError_t __cudaCDP2StreamCreateWithFlags(cudaStream_t* stream, unsigned int flags);
__device__ cudaError_t __cudaCDP2StreamDestroy(cudaStream_t stream);
__device__ cudaError_t __cudaCDP2StreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags);
__device__ cudaError_t __cudaCDP2EventCreateWithFlags(cudaEvent_t* event, unsigned int flags);
__device__ cudaError_t __cudaCDP2EventRecord(cudaEvent_t event, cudaStream_t stream);
__device__ cudaError_t __cudaCDP2EventDestroy(cudaEvent_t event);
}

#define WARPWISE_DEVICE_RUNTIME static __device__ inline
WARPWISE_DEVICE_RUNTIME cudaError_t cudaGetLastError() { return __cudaCDP2GetLastError(); }
WARPWISE_DEVICE_RUNTIME cudaError_t cudaPeekAtLastError() { return __cudaCDP2PeekAtLastError(); }
WARPWISE_DEVICE_RUNTIME const char* cudaGetErrorString(cudaError_t error) { return __cudaCDP2GetErrorString(error); }
WARPWISE_DEVICE_RUNTIME const char* cudaGetErrorName(cudaError_t error) { return __cudaCDP2GetErrorName(error); }
WARPWISE_DEVICE_RUNTIME cudaError_t cudaGetDevice(int* device) { return __cudaCDP2GetDevice(device); }
WARPWISE_DEVICE_RUNTIME cudaError_t cudaGetDeviceCount(int* count) { return __cudaCDP2GetDeviceCount(count); }
WARPWISE_DEVICE_RUNTIME cudaError_t cudaMalloc(void** pointer, size_t size) { return __cudaCDP2Malloc(pointer, size); }
template <class T> WARPWISE_DEVICE_RUNTIME cudaError_t cudaMalloc(T** pointer, size_t size) { return __cudaCDP2Malloc((void**)pointer, size); }
WARPWISE_DEVICE_RUNTIME cudaError_t cudaFree(void* pointer) { return __cudaCDP2Free(pointer); }
WARPWISE_DEVICE_RUNTIME cudaError_t cudaMemcpyAsync(void* dst, const void* src, size_t count, cudaMemcpyKind kind, cudaStream_t stream = 0) {
  return __cudaCDP2MemcpyAsync(dst, src, count, kind, stream);
}
WARPWISE_DEVICE_RUNTIME cudaError_t cudaMemsetAsync(void* pointer, int value, size_t count, cudaStream_t stream = 0) {
  return __cudaCDP2MemsetAsync(pointer, value, count, stream);
}
WARPWISE_DEVICE_RUNTIME cudaError_t cudaMemcpy2DAsync(void* dst, size_t dst_pitch, const void* src, size_t src_pitch, size_t width, size_t height,
                                                      cudaMemcpyKind kind, cudaStream_t stream = 0) {
  return __cudaCDP2Memcpy2DAsync(dst, dst_pitch, src, src_pitch, width, height, kind, stream);
}
WARPWISE_DEVICE_RUNTIME cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* params, cudaStream_t stream = 0) {
  return __cudaCDP2Memcpy3DAsync(params, stream);
}
WARPWISE_DEVICE_RUNTIME cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream = 0) {
  return __cudaCDP2Memset2DAsync(pointer, pitch, value, width, height, stream);
}
WARPWISE_DEVICE_RUNTIME cudaError_t cudaMemset3DAsync(cudaPitchedPtr pointer, int value, cudaExtent extent, cudaStream_t stream = 0) {
  return __cudaCDP2Memset3DAsync(pointer, value, extent, stream);
}
WARPWISE_DEVICE_RUNTIME cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) { return __cudaCDP2StreamCreateWithFlags(stream, flags); }
WARPWISE_DEVICE_RUNTIME cudaError_t cudaStreamDestroy(cudaStream_t stream) { return __cudaCDP2StreamDestroy(stream); }
WARPWISE_DEVICE_RUNTIME cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags = 0) {
  return __cudaCDP2StreamWaitEvent(stream, event, flags);
}
WARPWISE_DEVICE_RUNTIME cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) { return __cudaCDP2EventCreateWithFlags(event, flags); }
WARPWISE_DEVICE_RUNTIME cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = 0) { return __cudaCDP2EventRecord(event, stream); }
WARPWISE_DEVICE_RUNTIME cudaError_t cudaEventDestroy(cudaEvent_t event) { return __cudaCDP2EventDestroy(event); }
#undef WARPWISE_DEVICE_RUNTIME
