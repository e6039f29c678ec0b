// The way out that forgets.
static int work(int n) {
  double* p;
  cudaMallocManaged(&p, 8 * sizeof(double));  // finds C0501
  if (n < 2) return 0;
  cudaFree(p);
  return 0;
}
int main(int argc, char**) { return work(argc); }
