// Many threads count with one word of memory: a plain increment loses counts, an atomic one does not.
//
// `*counter = *counter + 1` is a load, an addition and a store; two threads that load the same value
// store the same sum. The racy count is printed, not judged: on any machine it may be any number from 1
// to the right one.
//
//     warpwise run examples/counter.cu [blocks] [threads]
#include "common.h"

__global__ void count_racy(int* counter) { *counter = *counter + 1; }

__global__ void count_atomic(int* counter) { atomicAdd(counter, 1); }

int main(int argc, char** argv) {
  int blocks = argument(argc, argv, 1, 64), threads = argument(argc, argv, 2, 256);
  int want = blocks * threads;
  DeviceArray<int> counter(1);

  counter.clear();
  count_racy<<<blocks, threads>>>(counter.data);
  check_kernel();
  int racy = counter.to_host()[0];

  counter.clear();
  count_atomic<<<blocks, threads>>>(counter.data);
  check_kernel();
  int atomic = counter.to_host()[0];

  std::printf("  %d threads counted; without atomics %d, with atomics %d\n", want, racy, atomic);
  Verdict verdict;
  verdict.check("racy count is possible", racy >= 1 && racy <= want);
  verdict.check("atomic count is exact", atomic == want);
  return verdict.finish("counter");
}
