// nvJitLink: modules of device code linked at run time, as libnvJitLink exports it. (Reference: nvJitLink manual, CUDA
// 13.0.)
#pragma once

#include <stdint.h>
#include <stdlib.h>

typedef enum {
#define NVJITLINK_RESULT(name, value) name = value,
#include "warpwise/nvjitlink_results.inc"
#undef NVJITLINK_RESULT
} nvJitLinkResult;

typedef enum {
  NVJITLINK_INPUT_NONE = 0,
  NVJITLINK_INPUT_CUBIN = 1,
  NVJITLINK_INPUT_PTX = 2,
  NVJITLINK_INPUT_LTOIR = 3,
  NVJITLINK_INPUT_FATBIN = 4,
  NVJITLINK_INPUT_OBJECT = 5,
  NVJITLINK_INPUT_LIBRARY = 6,
  NVJITLINK_INPUT_INDEX = 7,
  NVJITLINK_INPUT_ANY = 10
} nvJitLinkInputType;

typedef struct nvJitLink* nvJitLinkHandle;

#ifdef __cplusplus
extern "C" {
#endif
#define NVJITLINK(name, parameters) nvJitLinkResult name parameters;
#include "warpwise/nvjitlink_api.inc"
#undef NVJITLINK
#ifdef __cplusplus
}
#endif
