// What the examples of docs/advice share: arrays of the device that begin as zeros, and a check that their kernels ran.
#pragma once

#include <cstdio>
#include <cstdlib>

inline void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  std::exit(1);
}

template <class T>
T* zeros(size_t n) {
  T* array = nullptr;
  check(cudaMalloc(&array, n * sizeof(T)));
  check(cudaMemset(array, 0, n * sizeof(T)));
  return array;
}

inline void finish() {
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
}
