// Two functions call each other, and the tree is deeper than the stack.
struct Node {
  Node *left, *right;
  int value;
};
__device__ int odd(const Node* n);
__device__ __noinline__ int even(const Node* n) {  // finds C0109
  volatile int path[32];
  path[n->value & 31] = n->value;
  return path[n->value & 31] + (n->left ? odd(n->left) : 0);
}
__device__ __noinline__ int odd(const Node* n) { return n->right ? even(n->right) : 0; }
__global__ void k(Node* n, int* out) {
  n->left = n->right = n;
  n->value = 1;
  *out = even(n);
}
int main() {
  Node* n;
  int* out;
  cudaMalloc(&n, sizeof *n);
  cudaMalloc(&out, 4);
  k<<<1, 1>>>(n, out);
  cudaError_t e = cudaDeviceSynchronize();
  cudaFree(n);
  cudaFree(out);
  return e == cudaSuccess;
}
