// options: --with=numbers
// Infinity as the largest number, and one more step from there: the relaxation of a shortest path.
#include <climits>
__global__ void relax(int* distance) {
  int through = distance[threadIdx.x + 1] + 1;  // finds C0604
  if (through < distance[threadIdx.x]) distance[threadIdx.x] = through;
}
int main() {
  int host[33], *distance;
  for (int& d : host) d = INT_MAX;
  host[32] = 0;
  cudaMalloc(&distance, sizeof host);
  cudaMemcpy(distance, host, sizeof host, cudaMemcpyHostToDevice);
  relax<<<1, 1>>>(distance);
  cudaDeviceSynchronize();
  cudaFree(distance);
}
