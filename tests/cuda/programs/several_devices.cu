// Several devices in one program. The test asks for four of them; on a machine with fewer GPUs the program says so and ends.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

#define SHOW(call) std::printf("%s -> %s\n", #call, cudaGetErrorName(call))
#define VALUE(text) std::printf("%s = %d\n", #text, static_cast<int>(text))

__device__ int counter = 5;  // each device has its own
__constant__ int step = 1;

__global__ void count(int* seen) { *seen = counter += step; }
__global__ void add(const int* from, int* to) { to[threadIdx.x] += from[threadIdx.x]; }

int main() {
  int devices = 0;
  SHOW(cudaGetDeviceCount(&devices));
  VALUE(devices);
  if (devices < 4) return 0;

  std::printf("[numbers]\n");
  int device = -1;
  char bus0[32], bus3[32];
  cudaDeviceProp properties0, properties3;
  SHOW(cudaSetDevice(4));
  SHOW(cudaSetDevice(-1));
  SHOW(cudaSetDevice(3));
  SHOW(cudaGetDevice(&device));
  VALUE(device);
  SHOW(cudaDeviceGetPCIBusId(bus0, sizeof bus0, 0));
  SHOW(cudaDeviceGetPCIBusId(bus3, sizeof bus3, 3));
  VALUE(std::strcmp(bus0, bus3) != 0);
  SHOW(cudaDeviceGetByPCIBusId(&device, bus3));
  VALUE(device);
  SHOW(cudaGetDeviceProperties(&properties0, 0));
  SHOW(cudaGetDeviceProperties(&properties3, 3));
  VALUE(std::memcmp(&properties0.uuid, &properties3.uuid, sizeof properties0.uuid) != 0);

  std::printf("[variables]\n");
  int* seen[4];
  for (int d = 0; d < 4; ++d) {
    cudaSetDevice(d);
    cudaMalloc(&seen[d], 128);
    int by = d + 1;
    cudaMemcpyToSymbol(step, &by, sizeof by);
    for (int k = 0; k < d + 1; ++k) count<<<1, 1>>>(seen[d]);
  }
  for (int d = 0; d < 4; ++d) {
    int value = 0;
    cudaSetDevice(d);
    cudaMemcpy(&value, seen[d], sizeof value, cudaMemcpyDeviceToHost);
    VALUE(value);  // 5 + (d + 1) * (d + 1)
    cudaMemcpyFromSymbol(&value, counter, sizeof value);
    VALUE(value);
  }

  std::printf("[whose memory]\n");
  cudaPointerAttributes attributes;
  SHOW(cudaPointerGetAttributes(&attributes, seen[2]));
  VALUE(attributes.device);
  SHOW(cudaPointerGetAttributes(&attributes, seen[0]));
  VALUE(attributes.device);

  std::printf("[peers]\n");
  int can = -1;
  cudaSetDevice(0);
  SHOW(cudaDeviceCanAccessPeer(&can, 0, 1));
  VALUE(can);
  SHOW(cudaDeviceCanAccessPeer(&can, 2, 2));
  VALUE(can);
  SHOW(cudaDeviceCanAccessPeer(&can, 0, 4));
  SHOW(cudaDeviceDisablePeerAccess(1));
  SHOW(cudaDeviceEnablePeerAccess(1, 0));
  SHOW(cudaDeviceEnablePeerAccess(1, 0));
  SHOW(cudaDeviceEnablePeerAccess(1, 7));
  SHOW(cudaDeviceEnablePeerAccess(9, 0));
  int *here, *there, numbers[32];
  cudaMalloc(&here, sizeof numbers);
  cudaSetDevice(1);
  cudaMalloc(&there, sizeof numbers);
  for (int i = 0; i < 32; ++i) numbers[i] = i;
  SHOW(cudaMemcpy(there, numbers, sizeof numbers, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpyPeer(here, 0, there, 1, sizeof numbers));
  cudaSetDevice(0);
  add<<<1, 32>>>(there, here);  // reads the other device's memory
  SHOW(cudaDeviceSynchronize());
  SHOW(cudaMemcpy(numbers, here, sizeof numbers, cudaMemcpyDeviceToHost));
  VALUE(numbers[31]);
  SHOW(cudaDeviceDisablePeerAccess(1));
  SHOW(cudaDeviceDisablePeerAccess(1));

  std::printf("[streams]\n");
  SHOW(cudaGetLastError());  // of the refusals above
  cudaStream_t stream;
  SHOW(cudaSetDevice(2));
  SHOW(cudaStreamCreate(&stream));
  count<<<1, 1, 0, stream>>>(seen[2]);
  SHOW(cudaGetLastError());
  cudaSetDevice(1);
  count<<<1, 1, 0, stream>>>(seen[2]);
  SHOW(cudaGetLastError());
  SHOW(cudaStreamSynchronize(stream));
  SHOW(cudaMemcpy(numbers, seen[2], sizeof(int), cudaMemcpyDeviceToHost));
  VALUE(numbers[0]);

  std::printf("[reset]\n");
  SHOW(cudaDeviceReset());  // of device 1: the others keep what they have
  cudaSetDevice(0);
  SHOW(cudaMemcpy(numbers, here, sizeof numbers, cudaMemcpyDeviceToHost));
  VALUE(numbers[31]);
  for (int d = 0; d < 4; ++d) {
    cudaSetDevice(d);
    cudaDeviceReset();
  }
  cudaSetDevice(0);
  int value = 0;
  SHOW(cudaMemcpyFromSymbol(&value, counter, sizeof value));
  VALUE(value);
}
