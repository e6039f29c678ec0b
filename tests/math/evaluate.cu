// Evaluates every row of rows.inc on the device: evaluate COUNT [FILE].
//
// For each row: its name and a checksum of COUNT results; into FILE their bits, for compare.cpp. The same program
// runs on the virtual GPU, where not a bit may differ from the reference, and built by nvcc on a real one.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "inputs.h"

#ifndef WW_GROUP
#define WW_GROUP 1
#endif

using warpwise::math::Kind;
typedef double f64;
typedef float f32;
typedef __half f16;
typedef __nv_bfloat16 bf16;
typedef long long i64;
typedef unsigned long long u64;
typedef int i32;
typedef unsigned u32;

template <class T> __device__ T of_bits(u64 bits);
template <> __device__ f64 of_bits<f64>(u64 b) { return __longlong_as_double(static_cast<i64>(b)); }
template <> __device__ f32 of_bits<f32>(u64 b) { return __uint_as_float(static_cast<u32>(b)); }
template <> __device__ f16 of_bits<f16>(u64 b) { return __ushort_as_half(static_cast<unsigned short>(b)); }
template <> __device__ bf16 of_bits<bf16>(u64 b) { return __ushort_as_bfloat16(static_cast<unsigned short>(b)); }
template <> __device__ i64 of_bits<i64>(u64 b) { return static_cast<i64>(b); }
template <> __device__ u64 of_bits<u64>(u64 b) { return b; }
template <> __device__ i32 of_bits<i32>(u64 b) { return static_cast<i32>(b); }
template <> __device__ u32 of_bits<u32>(u64 b) { return static_cast<u32>(b); }
__device__ u64 to_bits(f64 v) { return static_cast<u64>(__double_as_longlong(v)); }
__device__ u64 to_bits(f32 v) { return __float_as_uint(v); }
__device__ u64 to_bits(f16 v) { return __half_as_ushort(v); }
__device__ u64 to_bits(bf16 v) { return __bfloat16_as_ushort(v); }
__device__ u64 to_bits(i64 v) { return static_cast<u64>(v); }
__device__ u64 to_bits(u64 v) { return v; }
__device__ u64 to_bits(i32 v) { return static_cast<u32>(v); }
__device__ u64 to_bits(u32 v) { return v; }

// For a function that returns one value and stores another through a pointer: the one, and the other. For a function
// that stores two: the first.
template <class F, class R, class P> __device__ P stored_by(R (F::*)(P*) const);
template <class T, class F> __device__ T first_of(F f) {
  decltype(stored_by(&F::operator())) stored;
  return f(&stored);
}
template <class T, class F> __device__ T second_of(F f) {
  T stored;
  f(&stored);
  return stored;
}
template <class T, class F> __device__ T first_of_two(F f) {
  T first, second;
  f(&first, &second);
  return first;
}
template <class T, class F> __device__ T of_three(T x, T y, T z, F f) {
  const T p[3] = {x, y, z};
  return f(p);
}
// Pairs of 16-bit numbers as words.
__device__ half2 half2_of(u32 word) {
  return __halves2half2(__ushort_as_half(static_cast<unsigned short>(word)), __ushort_as_half(static_cast<unsigned short>(word >> 16)));
}
__device__ u32 word_of(half2 pair) { return __half_as_ushort(__low2half(pair)) | static_cast<u32>(__half_as_ushort(__high2half(pair))) << 16; }

// A row's expression as a function of index i of the arguments, which lie one array behind another.
#define ROW1(...) ROW1_(__VA_ARGS__)  // one more step, so that names are expanded before they are pasted
#define ROW2(...) ROW2_(__VA_ARGS__)
#define ROW3(...) ROW3_(__VA_ARGS__)
#define ROW1_(R, A, name, device, host)                                                            \
  struct Row_##name {                                                                              \
    __device__ static R of(A x) { return device; }                                                 \
    __device__ static u64 at(const u64* in, int, int i) { return to_bits(of(of_bits<A>(in[i]))); } \
  };
