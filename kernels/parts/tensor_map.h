// Tensor maps: what the copy engine must know of a matrix to bring a rectangle of it (sm_90).
//
// A map says where the matrix is, how long its rows are and how large the rectangles. The kernel then names a rectangle
// by its first element alone; what lies outside the matrix comes as zeros and is not written. The engine swizzles
// chunks of 16 bytes on the way, as wgmma wants them (wgmma.h).
//
//     namespace { __device__ CUtensorMap maps[2]; MapsThere<2> there; }
//     …
//     CUtensorMap wanted[2] = {map_of(a, m, k, 128, 64), map_of(b, n, k, 256, 64)};   // rows, columns, of rectangles
//     there.bring(maps, wanted);                                                       // on the host, before the
//     launch … copy_box_in(tile, &maps[0], column, row, &landed);                               // in the kernel
//
// Maps are made by a function of the driver, and stay in global memory. As __grid_constant__ parameters they would need
// no copy; Clang 19 has no such parameters. So they are copied again only when they have changed.
//
// Rows must be multiples of 16 bytes. PTX ISA, "cp.async.bulk.tensor"; CUDA Driver API, "cuTensorMapEncodeTiled".
#pragma once

#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda_bf16.h>
#include <cuda_fp8.h>

#include <cstdint>
#include <cstring>

#include "bulk.h"
#include "launch.h"

// Sizes and rectangles from the innermost dimension on; pitches, in bytes, of all others.
template <int kDimensions>
CUtensorMap encode_map(const void* array, CUtensorMapDataType type, const cuuint64_t (&sizes)[kDimensions],
                       const cuuint64_t (&pitches)[kDimensions - 1], const cuuint32_t (&box)[kDimensions],
                       CUtensorMapSwizzle swizzle) {
  static PFN_cuTensorMapEncodeTiled_v12000 encode = [] {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
    must(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, &found),
         "cuTensorMapEncodeTiled");
    return reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(function);
  }();
  CUtensorMap map;
  cuuint32_t steps[kDimensions];
  for (cuuint32_t& step : steps) step = 1;
  CUresult result = encode ? encode(&map, type, kDimensions, const_cast<void*>(array), sizes, pitches, box, steps,
                                    CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
                                    CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE)
                           : CUDA_ERROR_NOT_FOUND;
  if (result != CUDA_SUCCESS) {
    std::fprintf(stderr, "a tensor map: error %d of the driver\n", int(result));
    std::exit(1);
  }
  return map;
}

inline CUtensorMap map_of(const void* matrix, CUtensorMapDataType type, int element_bytes, int rows, int columns,
                          int box_rows, int box_columns, CUtensorMapSwizzle swizzle) {
  const cuuint64_t sizes[2] = {cuuint64_t(columns), cuuint64_t(rows)}, pitches[1] = {sizes[0] * element_bytes};
  const cuuint32_t box[2] = {cuuint32_t(box_columns), cuuint32_t(box_rows)};
  return encode_map<2>(matrix, type, sizes, pitches, box, swizzle);
}

// Of bfloat16, with rectangles of 128 bytes by `box_rows`, swizzled for wgmma.
inline CUtensorMap map_of(const __nv_bfloat16* matrix, int rows, int columns, int box_rows) {
  return map_of(matrix, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, rows, columns, box_rows, 64, CU_TENSOR_MAP_SWIZZLE_128B);
}

// The same of elements of a byte.
inline CUtensorMap map_of(const int8_t* matrix, int rows, int columns, int box_rows) {
  return map_of(matrix, CU_TENSOR_MAP_DATA_TYPE_UINT8, 1, rows, columns, box_rows, 128, CU_TENSOR_MAP_SWIZZLE_128B);
}
inline CUtensorMap map_of(const __nv_fp8_e4m3* matrix, int rows, int columns, int box_rows) {
  return map_of(reinterpret_cast<const int8_t*>(matrix), rows, columns, box_rows);
}

// Of planes of rows of bfloat16, the same. Rectangles lie in one plane: what they have beyond its last row is outside.
inline CUtensorMap map_of_planes(const __nv_bfloat16* planes, int count, int rows, int columns, int box_rows) {
  const cuuint64_t sizes[3] = {cuuint64_t(columns), cuuint64_t(rows), cuuint64_t(count)};
  const cuuint64_t row_bytes = sizes[0] * sizeof *planes, pitches[2] = {row_bytes, row_bytes * sizes[1]};
  const cuuint32_t box[3] = {64, cuuint32_t(box_rows), 1};
  return encode_map<3>(planes, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, sizes, pitches, box, CU_TENSOR_MAP_SWIZZLE_128B);
}

// What lies in a kernel's maps.
template <int kMaps>
struct MapsThere {
  CUtensorMap maps[kMaps];
  bool any = false;

  // `symbol`: the array of the device.
  void bring(const CUtensorMap (&symbol)[kMaps], const CUtensorMap (&wanted)[kMaps]) {
    if (any && std::memcmp(maps, wanted, sizeof maps) == 0) return;
    std::memcpy(maps, wanted, sizeof maps);
    must(cudaMemcpyToSymbolAsync(symbol, maps, sizeof maps, 0, cudaMemcpyHostToDevice), "tensor maps");
    any = true;
  }
};

// A rectangle whose first element is (row, column).
// A map that is needed soon comes to where the copy engine looks for it.
__device__ __forceinline__ void bring_map(const CUtensorMap* map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(map) : "memory");
}

__device__ __forceinline__ void copy_box_in(void* to, const CUtensorMap* map, int column, int row, Barrier* barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
          shared_address(to)),
      "l"(map), "r"(column), "r"(row), "r"(shared_address(barrier))
      : "memory");
}

__device__ __forceinline__ void copy_box_in(void* to, const CUtensorMap* map, int column, int row, int plane,
                                            Barrier* barrier) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4}], [%5];" ::
          "r"(shared_address(to)),
      "l"(map), "r"(column), "r"(row), "r"(plane), "r"(shared_address(barrier))
      : "memory");
}

// The way back, as copy_out() in bulk.h.
__device__ __forceinline__ void copy_box_out(const CUtensorMap* map, int column, int row, const void* from) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(map), "r"(column),
               "r"(row), "r"(shared_address(from))
               : "memory");
}
__device__ __forceinline__ void copy_box_out(const CUtensorMap* map, int column, int row, int plane, const void* from) {
  asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [%0, {%1, %2, %3}], [%4];" ::"l"(map),
               "r"(column), "r"(row), "r"(plane), "r"(shared_address(from))
               : "memory");
}
