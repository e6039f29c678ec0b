// clean
__global__ void k(int* p) {
  if (p) *p = 1;
}
int main() {
  k<<<1, 1>>>(nullptr);
  cudaDeviceSynchronize();
}
