// Device code of two files, linked: functions, variables and virtual functions of the other file.
#include <cuda_runtime.h>

#include <cstdio>

struct Shape;
extern __device__ int twice(int x);
extern __device__ int counter;
extern __device__ Shape* make_square(int side);
extern __device__ int area_of(Shape* shape);
static __device__ int hidden = 7;

int read_counter();
void set_factor(int value);
void launch_part(int* out);

__global__ void in_the_main_file(int* out) {
  out[threadIdx.x] = twice(static_cast<int>(threadIdx.x)) + hidden;
  if (threadIdx.x == 0) {
    counter += 1;
    Shape* square = make_square(6);
    out[32] = area_of(square);
  }
}

int main() {
  int* device = nullptr;
  int host[33] = {};
  cudaMalloc(&device, sizeof host);
  in_the_main_file<<<1, 32>>>(device);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  printf("%d %d %d\n", host[0], host[32], host[2]);
  printf("the counter is %d\n", read_counter());
  set_factor(3);
  launch_part(device);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  printf("%d\n", host[0]);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
