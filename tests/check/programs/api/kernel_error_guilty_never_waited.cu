// finds C0512 anywhere
// options: --suppress=C0511
__global__ void k() { __trap(); }
int main() {
  k<<<1, 1>>>();
}
