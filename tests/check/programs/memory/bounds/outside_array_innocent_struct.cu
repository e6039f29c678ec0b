// clean: members of one variable
struct Pair {
  int a[16], b[16];
};
__device__ Pair pair;
__global__ void k() {
  pair.a[threadIdx.x] = 1;
  pair.b[threadIdx.x] = 2;
}
int main() {
  k<<<1, 16>>>();
  cudaDeviceSynchronize();
}
