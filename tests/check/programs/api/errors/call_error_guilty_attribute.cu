int main() {
  int value = 0;
  cudaDeviceGetAttribute(&value, (cudaDeviceAttr)9999, 0);  // finds C0509
  cudaDeviceSynchronize();
}
