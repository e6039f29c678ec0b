// options: --with=outputs
// The host may write managed and pinned memory, which is not seen; and nothing is no output.
// clean
int main() {
  int *managed, *pinned, *nothing;
  cudaMallocManaged(&managed, 64);
  cudaMallocHost(&pinned, 64);
  cudaMalloc(&nothing, 0);
  *managed = *pinned = 1;
  cudaFree(managed);
  cudaFreeHost(pinned);
  cudaFree(nothing);
}
