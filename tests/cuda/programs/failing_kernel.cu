// A kernel that reads memory it must not read: the error arrives where the program waits, is returned by every
// call, and is cleared by a reset.
#include <cstdio>

__global__ void read_far(int* data) { data[threadIdx.x] = data[1 << 28]; }
__global__ void fine(int* data) { data[threadIdx.x] = threadIdx.x; }

#define SHOW(call) std::printf("%s: %s\n", #call, cudaGetErrorName(call))

int main() {
  int* data = nullptr;
  SHOW(cudaMalloc((void**)&data, 32 * sizeof(int)));
  read_far<<<1, 32>>>(data);
  SHOW(cudaGetLastError());
  SHOW(cudaDeviceSynchronize());
  SHOW(cudaGetLastError());
  SHOW(cudaFree(data));
  fine<<<1, 32>>>(data);
  SHOW(cudaPeekAtLastError());
  SHOW(cudaDeviceReset());
  SHOW(cudaGetLastError());
  SHOW(cudaMalloc((void**)&data, 32 * sizeof(int)));
  fine<<<1, 32>>>(data);
  int last = 0;
  SHOW(cudaMemcpy(&last, data + 31, sizeof last, cudaMemcpyDeviceToHost));
  std::printf("%d\n", last);
  return 0;
}
