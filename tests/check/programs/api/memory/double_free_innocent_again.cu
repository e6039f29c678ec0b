// clean: the address is a new allocation's
int main() {
  for (int i = 0; i < 10; ++i) {
    int* p;
    cudaMalloc(&p, 4096);
    cudaFree(p);
  }
}
