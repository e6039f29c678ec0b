// nvcuda::wmma: matrix products of a warp (CUDA C++ Programming Guide, "Warp Matrix Functions"), over the PTX
// instructions wmma.load, wmma.mma and wmma.store.
//
// One table for each kind of operand lists shapes, types and registers. Macros make the overloads, because the shape
// and the layout are parts of an instruction's name. Lists of registers are named operands: {%[a0], %[a1]}.
#pragma once

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"
#include "warpwise/begin_device_code.h"

#if defined(__CUDA__) && (!defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700)

namespace nvcuda {
namespace wmma {

enum layout_t { mem_row_major, mem_col_major };
struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;

namespace precision {
struct tf32;
}
namespace experimental {
namespace precision {
struct u4;
struct s4;
struct b1;
}  // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
}  // namespace experimental

namespace warpwise_detail {
// The element type that a program sees (Element), the storage type, and how many of the matrix's `count` elements a
// lane holds.
template <class T> struct Kept { typedef T Element; typedef T Storage; static constexpr int bits = 8 * sizeof(T); };
template <> struct Kept<precision::tf32> { typedef float Element; typedef float Storage; static constexpr int bits = 32; };
template <> struct Kept<experimental::precision::u4> { typedef unsigned Element; typedef unsigned Storage; static constexpr int bits = 4; };
template <> struct Kept<experimental::precision::s4> { typedef int Element; typedef int Storage; static constexpr int bits = 4; };
template <> struct Kept<experimental::precision::b1> { typedef unsigned Element; typedef unsigned Storage; static constexpr int bits = 1; };

template <class T, int Elements> struct Registers {
  static constexpr int packed = 8 * int(sizeof(typename Kept<T>::Storage)) / Kept<T>::bits;
  enum { num_elements = Elements, num_storage_elements = Elements / packed };
  typedef typename Kept<T>::Element element_type;
  typedef typename Kept<T>::Storage storage_element_type;
  storage_element_type x[num_storage_elements];
};
// f16 operands always have eight registers.
template <class T> constexpr int elements_of(int count) { return count / 32; }
template <> constexpr int elements_of<__half>(int) { return 16; }
}  // namespace warpwise_detail

template <class Use, int m, int n, int k, class T, class Layout = void> class fragment;
template <int m, int n, int k, class T, class Layout>
class fragment<matrix_a, m, n, k, T, Layout> : public warpwise_detail::Registers<T, warpwise_detail::elements_of<T>(m * k)> {};
template <int m, int n, int k, class T, class Layout>
class fragment<matrix_b, m, n, k, T, Layout> : public warpwise_detail::Registers<T, warpwise_detail::elements_of<T>(k * n)> {};
template <int m, int n, int k, class T>
class fragment<accumulator, m, n, k, T, void> : public warpwise_detail::Registers<T, m * n / 32> {};

template <class Use, int m, int n, int k, class T, class Layout, class V>
static inline __device__ void fill_fragment(fragment<Use, m, n, k, T, Layout>& f, const V& value) {
#pragma unroll
  for (int i = 0; i < f.num_storage_elements; ++i) f.x[i] = static_cast<typename fragment<Use, m, n, k, T, Layout>::storage_element_type>(value);
}

#define WW_DEVICE static inline __device__ __attribute__((always_inline))
// Register names of operand x in the instruction's text, as outputs and as inputs.
#define WW_N1(x) "%[" #x "0]"
#define WW_N2(x) WW_N1(x) ", %[" #x "1]"
#define WW_N4(x) WW_N2(x) ", %[" #x "2], %[" #x "3]"
#define WW_N8(x) WW_N4(x) ", %[" #x "4], %[" #x "5], %[" #x "6], %[" #x "7]"
#define WW_O1(x, t) [x##0] "=" t(x[0])
#define WW_O2(x, t) WW_O1(x, t), [x##1] "=" t(x[1])
#define WW_O4(x, t) WW_O2(x, t), [x##2] "=" t(x[2]), [x##3] "=" t(x[3])
#define WW_O8(x, t) WW_O4(x, t), [x##4] "=" t(x[4]), [x##5] "=" t(x[5]), [x##6] "=" t(x[6]), [x##7] "=" t(x[7])
#define WW_I1(x, t) [x##0] t(x[0])
#define WW_I2(x, t) WW_I1(x, t), [x##1] t(x[1])
#define WW_I4(x, t) WW_I2(x, t), [x##2] t(x[2]), [x##3] t(x[3])
#define WW_I8(x, t) WW_I4(x, t), [x##4] t(x[4]), [x##5] t(x[5]), [x##6] t(x[6]), [x##7] t(x[7])
#define WW_SHAPE(m, n, k) "m" #m "n" #n "k" #k

// --- loads and stores -----------------------------------------------------------------------------------
// R: the C++ type of a register; t: its letter in a constraint.

#define WW_LOAD_LAYOUT(use, letter, m, n, k, T, Memory, ptx, count, R, t, layout, name)                                          \
  WW_DEVICE void load_matrix_sync(fragment<use, m, n, k, T, layout>& f, const Memory* p, unsigned ldm) {                         \
    R d[count];                                                                                                                   \
    asm volatile("wmma.load." letter ".sync.aligned." name "." WW_SHAPE(m, n, k) "." ptx " {" WW_N##count(d) "}, [%[p]], %[s];"   \
                 : WW_O##count(d, t) : [p] "l"(p), [s] "r"(ldm) : "memory");                                                      \
    __builtin_memcpy(f.x, d, sizeof d);                                                                                           \
  }
#define WW_LOAD(use, letter, m, n, k, T, Memory, ptx, count, R, t)                              \
  WW_LOAD_LAYOUT(use, letter, m, n, k, T, Memory, ptx, count, R, t, row_major, "row")            \
  WW_LOAD_LAYOUT(use, letter, m, n, k, T, Memory, ptx, count, R, t, col_major, "col")

#define WW_SUM_LAYOUT(m, n, k, ptx, count, t, name)                                                                               \
  asm volatile("wmma.load.c.sync.aligned." name "." WW_SHAPE(m, n, k) "." ptx " {" WW_N##count(d) "}, [%[p]], %[s];"              \
               : WW_O##count(d, t) : [p] "l"(p), [s] "r"(ldm) : "memory")
#define WW_STORE_LAYOUT(m, n, k, ptx, count, t, name)                                                                             \
  asm volatile("wmma.store.d.sync.aligned." name "." WW_SHAPE(m, n, k) "." ptx " [%[p]], {" WW_N##count(d) "}, %[s];"             \
               : : [p] "l"(p), [s] "r"(ldm), WW_I##count(d, t) : "memory")
#define WW_SUM(m, n, k, T, ptx, count, R, t)                                                                                      \
  WW_DEVICE void load_matrix_sync(fragment<accumulator, m, n, k, T>& f, const T* p, unsigned ldm, layout_t layout) {              \
    R d[count];                                                                                                                   \
    if (layout == mem_row_major) WW_SUM_LAYOUT(m, n, k, ptx, count, t, "row");                                                    \
    else WW_SUM_LAYOUT(m, n, k, ptx, count, t, "col");                                                                            \
    __builtin_memcpy(f.x, d, sizeof d);                                                                                           \
  }                                                                                                                               \
  WW_DEVICE void store_matrix_sync(T* p, const fragment<accumulator, m, n, k, T>& f, unsigned ldm, layout_t layout) {             \
    R d[count];                                                                                                                   \
    __builtin_memcpy(d, f.x, sizeof d);                                                                                           \
    if (layout == mem_row_major) WW_STORE_LAYOUT(m, n, k, ptx, count, t, "row");                                                  \
    else WW_STORE_LAYOUT(m, n, k, ptx, count, t, "col");                                                                          \
  }

#define WW_LOADS(m, n, k, T, Memory, ptx, a_count, b_count, R, t)               \
  WW_LOAD(matrix_a, "a", m, n, k, T, Memory, ptx, a_count, R, t)                 \
  WW_LOAD(matrix_b, "b", m, n, k, T, Memory, ptx, b_count, R, t)
#define WW_SUBBYTE(k, T, ptx)                                                                                \
  WW_LOAD_LAYOUT(matrix_a, "a", 8, 8, k, T, void, ptx, 1, unsigned, "r", row_major, "row")                    \
  WW_LOAD_LAYOUT(matrix_b, "b", 8, 8, k, T, void, ptx, 1, unsigned, "r", col_major, "col")

WW_LOADS(16, 16, 16, __half, __half, "f16", 8, 8, unsigned, "r")
WW_LOADS(32, 8, 16, __half, __half, "f16", 8, 8, unsigned, "r")
WW_LOADS(8, 32, 16, __half, __half, "f16", 8, 8, unsigned, "r")
WW_SUM(16, 16, 16, __half, "f16", 4, unsigned, "r")
WW_SUM(32, 8, 16, __half, "f16", 4, unsigned, "r")
WW_SUM(8, 32, 16, __half, "f16", 4, unsigned, "r")
WW_SUM(16, 16, 16, float, "f32", 8, float, "f")
WW_SUM(32, 8, 16, float, "f32", 8, float, "f")
WW_SUM(8, 32, 16, float, "f32", 8, float, "f")
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 720
#define WW_INT8(T, ptx)                                               \
  WW_LOADS(16, 16, 16, T, T, ptx, 2, 2, unsigned, "r")                \
  WW_LOADS(32, 8, 16, T, T, ptx, 4, 1, unsigned, "r")                 \
  WW_LOADS(8, 32, 16, T, T, ptx, 1, 4, unsigned, "r")
WW_INT8(signed char, "s8")
WW_INT8(unsigned char, "u8")
WW_SUM(16, 16, 16, int, "s32", 8, int, "r")
WW_SUM(32, 8, 16, int, "s32", 8, int, "r")
WW_SUM(8, 32, 16, int, "s32", 8, int, "r")
#endif
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 750
WW_SUBBYTE(32, experimental::precision::s4, "s4")
WW_SUBBYTE(32, experimental::precision::u4, "u4")
WW_SUBBYTE(128, experimental::precision::b1, "b1")
WW_SUM(8, 8, 32, int, "s32", 2, int, "r")
WW_SUM(8, 8, 128, int, "s32", 2, int, "r")
#endif
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
WW_LOADS(16, 16, 16, __nv_bfloat16, __nv_bfloat16, "bf16", 4, 4, unsigned, "r")
WW_LOADS(32, 8, 16, __nv_bfloat16, __nv_bfloat16, "bf16", 8, 2, unsigned, "r")
WW_LOADS(8, 32, 16, __nv_bfloat16, __nv_bfloat16, "bf16", 2, 8, unsigned, "r")
WW_LOADS(16, 16, 8, precision::tf32, float, "tf32", 4, 4, unsigned, "r")
WW_SUM(16, 16, 8, float, "f32", 8, float, "f")
WW_LOADS(8, 8, 4, double, double, "f64", 1, 1, double, "d")
WW_SUM(8, 8, 4, double, "f64", 2, double, "d")
#endif

// --- products -------------------------------------------------------------------------------------------

#define WW_MMA_CALL(text, d_count, a_count, b_count, c_count, td, tm, tc)                                                   \
  asm volatile(text " {" WW_N##d_count(d) "}, {" WW_N##a_count(a) "}, {" WW_N##b_count(b) "}, {" WW_N##c_count(c) "};"      \
               : WW_O##d_count(d, td) : WW_I##a_count(a, tm), WW_I##b_count(b, tm), WW_I##c_count(c, tc))
#define WW_MMA_LAYOUT(m, n, k, T, TD, TC, types, sat, RD, RM, RC, d_count, a_count, b_count, c_count, td, tm, tc, la, na, lb, nb)      \
  WW_DEVICE void mma_sync(fragment<accumulator, m, n, k, TD>& fd, const fragment<matrix_a, m, n, k, T, la>& fa,                          \
                          const fragment<matrix_b, m, n, k, T, lb>& fb, const fragment<accumulator, m, n, k, TC>& fc, bool satf = false) { \
    RD d[d_count];                                                                                                                       \
    RM a[a_count], b[b_count];                                                                                                           \
    RC c[c_count];                                                                                                                       \
    __builtin_memcpy(a, fa.x, sizeof a), __builtin_memcpy(b, fb.x, sizeof b), __builtin_memcpy(c, fc.x, sizeof c);                       \
    if (satf) WW_MMA_CALL("wmma.mma.sync.aligned." na "." nb "." WW_SHAPE(m, n, k) types sat, d_count, a_count, b_count, c_count, td, tm, tc); \
    else WW_MMA_CALL("wmma.mma.sync.aligned." na "." nb "." WW_SHAPE(m, n, k) types, d_count, a_count, b_count, c_count, td, tm, tc);     \
    __builtin_memcpy(fd.x, d, sizeof d);                                                                                                 \
  }
#define WW_MMA(...)                                                      \
  WW_MMA_LAYOUT(__VA_ARGS__, row_major, "row", row_major, "row")         \
  WW_MMA_LAYOUT(__VA_ARGS__, row_major, "row", col_major, "col")         \
  WW_MMA_LAYOUT(__VA_ARGS__, col_major, "col", row_major, "row")         \
  WW_MMA_LAYOUT(__VA_ARGS__, col_major, "col", col_major, "col")

// Saturation of floating-point sums left PTX with version 6.5; the argument then has no effect.
#define WW_HALVES(m, n, k)                                                                                                    \
  WW_MMA(m, n, k, __half, float, float, ".f32.f32", "", float, unsigned, float, 8, 8, 8, 8, "f", "r", "f")                     \
  WW_MMA(m, n, k, __half, float, __half, ".f32.f16", "", float, unsigned, unsigned, 8, 8, 8, 4, "f", "r", "r")                 \
  WW_MMA(m, n, k, __half, __half, float, ".f16.f32", "", unsigned, unsigned, float, 4, 8, 8, 8, "r", "r", "f")                 \
  WW_MMA(m, n, k, __half, __half, __half, ".f16.f16", "", unsigned, unsigned, unsigned, 4, 8, 8, 4, "r", "r", "r")
WW_HALVES(16, 16, 16)
WW_HALVES(32, 8, 16)
WW_HALVES(8, 32, 16)
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 720
#define WW_INTEGERS(T, ptx)                                                                                                               \
  WW_MMA(16, 16, 16, T, int, int, ".s32." ptx "." ptx ".s32", ".satfinite", int, unsigned, int, 8, 2, 2, 8, "r", "r", "r")                 \
  WW_MMA(32, 8, 16, T, int, int, ".s32." ptx "." ptx ".s32", ".satfinite", int, unsigned, int, 8, 4, 1, 8, "r", "r", "r")                  \
  WW_MMA(8, 32, 16, T, int, int, ".s32." ptx "." ptx ".s32", ".satfinite", int, unsigned, int, 8, 1, 4, 8, "r", "r", "r")
WW_INTEGERS(signed char, "s8")
WW_INTEGERS(unsigned char, "u8")
#endif
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 750
WW_MMA_LAYOUT(8, 8, 32, experimental::precision::s4, int, int, ".s32.s4.s4.s32", ".satfinite", int, unsigned, int, 2, 1, 1, 2, "r", "r", "r", row_major, "row", col_major, "col")
WW_MMA_LAYOUT(8, 8, 32, experimental::precision::u4, int, int, ".s32.u4.u4.s32", ".satfinite", int, unsigned, int, 2, 1, 1, 2, "r", "r", "r", row_major, "row", col_major, "col")

WW_DEVICE void bmma_sync(fragment<accumulator, 8, 8, 128, int>& fd, const fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major>& fa,
                         const fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major>& fb, const fragment<accumulator, 8, 8, 128, int>& fc,
                         experimental::bmmaBitOp op = experimental::bmmaBitOpXOR, experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC) {
  int d[2], c[2];
  unsigned a[1], b[1];
  __builtin_memcpy(a, fa.x, sizeof a), __builtin_memcpy(b, fb.x, sizeof b), __builtin_memcpy(c, fc.x, sizeof c);
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  if (op == experimental::bmmaBitOpAND)
    WW_MMA_CALL("wmma.mma.and.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32", 2, 1, 1, 2, "r", "r", "r");
  else
#endif
    WW_MMA_CALL("wmma.mma.xor.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32", 2, 1, 1, 2, "r", "r", "r");
  (void)op;
  __builtin_memcpy(fd.x, d, sizeof d);
}
#endif
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
WW_MMA(16, 16, 16, __nv_bfloat16, float, float, ".f32.bf16.bf16.f32", "", float, unsigned, float, 8, 4, 4, 8, "f", "r", "f")
WW_MMA(32, 8, 16, __nv_bfloat16, float, float, ".f32.bf16.bf16.f32", "", float, unsigned, float, 8, 8, 2, 8, "f", "r", "f")
WW_MMA(8, 32, 16, __nv_bfloat16, float, float, ".f32.bf16.bf16.f32", "", float, unsigned, float, 8, 2, 8, 8, "f", "r", "f")
WW_MMA(16, 16, 8, precision::tf32, float, float, ".f32.tf32.tf32.f32", "", float, unsigned, float, 8, 4, 4, 8, "f", "r", "f")
WW_MMA(8, 8, 4, double, double, double, ".f64.f64.f64.f64", "", double, double, double, 2, 1, 1, 2, "d", "d", "d")
#endif

// The nearest tf32, ties away from zero.
WW_DEVICE float __float_to_tf32(float value) {
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
  return __builtin_bit_cast(float, bits);
}

#undef WW_DEVICE
#undef WW_N1
#undef WW_N2
#undef WW_N4
#undef WW_N8
#undef WW_O1
#undef WW_O2
#undef WW_O4
#undef WW_O8
#undef WW_I1
#undef WW_I2
#undef WW_I4
#undef WW_I8
#undef WW_SHAPE
#undef WW_LOAD_LAYOUT
#undef WW_LOAD
#undef WW_SUM_LAYOUT
#undef WW_STORE_LAYOUT
#undef WW_SUM
#undef WW_LOADS
#undef WW_SUBBYTE
#undef WW_INT8
#undef WW_MMA_CALL
#undef WW_MMA_LAYOUT
#undef WW_MMA
#undef WW_HALVES
#undef WW_INTEGERS

}  // namespace wmma
}  // namespace nvcuda

#endif

#include "warpwise/end_device_code.h"
