// The little of cuBLAS that peers call (cuBLAS library, user guide: cublasGemmEx, cublasSgemm, cublasSgemv).
//
// Its matrices are stored by columns. Ours are stored by rows, so what it sees is the transpose:
//
//     c = a · b       to cuBLAS: cᵀ = bᵀ · aᵀ, neither to be transposed
//     c = a · bᵀ      to cuBLAS: cᵀ = b · aᵀ, the first to be transposed
#pragma once

#include <cuda_runtime.h>

#include <type_traits>

#include "library.h"

struct Cublas {
  enum Transposed { kNot, kTransposed };  // cublasOperation_t
  static constexpr int kBfloat16 = 14;    // cudaDataType: CUDA_R_16BF
  static constexpr int kFp32 = 68;        // cublasComputeType_t: CUBLAS_COMPUTE_32F
  static constexpr int kItsChoice = -1;   // cublasGemmAlgo_t: CUBLAS_GEMM_DEFAULT
  static constexpr int kDefaultMath = 0;  // cublasMath_t: plain fp32, no TF32

  void* handle = nullptr;
  int (*gemm_ex)(void*, int, int, int, int, int, const void*, const void*, int, int, const void*, int, int, const void*,
                 void*, int, int, int, int);
  int (*sgemm)(void*, int, int, int, int, int, const float*, const float*, int, const float*, int, const float*, float*,
               int);
  int (*sgemv)(void*, int, int, int, const float*, const float*, int, const float*, int, const float*, float*, int);

  // Opened with the first call, which is not timed.
  static const Cublas& get() {
    static const Cublas cublas;
    return cublas;
  }
  static void must(int status, const char* what) {
    if (status == 0) return;
    std::fprintf(stderr, "cuBLAS: %s: status %d\n", what, status);
    std::exit(1);
  }

 private:
  Cublas() {
    cudaFree(nullptr);
    const Library library({"libcublas.so.13", "libcublas.so.12"});
    gemm_ex = library.function<std::remove_pointer_t<decltype(gemm_ex)>>("cublasGemmEx");
    sgemm = library.function<std::remove_pointer_t<decltype(sgemm)>>("cublasSgemm_v2");
    sgemv = library.function<std::remove_pointer_t<decltype(sgemv)>>("cublasSgemv_v2");
    must(library.function<int(void**)>("cublasCreate_v2")(&handle), "cublasCreate");
    must(library.function<int(void*, int)>("cublasSetMathMode")(handle, kDefaultMath), "cublasSetMathMode");
  }
};
