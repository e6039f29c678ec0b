// Two owners of one pointer.
struct Owner {
  int* p;
  ~Owner() { cudaFree(p); }  // finds C0502
};
int main() {
  {
    Owner a{nullptr};
    cudaMalloc(&a.p, 64);
    Owner b = a;
  }
  cudaGetLastError();
}
