// The pointer is overwritten: of three buffers one is freed. One finding, two allocations.
// does not say: templates.h
int main() {
  float* p = nullptr;
  for (int i = 0; i < 3; ++i) cudaMalloc(&p, 64);  // finds C0501
  cudaFree(p);
}
