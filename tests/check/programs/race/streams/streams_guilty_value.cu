// The value is written before the kernel that it should tell of.
#include <cuda.h>

#include <cstdio>

__global__ void produce(int* x) { x[threadIdx.x] = threadIdx.x; }  // finds C0204
__global__ void consume(const int* x, int* sum) { atomicAdd(sum, x[threadIdx.x]); }  // finds C0204

int main() {
  // The driver's functions, without linking it.
  CUresult (*wait)(cudaStream_t, CUdeviceptr, cuuint32_t, unsigned) = nullptr;
  CUresult (*write)(cudaStream_t, CUdeviceptr, cuuint32_t, unsigned) = nullptr;
  cudaDriverEntryPointQueryResult found;
  cudaGetDriverEntryPointByVersion("cuStreamWaitValue32", reinterpret_cast<void**>(&wait), 12000, 0, &found);
  cudaGetDriverEntryPointByVersion("cuStreamWriteValue32", reinterpret_cast<void**>(&write), 12000, 0, &found);
  int *x, *sum;
  unsigned* flag;
  cudaMalloc(&x, 128), cudaMalloc(&sum, 4), cudaMalloc(&flag, 4);
  cudaMemset(x, 0, 128), cudaMemset(sum, 0, 4), cudaMemset(flag, 0, 4);
  cudaStream_t a, b;
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  cudaDeviceSynchronize();
  const CUdeviceptr word = reinterpret_cast<CUdeviceptr>(flag);
  wait(a, word, 1, CU_STREAM_WAIT_VALUE_GEQ);
  consume<<<1, 32, 0, a>>>(x, sum);
  write(b, word, 1, 0);
  produce<<<1, 32, 0, b>>>(x);
  cudaDeviceSynchronize();
  int total = 0;
  cudaMemcpy(&total, sum, 4, cudaMemcpyDeviceToHost);
  std::printf("%d\n", total);
  cudaFree(x), cudaFree(sum), cudaFree(flag);
  cudaStreamDestroy(a), cudaStreamDestroy(b);
}
