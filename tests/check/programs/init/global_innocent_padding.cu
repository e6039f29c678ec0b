// clean: the padding of a struct is copied with it and means nothing
struct Padded {
  char tag;
  int value;
};
__global__ void fill(Padded* p) {
  p[threadIdx.x].tag = 1;
  p[threadIdx.x].value = 2;
}
__global__ void copy(const Padded* from, Padded* to) { to[threadIdx.x] = from[threadIdx.x]; }
int main() {
  Padded *p, *q;
  cudaMalloc(&p, 32 * sizeof(Padded));
  cudaMalloc(&q, 32 * sizeof(Padded));
  fill<<<1, 32>>>(p);
  copy<<<1, 32>>>(p, q);
  cudaDeviceSynchronize();
  cudaFree(p);
  cudaFree(q);
}
