struct Node {
  int value;
  Node* next;
};
__global__ void k(Node* n, int* out) { *out = n->next->value; }  // finds C0110
int main() {
  Node* n;
  cudaMalloc(&n, sizeof(Node));
  cudaMemset(n, 0, sizeof(Node));
  k<<<1, 1>>>(n, &n->value);
  cudaError_t e = cudaDeviceSynchronize();
  cudaFree(n);
  return e != cudaSuccess && e != cudaErrorIllegalAddress;
}
