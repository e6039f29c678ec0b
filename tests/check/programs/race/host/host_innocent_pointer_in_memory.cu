// The host reads what no kernel touches, although a pointer leads there; and the rest when it has waited.
// clean
struct Node {
  int value;
  Node* next;
};

__global__ void fill(Node* list) { list->value = 1; }

int main() {
  Node *first, *second;
  cudaMallocManaged(&first, sizeof(Node));
  cudaMallocManaged(&second, sizeof(Node));
  *second = {2, nullptr};
  *first = {0, second};
  fill<<<1, 1>>>(first);
  int value = second->value;
  second->value = 3;
  cudaDeviceSynchronize();
  value += first->value;
  cudaFree(first), cudaFree(second);
  return value != 3;
}
