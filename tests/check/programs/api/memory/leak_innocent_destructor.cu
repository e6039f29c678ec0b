// clean: a global object frees when the program has ended
struct Buffer {
  int* p = nullptr;
  Buffer() { cudaMalloc(&p, 1024); }
  ~Buffer() { cudaFree(p); }
} buffer;
int main() { cudaMemset(buffer.p, 0, 1024); cudaDeviceSynchronize(); }
