// Tensor cores: one interface over three precisions. A warp multiplies a 16×k piece of A with a k×8 piece of B; k fills 32 bytes
// of a row in each precision, 16 bfloat16 or 8 floats, so the same addresses serve all.
//
//     Bf16   mma.m16n8k16, operands rounded to bfloat16 when they are stored
//     Tf32   mma.m16n8k8,  operands rounded to tf32 (10 bits of fraction) when they are stored
//     Fp32   mma.m16n8k8 three times: x = high + low, both tf32, and a·b = ah·bh + ah·bl + al·bh + (what is below 2^-22).
//            Three passes at the rate of tf32 are still faster than the plain multiply-adds. A tensor core truncates
//            its sums where an fp32 unit rounds them, so a long sum in its accumulator drifts towards zero. Therefore
//            it adds only 8 products, and ordinary additions add up the results (Ootomo and Yokota, arXiv 2203.03341).
//
// Operands are in shared memory, in rows. Either the rows hold k (`rows`: A[m][k], B[n][k]; ldmatrix brings the
// fragments of all precisions), or k numbers the rows (`columns`: A[k][m], B[k][n]; ldmatrix.trans for 16-bit values,
// single loads for 32-bit). Which lane holds what: PTX ISA, "Matrix Fragments for mma.m16n8k16 / m16n8k8".
#pragma once

#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cstdint>

#include "step.h"

namespace mnist::mma {

__device__ inline unsigned shared_address(const void* p) { return unsigned(__cvta_generic_to_shared(p)); }

__device__ inline void load_matrices(unsigned r[4], const void* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(shared_address(row)) : "memory");
}
__device__ inline void load_matrices_transposed(unsigned r[4], const void* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(shared_address(row)) : "memory");
}

// 16 bytes from global to shared memory, without a register in between; `inside` false writes zeros.
__device__ inline void copy_async(void* to, const void* from, bool inside) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(to)), "l"(__cvta_generic_to_global(from)), "r"(inside ? 16 : 0) : "memory");
}
__device__ inline void commit_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int Pending>
__device__ void wait_copies() { asm volatile("cp.async.wait_group %0;" ::"n"(Pending) : "memory"); }

// Which row of its 16 a lane points ldmatrix at, and which half of the 32 bytes. A: rows 0–15, first halves, then second
// halves. B holds two pieces of 8: first and second half of piece 0, then of piece 1.
__device__ inline int a_row(int lane) { return lane % 16; }
__device__ inline int a_half(int lane) { return lane / 16; }
__device__ inline int b_row(int lane) { return lane / 16 * 8 + lane % 8; }
__device__ inline int b_half(int lane) { return lane / 8 % 2; }

struct Bf16 {
  static constexpr Precision kPrecision = Precision::Bf16;
  using Value = __nv_bfloat16;
  static constexpr int kDepth = 16;  // k of one mma
  static constexpr int kColumnPad = 8;  // values after a row that is read by columns, so that no bank is used twice
  struct A { unsigned r[4]; };
  struct B { unsigned r[2]; };

  static __device__ Value round(float v) { return __float2bfloat16(v); }
  static __device__ float2 load(const Value* from) { return __bfloat1622float2(*reinterpret_cast<const __nv_bfloat162*>(from)); }
  static __device__ void store(Value* to, float a, float b) { *reinterpret_cast<__nv_bfloat162*>(to) = __floats2bfloat162_rn(a, b); }
  static __device__ float to_float(Value v) { return __bfloat162float(v); }
  static __device__ void a_rows(A& a, const Value* row) { load_matrices(a.r, row); }
  static __device__ void b_rows(B b[2], const Value* row) { load_matrices(b[0].r, row); }
  static __device__ void a_columns(A& a, const Value* corner, int pitch, int lane) {
    load_matrices_transposed(a.r, corner + (lane % 8 + lane / 16 * 8) * pitch + lane / 8 % 2 * 8);
  }
  static __device__ void b_columns(B b[2], const Value* corner, int pitch, int lane) {
    load_matrices_transposed(b[0].r, corner + lane % 16 * pitch + lane / 16 * 8);
  }
  static __device__ void multiply(float d[4], const A& a, const B& b) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a.r[0]), "r"(a.r[1]), "r"(a.r[2]), "r"(a.r[3]), "r"(b.r[0]), "r"(b.r[1]));
  }
};
static_assert(sizeof(Bf16::B[2]) == 16, "two pieces of B are four registers in a row");

