// Device code that another file defines: it needs a device link.
extern __device__ int twice(int x);
__global__ void kernel(int* out) { *out = twice(21); }
int main() {
  int *device, host = 0;
  cudaMalloc(&device, sizeof host);
  kernel<<<1, 1>>>(device);
  cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost);
  return host == 42 ? 0 : 1;
}
