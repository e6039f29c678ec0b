// An error in a variable that is never read is not checked: the compiler drops it.
int main() {
  int device = 7;
  cudaSetDevice(device);  // finds C0509
  cudaFree(nullptr);
}
