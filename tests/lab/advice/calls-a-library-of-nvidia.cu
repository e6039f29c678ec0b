// problem: challenges/gemm-fp16
// verdict: does-not-compile
// says: `cublas_v2.h` belongs to cuBLAS, which needs NVIDIA's driver and does not run on the virtual GPU
// says: compute this in kernels of your own
// not: --compiler=nvcc
#include <cublas_v2.h>
#include <cuda_fp16.h>

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha, float beta) {
  cublasHandle_t handle;
  cublasCreate(&handle);
  cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, N, M, K, &alpha, B, CUDA_R_16F, N, A, CUDA_R_16F, K, &beta, C,
               CUDA_R_16F, N, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
}
