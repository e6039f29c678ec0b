__global__ void k() {}
int main() {
  k<<<1, 32, 100000>>>();  // finds C0508
}
