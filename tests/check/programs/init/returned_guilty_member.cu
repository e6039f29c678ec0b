// A view keeps the address of what stood in the function that made it.
struct View {
  const float* data;
  int size;
};
__device__ View make(int n) {
  float values[8];
  for (int i = 0; i < 8; ++i) values[i] = i * n;
  View view{values, 8};
  return view;
}
__device__ float sum(const View& view) {
  float s = 0;
  for (int i = 0; i < view.size; ++i) s += view.data[i];  // finds C0303
  return s;
}
__global__ void k(int* out) {
  const View view = make(threadIdx.x);
  out[threadIdx.x] = int(sum(view));
}

int main() {
  int* out;
  cudaMalloc(&out, 128);
  k<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
