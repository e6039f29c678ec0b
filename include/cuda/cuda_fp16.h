// __half and __half2: IEEE binary16 (CUDA Math API, "Half Precision Intrinsics").
#pragma once

#include "cuda_runtime.h"
#include "warpwise/saturate.h"
#include "warpwise/begin_device_code.h"

struct __nv_bfloat16;

#define WW_T __half
#define WW_T2 __half2
#define WW_OTHER __nv_bfloat16
#define WW_RAW __half_raw
#define WW_RAW2 __half2_raw
#define WW_NATIVE _Float16
#define WW_NAME(a, b) a##half##b
#define WW_NAME2(a, b) a##half2##b
#define WW_NAME2_TO_FLOAT2 __half22float2
#define WW_PAIR_OF __half2half2
#define WW_PAIR_OF_TWO __halves2half2
#define WW_MAKE2 make_half2
#define WW_LOW __low2half
#define WW_HIGH __high2half
#define WW_LOW2 __low2half2
#define WW_HIGH2 __high2half2
#define WW_LOWS2 __lows2half2
#define WW_HIGHS2 __highs2half2
#define WW_SWAP2 __lowhigh2highlow
#define WW_PTX "f16"
#define WW_FMA_ARCH 530
#define WW_TANH_ARCH 750
#define WW_FROM_FLOAT(f) static_cast<_Float16>(f)
#define WW_FROM_DOUBLE(f) static_cast<_Float16>(f)
#define WW_FROM_INTEGER(i) static_cast<_Float16>(i)
#define WW_TO_FLOAT(h) static_cast<float>(h)
#include "warpwise/half.inc"

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;

#define CUDART_INF_FP16 __ushort_as_half(0x7c00u)
#define CUDART_NAN_FP16 __ushort_as_half(0x7fffu)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(0x0001u)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7bffu)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(0x8000u)
#define CUDART_ZERO_FP16 __ushort_as_half(0x0000u)
#define CUDART_ONE_FP16 __ushort_as_half(0x3c00u)

#include "warpwise/end_device_code.h"
