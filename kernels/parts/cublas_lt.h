// The little of cuBLASLt that peers call: c = a · bᵀ of elements of a byte, all stored by rows (cuBLAS library, user
// guide: cublasLtMatmul). Its matrices are stored by columns, so what it sees is cᵀ = b · aᵀ, with the first
// transposed.
//
//     static LtProduct product({.element = LtProduct::kE4m3, …});
//     product.run(a, b, c, m, n, k);
//
// The algorithm is the first that its heuristic names for a shape, with 32 MB of memory to work in.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "launch.h"
#include "library.h"

class LtProduct {
 public:
  enum Type { kFp32 = 0, kInt8 = 3, kInt32 = 10, kBfloat16 = 14, kE4m3 = 28 };  // cudaDataType
  enum Compute { kInFp32 = 68, kInInt32 = 72 };                                 // cublasComputeType_t

  struct What {
    Type element, result, scale;
    Compute compute;
    const float *scale_a = nullptr, *scale_b = nullptr;  // for each row of a, and of b
    bool fast_accumulation = false;
  };

  // `alpha`, `zero`: numbers of the type `scale`.
  void run(const What& what, const void* a, const void* b, void* c, int m, int n, int k, const void* alpha,
           const void* zero) {
    if (!there_ || m != m_ || n != n_ || k != k_) prepare(what, m, n, k);
    must(matmul_(handle_, operation_, alpha, b, layout_b_, a, layout_a_, zero, c, layout_c_, c, layout_c_,
                 algorithm_.data, room_, kRoom, nullptr),
         "cublasLtMatmul");
  }

 private:
  static constexpr size_t kRoom = 32 << 20;
  enum { kTransposed = 1 };
  enum { kTransA = 3, kScaleA = 17, kScaleB = 18, kFastAccumulation = 25, kScaleModeA = 31, kScaleModeB = 32 };
  enum { kScaleOfEachRow = 3 };  // CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F
  enum { kMostMemory = 1 };      // CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES

  struct Algorithm {
    uint64_t data[8];
  };
  struct Suggestion {  // cublasLtMatmulHeuristicResult_t
    Algorithm algorithm;
    size_t bytes;
    int status;
    float waves;
    int reserved[4];
  };

  static void must(int status, const char* what) {
    if (status == 0) return;
    std::fprintf(stderr, "cuBLASLt: %s: status %d\n", what, status);
    std::exit(1);
  }
  template <class Value>
  void set(int attribute, const Value& value) {
    static auto function = library_.function<int(void*, int, const void*, size_t)>("cublasLtMatmulDescSetAttribute");
    must(function(operation_, attribute, &value, sizeof value), "cublasLtMatmulDescSetAttribute");
  }
  void* layout(Type type, int rows, int columns) {
    static auto function =
        library_.function<int(void**, int, uint64_t, uint64_t, int64_t)>("cublasLtMatrixLayoutCreate");
    void* layout = nullptr;
    must(function(&layout, type, uint64_t(columns), uint64_t(rows), columns), "cublasLtMatrixLayoutCreate");
    return layout;
  }

  void prepare(const What& what, int m, int n, int k) {
    if (!handle_) {
      must(library_.function<int(void**)>("cublasLtCreate")(&handle_), "cublasLtCreate");
      must(cudaMalloc(&room_, kRoom), "memory");
    }
    must(library_.function<int(void**, int, int)>("cublasLtMatmulDescCreate")(&operation_, what.compute, what.scale),
         "cublasLtMatmulDescCreate");
    set(kTransA, int32_t(kTransposed));
    if (what.fast_accumulation) set(kFastAccumulation, int8_t(1));
    if (what.scale_a) {
      set(kScaleModeA, int32_t(kScaleOfEachRow)), set(kScaleModeB, int32_t(kScaleOfEachRow));
      set(kScaleA, what.scale_b), set(kScaleB, what.scale_a);
    }
    layout_a_ = layout(what.element, m, k), layout_b_ = layout(what.element, n, k),
    layout_c_ = layout(what.result, m, n);
    void* preference = nullptr;
    must(library_.function<int(void**)>("cublasLtMatmulPreferenceCreate")(&preference),
         "cublasLtMatmulPreferenceCreate");
    const uint64_t bytes = kRoom;
    must(library_.function<int(void*, int, const void*, size_t)>("cublasLtMatmulPreferenceSetAttribute")(
             preference, kMostMemory, &bytes, sizeof bytes),
         "cublasLtMatmulPreferenceSetAttribute");
    Suggestion first;
    int found = 0;
    must(library_.function<int(void*, void*, void*, void*, void*, void*, void*, int, Suggestion*, int*)>(
             "cublasLtMatmulAlgoGetHeuristic")(handle_, operation_, layout_b_, layout_a_, layout_c_, layout_c_,
                                               preference, 1, &first, &found),
         "cublasLtMatmulAlgoGetHeuristic");
    must(found == 1 ? first.status : -1, "no algorithm for this shape");
    algorithm_ = first.algorithm;
    there_ = true, m_ = m, n_ = n, k_ = k;
  }

  const Library library_{{"libcublasLt.so.13", "libcublasLt.so.12"}};
  int (*matmul_)(void*, void*, const void*, const void*, void*, const void*, void*, const void*, const void*, void*,
                 void*, void*, const void*, void*, size_t, void*) =
      library_.function<int(void*, void*, const void*, const void*, void*, const void*, void*, const void*, const void*,
                            void*, void*, void*, const void*, void*, size_t, void*)>("cublasLtMatmul");
  void *handle_ = nullptr, *operation_ = nullptr, *layout_a_ = nullptr, *layout_b_ = nullptr, *layout_c_ = nullptr;
  void* room_ = nullptr;
  Algorithm algorithm_ = {};
  bool there_ = false;
  int m_ = 0, n_ = 0, k_ = 0;
};
