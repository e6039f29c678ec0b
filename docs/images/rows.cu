// The program in README's picture (scripts/readme_picture.py): it prints the right answer, and races.
#include <cstdio>

__global__ void differences(const int* in, int* out) {
  __shared__ int tile[256];  // 8 rows of 32
  int i = threadIdx.x;
  tile[i] = in[i];
  out[i] = i < 32 ? tile[i] : tile[i] - tile[i - 32];
}

int main() {
  int *in, *out, right = 0;
  cudaMallocManaged(&in, 256 * sizeof(int));
  cudaMallocManaged(&out, 256 * sizeof(int));
  for (int i = 0; i < 256; ++i) in[i] = i;
  differences<<<1, 256>>>(in, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 256; ++i) right += out[i] == (i < 32 ? i : 32);
  printf("%d of 256 right\n", right);
  cudaFree(in);
  cudaFree(out);
}
