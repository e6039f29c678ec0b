// Output and assertions end as the system calls of a device.
// has: vprintf
// has: __assertfail
#include <cassert>
#include <cstdio>
__global__ void say(const int* x) {
  printf("thread %d of block %u: %f %s\n", threadIdx.x, blockIdx.x, x[0] * 0.5, "text");
  printf("no arguments\n");
  assert(x[0] > 0 && "positive");
}
int main() {
  printf("%d\n", 3);
  assert(true);
}
