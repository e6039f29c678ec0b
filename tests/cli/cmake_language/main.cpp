#include <cuda_runtime.h>

#include <cstdio>

#include "scale.h"

int main() {
  float x[300];
  for (int i = 0; i < 300; ++i) x[i] = float(i);
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices < 1) return 1;
  if (scale(x, 300)) return 2;
  for (int i = 0; i < 300; ++i)
    if (x[i] != FACTOR * float(i)) return 3;
  std::printf("factor %d\n", FACTOR);
}
