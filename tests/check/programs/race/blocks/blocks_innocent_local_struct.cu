// clean: a local struct is each thread's own, wherever threads of other blocks had theirs
struct Vec {
  float x, y, z;
};
__global__ void k(Vec* out) {
  Vec v = {0.0f, 0.0f, 0.0f};
  v.x = blockIdx.x;
  out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}
int main() {
  Vec* out;
  cudaMalloc(&out, 4 * 64 * sizeof(Vec));
  k<<<4, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
