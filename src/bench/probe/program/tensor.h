// Tensor cores by `mma`: additions and multiplications in a second, and how long one product waits for the one before.
#pragma once

#include "pipes.h"

namespace probe {

// A product of a warp: its type, its operations, and the compute capability that has it.
struct HalfProduct {
  static constexpr unsigned kSince = 80;
  static constexpr double kOps = 2.0 * 16 * 8 * 16;
  __device__ static void step(float (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
#if __CUDA_ARCH__ >= 800
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
  }
};
struct TuringProduct {
  static constexpr unsigned kSince = 75;
  static constexpr double kOps = 2.0 * 16 * 8 * 8;
  __device__ static void step(float (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
#if __CUDA_ARCH__ >= 750
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(b[0]));
#endif
  }
};
struct Tf32Product {
  static constexpr unsigned kSince = 80;
  static constexpr double kOps = 2.0 * 16 * 8 * 8;
  __device__ static void step(float (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
#if __CUDA_ARCH__ >= 800
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
  }
};
struct ByteProduct {
  static constexpr unsigned kSince = 80;
  static constexpr double kOps = 2.0 * 16 * 8 * 32;
  __device__ static void step(float (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
#if __CUDA_ARCH__ >= 800
    int* s = reinterpret_cast<int*>(c);
    asm volatile(
        "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+r"(s[0]), "+r"(s[1]), "+r"(s[2]), "+r"(s[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
  }
};

constexpr unsigned kProducts = 16, kSums = 4, kProductThreads = 256;

template <class Product>
__global__ void __launch_bounds__(kMostThreads) product_rate(unsigned n, Clocks* clocks, unsigned* sink) {
  float c[kSums][4] = {};
  unsigned a[4], b[2];
  for (unsigned& v : a) v = threadIdx.x;
  for (unsigned& v : b) v = threadIdx.x;
  read_clocks(clocks, 0);
  for (unsigned i = 0; i < n; ++i)
#pragma unroll
    for (unsigned s = 0; s < kProducts; ++s) Product::step(c[s % kSums], a, b);
  read_clocks(clocks, 1);
  if (n == 0) *sink = unsigned(c[0][0] + c[1][0] + c[2][0] + c[3][0]);
}

template <class Product>
__global__ void __launch_bounds__(kMostThreads) product_latency(unsigned n, Clocks* clocks, unsigned* sink) {
  float c[4] = {};
  unsigned a[4], b[2];
  for (unsigned& v : a) v = threadIdx.x;
  for (unsigned& v : b) v = threadIdx.x;
  read_clocks(clocks, 0);
  for (unsigned i = 0; i < n; ++i)
#pragma unroll
    for (unsigned s = 0; s < kProducts; ++s) Product::step(c, a, b);
  read_clocks(clocks, 1);
  if (n == 0) *sink = unsigned(c[0]);
}

template <class Product>
void measure_product(Harness& h, const char* name, const char* latency) {
  if (h.architecture() < Product::kSince) return;
  const unsigned blocks = 2 * h.sms();
  h.rate(name, double(blocks) * (kProductThreads / 32) * kProducts * Product::kOps,
         [&](unsigned n) { product_rate<Product><<<blocks, kProductThreads>>>(n, h.clocks(), h.sink()); });
  if (latency)
    h.latency(latency, kProducts, [&](unsigned n) { product_latency<Product><<<1, 32>>>(n, h.clocks(), h.sink()); });
}

inline void measure_tensor_cores(Harness& h) {
  if (h.architecture() == 75) return measure_product<TuringProduct>(h, "tensor_f16", "tensor_latency");
  measure_product<HalfProduct>(h, "tensor_f16", "tensor_latency");
  measure_product<Tf32Product>(h, "tensor_tf32", nullptr);
  measure_product<ByteProduct>(h, "tensor_int8", nullptr);
}

inline void load_tensor_cores(Harness& h) {
  if (h.architecture() < HalfProduct::kSince) return;
  const unsigned blocks = 2 * h.sms();
  h.load("tensor_f16", double(blocks) * (kProductThreads / 32) * kProducts * HalfProduct::kOps,
         [&](unsigned n) { product_rate<HalfProduct><<<blocks, kProductThreads>>>(n, h.clocks(), h.sink()); });
}

}  // namespace probe
