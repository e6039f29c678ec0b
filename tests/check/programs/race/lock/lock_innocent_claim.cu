// clean: a slot that is claimed for good and filled by its owner is no lock; a maximum by compare-and-swap neither
__global__ void insert(int* keys, int* values, int* highest) {
  int key = blockIdx.x + 1;
  for (int slot = key % 4;; slot = (slot + 1) % 8) {
    if (atomicCAS(keys + slot, 0, key) != 0) continue;
    values[slot] = key * key;
    break;
  }
  int seen = atomicAdd(highest, 0);
  while (seen < key) {
    int found = atomicCAS(highest, seen, key);
    if (found == seen) break;
    seen = found;
  }
}
int main() {
  int* p;
  cudaMalloc(&p, 68);
  cudaMemset(p, 0, 68);
  insert<<<6, 1>>>(p, p + 8, p + 16);
  cudaDeviceSynchronize();
  cudaFree(p);
}
