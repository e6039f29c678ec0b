// clean: the last element of an array that is a parameter
struct Taps {
  int values[6];
};
__constant__ int offsets[4] = {1, 2, 3, 4};
__global__ void k(Taps taps, int* out) { out[threadIdx.x] = taps.values[threadIdx.x % 6] + offsets[threadIdx.x % 4]; }
int main() {
  int* out;
  cudaMalloc(&out, 512);
  k<<<1, 32>>>(Taps{{1, 2, 3, 4, 5, 6}}, out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
