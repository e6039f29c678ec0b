// clean: it waits; and what lies on the same pages as registered memory is the host's alone
#include <cstdio>
#include <cstdlib>
__global__ void squares(int* x, int* mapped) { x[threadIdx.x] = mapped[threadIdx.x] = threadIdx.x * threadIdx.x; }
struct Data {
  int before[1000];
  int registered[5000];
  int behind[1000];
};
int main() {
  Data* data = new Data();
  int *x, *mapped;
  cudaHostRegister(data->registered, sizeof data->registered, cudaHostRegisterMapped);
  cudaHostGetDevicePointer(&mapped, data->registered, 0);
  cudaMalloc(&x, 20000);
  cudaMemset(x, 0, 20000);
  for (int round = 0; round < 2; ++round) {
    squares<<<1, 256>>>(x, mapped);
    data->before[999] = data->behind[0] = round;  // beside the kernel, on its pages
    cudaDeviceSynchronize();
    std::printf("%d\n", data->registered[3]);
    cudaMemcpyAsync(data->registered, x, 20000, cudaMemcpyDeviceToHost);
    cudaDeviceSynchronize();
    std::printf("%d\n", data->registered[4000]);
    data->registered[4000] = 1;
    cudaMemcpyAsync(x, data->registered, 20000, cudaMemcpyHostToDevice);
    std::printf("%d\n", data->registered[4000]);  // both read
    cudaDeviceSynchronize();
  }
  cudaHostUnregister(data->registered);
  delete data;
  cudaFree(x);
}
