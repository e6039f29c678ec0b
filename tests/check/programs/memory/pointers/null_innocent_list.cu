// clean: the end of a list
struct Node {
  Node* next;
  int value;
};
__global__ void make(Node* nodes) { nodes[threadIdx.x] = {threadIdx.x < 7 ? nodes + threadIdx.x + 1 : nullptr, (int)threadIdx.x}; }
__global__ void sum(const Node* first, int* out) {
  int s = 0;
  for (const Node* n = first; n; n = n->next) s += n->value;
  out[0] = s;
}
int main() {
  int* out;
  cudaMalloc(&out, 512);
  Node* nodes;
  cudaMalloc(&nodes, 8 * sizeof *nodes);
  make<<<1, 8>>>(nodes);
  sum<<<1, 1>>>(nodes, out);
  cudaFree(nodes);
  cudaDeviceSynchronize();
  cudaFree(out);
}
