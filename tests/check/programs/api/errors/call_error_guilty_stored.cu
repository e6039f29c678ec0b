// Kept in a variable that nobody reads is not looked at; the compiler drops it.
int main() {
  int device = 7;
  cudaSetDevice(device);  // finds C0509
  cudaFree(nullptr);
}