#define ROW2_(R, A, B, name, device, host)                                                         \
  struct Row_##name {                                                                              \
    __device__ static R of(A x, B y) { return device; }                                            \
    __device__ static u64 at(const u64* in, int n, int i) { return to_bits(of(of_bits<A>(in[i]), of_bits<B>(in[n + i]))); } \
  };
#define ROW3_(R, A, B, C, name, device, host)                                                      \
  struct Row_##name {                                                                              \
    __device__ static R of(A x, B y, C z) { return device; }                                       \
    __device__ static u64 at(const u64* in, int n, int i) {                                        \
      return to_bits(of(of_bits<A>(in[i]), of_bits<B>(in[n + i]), of_bits<C>(in[2 * n + i])));     \
    }                                                                                              \
  };
#include "rows.inc"
#undef ROW1_
#undef ROW2_
#undef ROW3_

template <class Row> __global__ void evaluate(const u64* in, u64* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = Row::at(in, n, i);
}

// The same rows as a table of the host.
struct Entry {
  const char* name;
  void (*kernel)(const u64*, u64*, int);
  Kind result;
  int count;
  Kind arguments[3];
};
#define ROW1_(R, A, name, device, host) {#name, evaluate<Row_##name>, Kind::R, 1, {Kind::A}},
#define ROW2_(R, A, B, name, device, host) {#name, evaluate<Row_##name>, Kind::R, 2, {Kind::A, Kind::B}},
#define ROW3_(R, A, B, C, name, device, host) {#name, evaluate<Row_##name>, Kind::R, 3, {Kind::A, Kind::B, Kind::C}},
const Entry kEntries[] = {
#include "rows.inc"
};

bool succeeded(cudaError_t error, const char* what) {
  if (error != cudaSuccess) std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  return error == cudaSuccess;
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 1024;
  std::FILE* file = argc > 2 ? std::fopen(argv[2], "wb") : nullptr;
  if (n <= 0 || (argc > 2 && !file)) return std::fprintf(stderr, "usage: evaluate COUNT [FILE]\n"), 2;
  u64 *in = nullptr, *out = nullptr;
  if (!succeeded(cudaMalloc(&in, sizeof(u64) * 3 * n), "cudaMalloc")) return 1;
  if (!succeeded(cudaMalloc(&out, sizeof(u64) * n), "cudaMalloc")) return 1;
  std::vector<u64> arguments(3 * static_cast<size_t>(n)), results(n);
  for (const Entry& entry : kEntries) {
    for (int a = 0; a < entry.count; ++a) {
      for (int i = 0; i < n; ++i) {
        arguments[static_cast<size_t>(a) * n + i] = warpwise::math::input(warpwise::math::hash(entry.name), a, entry.arguments[a], i);
      }
    }
    cudaMemcpy(in, arguments.data(), sizeof(u64) * 3 * n, cudaMemcpyHostToDevice);
    entry.kernel<<<(n + 127) / 128, 128>>>(in, out, n);
    if (!succeeded(cudaGetLastError(), entry.name)) return 1;
    if (!succeeded(cudaMemcpy(results.data(), out, sizeof(u64) * n, cudaMemcpyDeviceToHost), entry.name)) return 1;
    u64 sum = 0;
    for (u64 r : results) sum = warpwise::math::mix(sum ^ r);
    std::printf("%-24s %016llx\n", entry.name, sum);
    if (!file) continue;
    // "name count bytes" and a line's end, then that many bytes of each result.
    const unsigned bytes = warpwise::math::bytes_of(entry.result);
    std::fprintf(file, "%s %d %u\n", entry.name, n, bytes);
    for (u64 r : results) std::fwrite(&r, bytes, 1, file);
  }
  if (file) std::fclose(file);
  return 0;
}
