// tex1D, tex2D, tex3D and the other functions for texture objects (CUDA C++ Programming Guide, "Texture Object API").
// Part of cuda_runtime.h.
#pragma once

#if defined(__cplusplus) && defined(__CUDACC__)

#include "warpwise/texel.h"

#define __WARPWISE_LIST(...) __VA_ARGS__
#ifdef __CUDA_ARCH__
#define __WARPWISE_TEX_KIND(name, quad, letter, type, parameters, instruction, coordinate, tail, inputs)                    \
  static __device__ __inline__ void __warpwise_##name(quad& r, cudaTextureObject_t t, __WARPWISE_LIST parameters) {         \
    asm(instruction "." type "." coordinate " {%0, %1, %2, %3}, [%4, " tail ";"                                             \
        : "=" letter(r.x), "=" letter(r.y), "=" letter(r.z), "=" letter(r.w)                                                \
        : "l"(t), __WARPWISE_LIST inputs);                                                                                  \
  }
// The asm for the three kinds of result.
#define __WARPWISE_TEX_ASM(name, parameters, instruction, coordinate, tail, inputs)                       \
  __WARPWISE_TEX_KIND(name, int4, "r", "s32", parameters, instruction, coordinate, tail, inputs)          \
  __WARPWISE_TEX_KIND(name, uint4, "r", "u32", parameters, instruction, coordinate, tail, inputs)         \
  __WARPWISE_TEX_KIND(name, float4, "f", "f32", parameters, instruction, coordinate, tail, inputs)
// ... and the two forms that programs call.
#define __WARPWISE_TEX(name, parameters, arguments, instruction, coordinate, tail, inputs)                \
  __WARPWISE_TEX_ASM(name, parameters, instruction, coordinate, tail, inputs)                             \
  template <class T>                                                                                      \
  static __device__ __inline__ T name(cudaTextureObject_t t, __WARPWISE_LIST parameters) {                \
    typename __warpwise_texel<T>::four q;                                                                 \
    __warpwise_##name(q, t, __WARPWISE_LIST arguments);                                                   \
    return __warpwise_texel<T>::from(q);                                                                  \
  }                                                                                                       \
  template <class T>                                                                                      \
  static __device__ __inline__ void name(T* r, cudaTextureObject_t t, __WARPWISE_LIST parameters) {       \
    *r = name<T>(t, __WARPWISE_LIST arguments);                                                           \
  }

#else
// Host code only needs their declarations.
#define __WARPWISE_TEX(name, parameters, arguments, instruction, coordinate, tail, inputs)                          \
  template <class T> __device__ T name(cudaTextureObject_t t, __WARPWISE_LIST parameters);                          \
  template <class T> __device__ void name(T* r, cudaTextureObject_t t, __WARPWISE_LIST parameters);
#endif

#include "warpwise/texture_functions.inc"

#ifdef __CUDA_ARCH__
__WARPWISE_TEX_ASM(gather_r, (float x, float y), "tld4.r.2d.v4", "f32", "{%5, %6}]", ("f"(x), "f"(y)))
__WARPWISE_TEX_ASM(gather_g, (float x, float y), "tld4.g.2d.v4", "f32", "{%5, %6}]", ("f"(x), "f"(y)))
__WARPWISE_TEX_ASM(gather_b, (float x, float y), "tld4.b.2d.v4", "f32", "{%5, %6}]", ("f"(x), "f"(y)))
__WARPWISE_TEX_ASM(gather_a, (float x, float y), "tld4.a.2d.v4", "f32", "{%5, %6}]", ("f"(x), "f"(y)))
template <class T>
static __device__ __inline__ T tex2Dgather(cudaTextureObject_t t, float x, float y, int component = 0) {
  typename __warpwise_texel<T>::four q;
  if (component == 0) __warpwise_gather_r(q, t, x, y);
  else if (component == 1) __warpwise_gather_g(q, t, x, y);
  else if (component == 2) __warpwise_gather_b(q, t, x, y);
  else __warpwise_gather_a(q, t, x, y);
  return __warpwise_texel<T>::from(q);
}
template <class T>
static __device__ __inline__ void tex2Dgather(T* r, cudaTextureObject_t t, float x, float y, int component = 0) {
  *r = tex2Dgather<T>(t, x, y, component);
}
// There are no sparse textures, so every texel is resident.
template <class T>
static __device__ __inline__ T tex2D(cudaTextureObject_t t, float x, float y, bool* resident) {
  *resident = true;
  return tex2D<T>(t, x, y);
}
template <class T>
static __device__ __inline__ T tex3D(cudaTextureObject_t t, float x, float y, float z, bool* resident) {
  *resident = true;
  return tex3D<T>(t, x, y, z);
}
#else
template <class T> __device__ T tex2Dgather(cudaTextureObject_t t, float x, float y, int component = 0);
template <class T> __device__ void tex2Dgather(T* r, cudaTextureObject_t t, float x, float y, int component = 0);
template <class T> __device__ T tex2D(cudaTextureObject_t t, float x, float y, bool* resident);
template <class T> __device__ T tex3D(cudaTextureObject_t t, float x, float y, float z, bool* resident);
#endif

#undef __WARPWISE_TEX
#undef __WARPWISE_TEX_ASM
#undef __WARPWISE_TEX_KIND
#undef __WARPWISE_LIST

#endif
