// A list of which the last kernel frees all but the head.
#include <cstdlib>
struct Node { Node* next; int value; };
__device__ Node* head;
__global__ void build(int n) {
  for (int i = 0; i < n; ++i) {
    Node* node = (Node*)malloc(sizeof(Node));  // finds C0113
    node->next = head;
    node->value = i;
    head = node;
  }
}
__global__ void drop() {
  while (head->next) {
    Node* node = head->next;
    head->next = node->next;
    free(node);
  }
}
int main() {
  build<<<1, 1>>>(5);
  drop<<<1, 1>>>();
  cudaDeviceSynchronize();
}
