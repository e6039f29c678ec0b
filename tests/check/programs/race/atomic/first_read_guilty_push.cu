// The head of a list is read plainly before it is exchanged.
__global__ void push(int* head, int* next) {
  int me = blockIdx.x;
  int first = *head;  // finds C0210
  for (;;) {
    next[me] = first;
    int seen = atomicCAS(head, first, me);  // finds C0210
    if (seen == first) break;
    first = seen;
  }
}
int main() {
  int *head, *next;
  cudaMalloc(&head, 4);
  cudaMemset(head, 0xff, 4);
  cudaMalloc(&next, 32);
  push<<<8, 1>>>(head, next);
  cudaDeviceSynchronize();
  cudaFree(head);
  cudaFree(next);
}
