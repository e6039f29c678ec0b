// The driver's functions through the runtime, in a program that is not linked with libcuda and never calls cuInit.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>

int main() {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found = (cudaDriverEntryPointQueryResult)7;
  cudaFree(nullptr);
  std::printf("%s\n", cudaGetErrorName(cudaGetDriverEntryPointByVersion("cuCtxGetCurrent", &function, 12000,
                                                                         cudaEnableDefault, &found)));
  std::printf("%d\n", (int)found);
  CUcontext context = nullptr;
  CUresult result = reinterpret_cast<CUresult (*)(CUcontext*)>(function)(&context);
  std::printf("%d, a context: %d\n", (int)result, context != nullptr);
  std::printf("%s\n", cudaGetErrorName(cudaGetDriverEntryPointByVersion("cuMemAlloc", &function, 12000,
                                                                         cudaEnableDefault, &found)));
  CUdeviceptr address = 0;
  result = reinterpret_cast<CUresult (*)(CUdeviceptr*, size_t)>(function)(&address, 64);
  std::printf("%d, memory: %d\n", (int)result, address != 0);
  std::printf("%s\n", cudaGetErrorName(cudaGetDriverEntryPointByVersion("cuNoSuchFunction", &function, 12000,
                                                                         cudaEnableDefault, &found)));
  std::printf("%d, null: %d\n", (int)found, function == nullptr);
}
