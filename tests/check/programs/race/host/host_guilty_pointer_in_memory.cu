// The kernel gets a list; the host reads a node that only a pointer in the list leads to, and has not waited.
struct Node {
  int value;
  Node* next;
};

__global__ void fill(Node* list) {
  int n = 0;
  for (Node* node = list; node; node = node->next) node->value = ++n;  // finds C0205
}

int main() {
  Node *first, *second;
  cudaMallocManaged(&first, sizeof(Node));
  cudaMallocManaged(&second, sizeof(Node));
  *second = {0, nullptr};
  *first = {0, second};
  fill<<<1, 1>>>(first);
  int value = second->value;  // finds C0205
  cudaDeviceSynchronize();
  cudaFree(first), cudaFree(second);
  return value > 2;
}
