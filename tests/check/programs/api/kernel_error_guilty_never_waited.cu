// finds C0512 anywhere
// options: --only=api --suppress=C0511
__global__ void k() { __trap(); }
int main() {
  k<<<1, 1>>>();
}
