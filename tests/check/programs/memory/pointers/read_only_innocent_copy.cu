// clean: a copy of a parameter may be changed
struct State {
  int values[4];
};
__global__ void k(State s, int* out) {
  for (int i = 0; i < 4; ++i) s.values[i] += threadIdx.x;
  out[threadIdx.x] = s.values[0] + s.values[3];
}
int main() {
  int* out;
  cudaMalloc(&out, 512);
  k<<<1, 32>>>(State{{1, 2, 3, 4}}, out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
