// clean: an array in a struct that is handed on by value
struct Window {
  int values[5];
};
__device__ int sum(Window w, int n) {
  int s = 0;
  for (int i = 0; i < n; ++i) s += w.values[i];
  return s;
}
__global__ void k(int* out, int n) {
  Window w;
  for (int i = 0; i < n; ++i) w.values[i] = i;
  out[threadIdx.x] = sum(w, n);
}
int main() {
  int* out;
  cudaMalloc(&out, 128);
  k<<<1, 32>>>(out, 5);
  cudaDeviceSynchronize();
  cudaFree(out);
}
