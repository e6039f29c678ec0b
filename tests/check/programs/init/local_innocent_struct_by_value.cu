// clean: a struct with padding is handed on and given back by value
struct Wide {
  int first;
  double second;
  char third;
};
__device__ __noinline__ Wide twice(Wide w) {
  w.first *= 2;
  return w;
}
__global__ void k(int* out) {
  Wide w{(int)threadIdx.x, threadIdx.x * 0.5, 'a'};
  w = twice(w);
  out[threadIdx.x] = w.first + (int)w.second + w.third;
}
int main() {
  int* out;
  cudaMalloc(&out, 128);
  k<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
