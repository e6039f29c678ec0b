// The runtime starts the driver for its own use: a program that has called the runtime for anything about devices may
// use the driver
// without cuInit. A context becomes current only with the first call that needs one.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>

#define SHOW(call)                            \
  do {                                        \
    const char* name_ = "not an error";       \
    cuGetErrorName((call), &name_);           \
    std::printf("%s -> %s\n", #call, name_);  \
  } while (0)

int main() {
  CUdevice device;
  CUcontext current = nullptr;
  int count = 0;
  SHOW(cuDeviceGet(&device, 0));
  std::printf("cudaGetDeviceCount -> %s\n", cudaGetErrorName(cudaGetDeviceCount(&count)));
  SHOW(cuDeviceGet(&device, 0));
  SHOW(cuCtxGetCurrent(&current));
  std::printf("a context: %d\n", current != nullptr);
  std::printf("cudaFree(nullptr) -> %s\n", cudaGetErrorName(cudaFree(nullptr)));
  SHOW(cuCtxGetCurrent(&current));
  std::printf("a context: %d\n", current != nullptr);
}
