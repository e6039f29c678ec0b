// Pinned memory is the device's, too.
int main() {
  char* p;
  cudaMallocHost(&p, 100);  // finds C0501
  p[0] = 1;
}
