// A fence before the write makes no signal of it for a thread that only keeps what it reads.
__global__ void hand_over(volatile int* word, int* out) {
  if (blockIdx.x == 0) {
    __threadfence();
    *word = 1;  // finds C0203
  } else {
    *out = *word;  // finds C0203
  }
}
int main() {
  int* word;
  cudaMalloc(&word, 8);
  cudaMemset(word, 0, 8);
  hand_over<<<2, 1>>>(word, word + 1);
  cudaDeviceSynchronize();
  cudaFree(word);
}