__device__ inline void multiply_tf32(float d[4], const unsigned a[4], const unsigned b[2]) {
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// What Tf32 and Fp32 share: 32-bit values.
struct Floats {
  using Value = float;
  static constexpr int kDepth = 8;
  static constexpr int kColumnPad = 8;
  static __device__ float to_float(Value v) { return v; }
  static __device__ float2 load(const Value* from) { return *reinterpret_cast<const float2*>(from); }
  static __device__ void raw_a_columns(unsigned r[4], const float* corner, int pitch, int lane) {
    const float* p = corner + lane % 4 * pitch + lane / 4;
    r[0] = __float_as_uint(p[0]);
    r[1] = __float_as_uint(p[8]);
    r[2] = __float_as_uint(p[4 * pitch]);
    r[3] = __float_as_uint(p[4 * pitch + 8]);
  }
  static __device__ void raw_b_columns(unsigned r[4], const float* corner, int pitch, int lane) {
    const float* p = corner + lane % 4 * pitch + lane / 4;
    r[0] = __float_as_uint(p[0]);
    r[1] = __float_as_uint(p[4 * pitch]);
    r[2] = __float_as_uint(p[8]);
    r[3] = __float_as_uint(p[4 * pitch + 8]);
  }
};

struct Tf32 : Floats {
  static constexpr Precision kPrecision = Precision::Tf32;
  struct A { unsigned r[4]; };
  struct B { unsigned r[2]; };
  static __device__ Value round(float v) {
    unsigned bits;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(v));
    return __uint_as_float(bits);
  }
  static __device__ void store(Value* to, float a, float b) { *reinterpret_cast<float2*>(to) = float2{round(a), round(b)}; }
  static __device__ void a_rows(A& a, const Value* row) { load_matrices(a.r, row); }
  static __device__ void b_rows(B b[2], const Value* row) { load_matrices(b[0].r, row); }
  static __device__ void a_columns(A& a, const Value* corner, int pitch, int lane) { raw_a_columns(a.r, corner, pitch, lane); }
  static __device__ void b_columns(B b[2], const Value* corner, int pitch, int lane) { raw_b_columns(b[0].r, corner, pitch, lane); }
  static __device__ void multiply(float d[4], const A& a, const B& b) { multiply_tf32(d, a.r, b.r); }
};

struct Fp32 : Floats {
  static constexpr Precision kPrecision = Precision::Fp32;
  struct A { unsigned high[4], low[4]; };
  struct B { unsigned high[2], low[2]; };
  static __device__ Value round(float v) { return v; }
  static __device__ void store(Value* to, float a, float b) { *reinterpret_cast<float2*>(to) = float2{a, b}; }
  // Both parts are rounded: their errors have either sign, and with 11 bits of each and the sign of the lower one 23 of 24 bits stay.
  static __device__ void split(unsigned bits, unsigned& high, unsigned& low) {
    float value = __uint_as_float(bits), upper = Tf32::round(value);
    high = __float_as_uint(upper);
    low = __float_as_uint(Tf32::round(value - upper));
  }
  static __device__ void split_a(A& a, const unsigned r[4]) {
#pragma unroll
    for (int i = 0; i < 4; ++i) split(r[i], a.high[i], a.low[i]);
  }
  static __device__ void split_b(B b[2], const unsigned r[4]) {
#pragma unroll
    for (int i = 0; i < 4; ++i) split(r[i], b[i / 2].high[i % 2], b[i / 2].low[i % 2]);
  }
  static __device__ void a_rows(A& a, const Value* row) {
    unsigned r[4];
    load_matrices(r, row);
    split_a(a, r);
  }
  static __device__ void b_rows(B b[2], const Value* row) {
    unsigned r[4];
    load_matrices(r, row);
    split_b(b, r);
  }
  static __device__ void a_columns(A& a, const Value* corner, int pitch, int lane) {
    unsigned r[4];
    raw_a_columns(r, corner, pitch, lane);
    split_a(a, r);
  }
  static __device__ void b_columns(B b[2], const Value* corner, int pitch, int lane) {
    unsigned r[4];
    raw_b_columns(r, corner, pitch, lane);
    split_b(b, r);
  }
  static __device__ void multiply(float d[4], const A& a, const B& b) {
    float some[4] = {};
    multiply_tf32(some, a.high, b.low);
    multiply_tf32(some, a.low, b.high);
    multiply_tf32(some, a.high, b.high);
#pragma unroll
    for (int i = 0; i < 4; ++i) d[i] += some[i];
  }
};

}  // namespace mnist::mma
