// nvcuda::wmma with every type that it supports: C = A * B + C on one tile, small whole numbers, compared with the
// host.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>

#include <cstdio>
#include <vector>

using namespace nvcuda;

template <class T, class Memory, class Sum, int M, int N, int K, class LA, class LB>
__global__ void product(const Memory* a, const Memory* b, const Sum* c, Sum* d, unsigned lda, unsigned ldb) {
  wmma::fragment<wmma::matrix_a, M, N, K, T, LA> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, T, LB> fb;
  wmma::fragment<wmma::accumulator, M, N, K, Sum> fc, fd;
  wmma::load_matrix_sync(fa, a, lda);
  wmma::load_matrix_sync(fb, b, ldb);
  wmma::load_matrix_sync(fc, c, N, wmma::mem_row_major);
  wmma::fill_fragment(fd, Sum(0.0f));
  wmma::mma_sync(fd, fa, fb, fc);
  for (int i = 0; i < fd.num_elements; ++i) fd.x[i] = fd.x[i] + fd.x[i];
  wmma::store_matrix_sync(d, fd, M, wmma::mem_col_major);
}

template <class T, class Memory, class Sum, int M, int N, int K, class LA, class LB>
void check(const char* name, bool a_by_row, bool b_by_row, int spread) {
  std::vector<int> va(M * K), vb(K * N), vc(M * N);
  unsigned state = 12345;
  auto next = [&] { return static_cast<int>((state = state * 1664525 + 1013904223) >> 16) % spread; };
  for (int& x : va) x = next();
  for (int& x : vb) x = next();
  for (int& x : vc) x = next();
  Memory *a, *b;
  Sum *c, *d;
  cudaMallocManaged(&a, va.size() * sizeof *a), cudaMallocManaged(&b, vb.size() * sizeof *b);
  cudaMallocManaged(&c, vc.size() * sizeof *c), cudaMallocManaged(&d, vc.size() * sizeof *d);
  for (int i = 0; i < M; ++i)
    for (int k = 0; k < K; ++k) a[a_by_row ? i * K + k : k * M + i] = Memory(static_cast<float>(va[i * K + k]));
  for (int k = 0; k < K; ++k)
    for (int j = 0; j < N; ++j) b[b_by_row ? k * N + j : j * K + k] = Memory(static_cast<float>(vb[k * N + j]));
  for (int i = 0; i < M * N; ++i) c[i] = Sum(static_cast<float>(vc[i]));
  product<T, Memory, Sum, M, N, K, LA, LB><<<1, 32>>>(a, b, c, d, a_by_row ? K : M, b_by_row ? N : K);
  const cudaError_t error = cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) {
      int sum = vc[i * N + j];
      for (int k = 0; k < K; ++k) sum += va[i * K + k] * vb[k * N + j];
      wrong += static_cast<float>(d[j * M + i]) != static_cast<float>(2 * sum);
    }
  std::printf("%-22s %s, %d wrong\n", name, cudaGetErrorString(error), wrong);
}

__global__ void bits(const unsigned* a, const unsigned* b, int* d, bool both) {
  namespace experimental = wmma::experimental;
  wmma::fragment<wmma::matrix_a, 8, 8, 128, experimental::precision::b1, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 8, 8, 128, experimental::precision::b1, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 8, 8, 128, int> fd;
  wmma::load_matrix_sync(fa, a, 128);
  wmma::load_matrix_sync(fb, b, 128);
  wmma::fill_fragment(fd, 1);
  if (both) wmma::bmma_sync(fd, fa, fb, fd, experimental::bmmaBitOpAND);
  else wmma::bmma_sync(fd, fa, fb, fd);
  wmma::store_matrix_sync(d, fd, 8, wmma::mem_row_major);
}

__global__ void rounded(const float* in, float* out) { out[threadIdx.x] = wmma::__float_to_tf32(in[threadIdx.x]); }

int main() {
  using wmma::col_major;
  using wmma::row_major;
  check<half, half, float, 16, 16, 16, row_major, col_major>("half 16x16x16", true, false, 9);
  check<half, half, half, 32, 8, 16, col_major, row_major>("half 32x8x16", false, true, 5);
  check<half, half, float, 8, 32, 16, row_major, row_major>("half 8x32x16", true, true, 9);
  check<__nv_bfloat16, __nv_bfloat16, float, 16, 16, 16, col_major, col_major>("bfloat16 16x16x16", false, false, 9);
  check<__nv_bfloat16, __nv_bfloat16, float, 8, 32, 16, row_major, col_major>("bfloat16 8x32x16", true, false, 9);
  check<wmma::precision::tf32, float, float, 16, 16, 8, row_major, row_major>("tf32 16x16x8", true, true, 100);
  check<double, double, double, 8, 8, 4, row_major, col_major>("double 8x8x4", true, false, 1000);
  check<signed char, signed char, int, 16, 16, 16, row_major, col_major>("signed char 16x16x16", true, false, 100);
  check<unsigned char, unsigned char, int, 32, 8, 16, col_major, row_major>("unsigned char 32x8x16", false, true, 100);
  unsigned *a, *b;
  int* d;
  cudaMallocManaged(&a, 128), cudaMallocManaged(&b, 128), cudaMallocManaged(&d, 256);
  for (int i = 0; i < 32; ++i) a[i] = 0x9e3779b9u * (i + 1), b[i] = 0x85ebca6bu * (i + 3);
  for (bool both : {false, true}) {
    bits<<<1, 32>>>(a, b, d, both);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int i = 0; i < 64; ++i) {
      int sum = 1;
      for (int w = 0; w < 4; ++w) {
        const unsigned x = a[i / 8 * 4 + w], y = b[i % 8 * 4 + w];
        sum += __builtin_popcount(both ? x & y : x ^ y);
      }
      wrong += d[i] != sum;
    }
    std::printf("bits, %s             %d wrong\n", both ? "and" : "xor", wrong);
  }
  float *in, *out;
  cudaMallocManaged(&in, 8), cudaMallocManaged(&out, 8);
  in[0] = 1.0f + 0x1p-11f, in[1] = -1.0f - 0x1.ffcp-12f;
  rounded<<<1, 2>>>(in, out);
  cudaDeviceSynchronize();
  std::printf("to tf32: %a %a\n", out[0], out[1]);
}
