#include <cstdio>

__global__ void keep(const int* in, const int* place, int* out, int n) {
  int t = threadIdx.x;
  if (t < n && place[t] != (t ? place[t - 1] : 0)) out[place[t] - 1] = in[t];
}

__global__ void inclusive_scan(const int* in, int* place, int n) {
  int t = threadIdx.x;
  int sum = t < n && in[t] > 0;
  for (int step = 1; step < 32; step *= 2) {
    int before = __shfl_up_sync(0xffffffff, sum, step);
    if (t >= step) sum += before;
  }
  if (t < n) place[t] = sum;
}

int main() {
  const int in[] = {2, -1, 5, 0, 7, 8};
  int *values, *place, *kept, out[4];
  cudaMalloc(&values, sizeof in);
  cudaMalloc(&place, sizeof in);
  cudaMalloc(&kept, sizeof out);
  cudaMemcpy(values, in, sizeof in, cudaMemcpyHostToDevice);
  inclusive_scan<<<1, 32>>>(values, place, 6);
  keep<<<1, 32>>>(values, place, kept, 6);
  cudaMemcpy(out, kept, sizeof out, cudaMemcpyDeviceToHost);
  for (int* p : {values, place, kept}) cudaFree(p);
  std::printf("%d %d %d %d\n", out[0], out[1], out[2], out[3]);
}
