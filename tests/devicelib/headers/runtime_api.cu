// The runtime API's C++ conveniences: typed pointers, kernels as arguments, symbols, launch attributes, graphs.
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
__constant__ float coefficients[16];
__device__ int counter;
__managed__ int both;
__global__ void kernel(const float* x, float* y, int n) { if (threadIdx.x < n) y[threadIdx.x] = x[0] * coefficients[1] + counter + both; }
struct Big { int v[64]; };
__global__ void by_value(const __grid_constant__ Big b, int* out) { out[threadIdx.x] = b.v[threadIdx.x]; }
static_assert(sizeof(cudaDeviceProp) == 1032 && sizeof(cudaLaunchAttribute) == 72 && sizeof(cudaLaunchConfig_t) == 56, "the ABI of CUDA 12");
static_assert(sizeof(cudaMemcpy3DParms) == 160 && sizeof(cudaFuncAttributes) == 128 + 16 && sizeof(cudaTextureDesc) == 72, "the ABI of CUDA 12");
static_assert(alignof(float4) == 16 && sizeof(float3) == 12 && alignof(double4) == 16 && alignof(char2) == 2, "vector types");
static_assert(cudaErrorIllegalAddress == 700 && cudaErrorInvalidValue == 1 && cudaErrorNotReady == 600, "error codes");
int main() {
  float *x, *y, *host;
  int* managed;
  size_t pitch, size, free, total;
  cudaStream_t stream;
  cudaEvent_t start, stop;
  cudaMalloc(&x, 64), cudaMallocHost(&host, 64), cudaMallocManaged(&managed, 64), cudaMallocPitch(&y, &pitch, 64, 4), cudaMallocAsync(&y, 64, stream);
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaEventCreate(&start), cudaEventCreateWithFlags(&stop, cudaEventDisableTiming);
  cudaMemcpyToSymbol(coefficients, host, 64), cudaMemcpyFromSymbol(host, counter, 4), cudaGetSymbolAddress(&managed, counter), cudaGetSymbolSize(&size, coefficients);
  cudaMemcpy(x, host, 64, cudaMemcpyHostToDevice), cudaMemcpyAsync(x, host, 64, cudaMemcpyDefault, stream), cudaMemset(x, 0, 64), cudaMemGetInfo(&free, &total);
  both = 3;
  kernel<<<1, 32, 0, stream>>>(x, y, both);
  by_value<<<1, 64>>>(Big{}, managed);
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {2, 1, 1};
  cudaLaunchConfig_t config = {};
  config.gridDim = 4, config.blockDim = dim3(32, 2), config.attrs = &attribute, config.numAttrs = 1;
  cudaLaunchKernelEx(&config, kernel, x, y, 3);
  int n = 3;
  void* arguments[] = {&x, &y, &n};
  cudaLaunchKernel(kernel, dim3(1), dim3(32), arguments), cudaLaunchCooperativeKernel((void*)kernel, dim3(1), dim3(32), arguments);
  int blocks, threads;
  cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, kernel), cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 128, 0);
  cudaOccupancyMaxPotentialBlockSizeVariableSMem(&blocks, &threads, kernel, [](int size) { return size_t(size) * 4; });
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, kernel), cudaFuncSetCacheConfig(kernel, cudaFuncCachePreferL1);
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0), cudaDeviceGetAttribute(&n, cudaDevAttrMultiProcessorCount, 0);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaStreamEndCapture(stream, &graph), cudaGraphInstantiate(&exec, graph, 0), cudaGraphLaunch(exec, stream);
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float4>();
  cudaExtent extent = make_cudaExtent(1, 2, 3);
  cudaProfilerStart(), cudaProfilerStop();
  float ms;
  cudaEventElapsedTime(&ms, start, stop);
  const char* text = cudaGetErrorString(cudaGetLastError());
  return cudaDeviceSynchronize() + format.x + static_cast<int>(extent.width) + (text != nullptr);
}
