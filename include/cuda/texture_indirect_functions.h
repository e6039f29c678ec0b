// tex1D, tex2D, tex3D and their kin for texture objects (CUDA C++ Programming Guide, "Texture Object API"). Part of
// cuda_runtime.h.
//
// Each row names a function, its parameters, the PTX instruction in front of the result's type, the type of its coordinates, what
// stands behind the result, and the operands of the asm.
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
// The asm in all three kinds.
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
// The host half only has to know that they exist.
#define __WARPWISE_TEX(name, parameters, arguments, instruction, coordinate, tail, inputs)                          \
  template <class T> __device__ T name(cudaTextureObject_t t, __WARPWISE_LIST parameters);                          \
  template <class T> __device__ void name(T* r, cudaTextureObject_t t, __WARPWISE_LIST parameters);
#endif

__WARPWISE_TEX(tex1Dfetch, (int x), (x), "tex.1d.v4", "s32", "{%5}]", ("r"(x)))
__WARPWISE_TEX(tex1D, (float x), (x), "tex.1d.v4", "f32", "{%5}]", ("f"(x)))
__WARPWISE_TEX(tex2D, (float x, float y), (x, y), "tex.2d.v4", "f32", "{%5, %6}]", ("f"(x), "f"(y)))
__WARPWISE_TEX(tex3D, (float x, float y, float z), (x, y, z), "tex.3d.v4", "f32", "{%5, %6, %7, %7}]", ("f"(x), "f"(y), "f"(z)))
__WARPWISE_TEX(texCubemap, (float x, float y, float z), (x, y, z), "tex.cube.v4", "f32", "{%5, %6, %7, %7}]",
               ("f"(x), "f"(y), "f"(z)))
__WARPWISE_TEX(tex1DLayered, (float x, int layer), (x, layer), "tex.a1d.v4", "f32", "{%5, %6}]", ("r"(layer), "f"(x)))
__WARPWISE_TEX(tex2DLayered, (float x, float y, int layer), (x, y, layer), "tex.a2d.v4", "f32", "{%5, %6, %7, %7}]",
               ("r"(layer), "f"(x), "f"(y)))
__WARPWISE_TEX(texCubemapLayered, (float x, float y, float z, int layer), (x, y, z, layer), "tex.acube.v4", "f32",
               "{%5, %6, %7, %8}]", ("r"(layer), "f"(x), "f"(y), "f"(z)))

__WARPWISE_TEX(tex1DLod, (float x, float level), (x, level), "tex.level.1d.v4", "f32", "{%5}], %6", ("f"(x), "f"(level)))
__WARPWISE_TEX(tex2DLod, (float x, float y, float level), (x, y, level), "tex.level.2d.v4", "f32", "{%5, %6}], %7",
               ("f"(x), "f"(y), "f"(level)))
__WARPWISE_TEX(tex3DLod, (float x, float y, float z, float level), (x, y, z, level), "tex.level.3d.v4", "f32",
               "{%5, %6, %7, %7}], %8", ("f"(x), "f"(y), "f"(z), "f"(level)))
__WARPWISE_TEX(texCubemapLod, (float x, float y, float z, float level), (x, y, z, level), "tex.level.cube.v4", "f32",
               "{%5, %6, %7, %7}], %8", ("f"(x), "f"(y), "f"(z), "f"(level)))
__WARPWISE_TEX(tex1DLayeredLod, (float x, int layer, float level), (x, layer, level), "tex.level.a1d.v4", "f32", "{%5, %6}], %7",
               ("r"(layer), "f"(x), "f"(level)))
__WARPWISE_TEX(tex2DLayeredLod, (float x, float y, int layer, float level), (x, y, layer, level), "tex.level.a2d.v4", "f32",
               "{%5, %6, %7, %7}], %8", ("r"(layer), "f"(x), "f"(y), "f"(level)))
__WARPWISE_TEX(texCubemapLayeredLod, (float x, float y, float z, int layer, float level), (x, y, z, layer, level),
               "tex.level.acube.v4", "f32", "{%5, %6, %7, %8}], %9", ("r"(layer), "f"(x), "f"(y), "f"(z), "f"(level)))

__WARPWISE_TEX(tex1DGrad, (float x, float dx, float dy), (x, dx, dy), "tex.grad.1d.v4", "f32", "{%5}], {%6}, {%7}",
               ("f"(x), "f"(dx), "f"(dy)))
__WARPWISE_TEX(tex2DGrad, (float x, float y, float2 dx, float2 dy), (x, y, dx, dy), "tex.grad.2d.v4", "f32",
               "{%5, %6}], {%7, %8}, {%9, %10}", ("f"(x), "f"(y), "f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y)))
__WARPWISE_TEX(tex3DGrad, (float x, float y, float z, float4 dx, float4 dy), (x, y, z, dx, dy), "tex.grad.3d.v4", "f32",
               "{%5, %6, %7, %7}], {%8, %9, %10, %10}, {%11, %12, %13, %13}",
               ("f"(x), "f"(y), "f"(z), "f"(dx.x), "f"(dx.y), "f"(dx.z), "f"(dy.x), "f"(dy.y), "f"(dy.z)))
__WARPWISE_TEX(texCubemapGrad, (float x, float y, float z, float4 dx, float4 dy), (x, y, z, dx, dy), "tex.grad.cube.v4", "f32",
               "{%5, %6, %7, %7}], {%8, %9, %10, %10}, {%11, %12, %13, %13}",
               ("f"(x), "f"(y), "f"(z), "f"(dx.x), "f"(dx.y), "f"(dx.z), "f"(dy.x), "f"(dy.y), "f"(dy.z)))
__WARPWISE_TEX(tex1DLayeredGrad, (float x, int layer, float dx, float dy), (x, layer, dx, dy), "tex.grad.a1d.v4", "f32",
               "{%5, %6}], {%7}, {%8}", ("r"(layer), "f"(x), "f"(dx), "f"(dy)))
__WARPWISE_TEX(tex2DLayeredGrad, (float x, float y, int layer, float2 dx, float2 dy), (x, y, layer, dx, dy), "tex.grad.a2d.v4",
               "f32", "{%5, %6, %7, %7}], {%8, %9}, {%10, %11}",
               ("r"(layer), "f"(x), "f"(y), "f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y)))
__WARPWISE_TEX(texCubemapLayeredGrad, (float x, float y, float z, int layer, float4 dx, float4 dy), (x, y, z, layer, dx, dy),
               "tex.grad.acube.v4", "f32", "{%5, %6, %7, %8}], {%9, %10, %11, %11}, {%12, %13, %14, %14}",
               ("r"(layer), "f"(x), "f"(y), "f"(z), "f"(dx.x), "f"(dx.y), "f"(dx.z), "f"(dy.x), "f"(dy.y), "f"(dy.z)))

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
// Sparse textures do not exist here, so every texel is resident.
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
