// What the examples of docs/advice share: device arrays that begin as zeros, and a check that the kernels ran. An example
// that prints results prints the same before and after.
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

// Eight rows of a matrix, each with a value of its own.
inline void fill_rows(float* matrix, size_t row_length) {
  for (int row = 0; row < 8; ++row) check(cudaMemset(matrix + row * row_length, 0x38 + row, row_length * sizeof(float)));
}

// Four digits: the order of additions may differ.
inline void print(const float* array, int n) {
  for (int i = 0; i < n; ++i) {
    float value;
    check(cudaMemcpy(&value, array + i, sizeof value, cudaMemcpyDeviceToHost));
    std::printf("%.4g\n", value);
  }
}
