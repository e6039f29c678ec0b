// also by nvcc
// clean: objects are copied with members that were never set
struct Node {
  float value;
  int next;
  double rest[2];
};
__global__ void k(const float* in, float* out, int n) {
  int i = threadIdx.x;
  Node a, b;
  a.value = in[i];
  if (i < n) a.next = i;
  b = a;
  ((Node*)(out))[i] = b;
}
int main() {
  float *in, *out;
  cudaMalloc(&in, 128);
  cudaMemset(in, 0, 128);
  cudaMalloc(&out, 32 * 24);
  k<<<1, 32>>>(in, out, 8);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
