// Texture and surface references, which programs used before texture objects (CUDA C++ Programming Guide 11.8, "Texture
// Reference API").
//
//     texture<float, cudaTextureType2D> image;       // a variable of both halves; Clang makes a .texref of it
//     cudaBindTextureToArray(image, array);          // host: src/cuda/runtime/texture/texture_reference.cpp
//     float v = tex2D(image, x, y);                  // device
//
// CUDA 12 removed them. Newer programs use the names `texture` and `surface` for their own entities, so this header is
// not part of cuda_runtime.h: the toolchain includes it for sources that have such references (toolchain/includes.h).
#pragma once

#include "../cuda_runtime.h"

#include <limits.h>

#define cudaTextureType1D 0x01
#define cudaTextureType2D 0x02
#define cudaTextureType3D 0x03
#define cudaTextureTypeCubemap 0x0C
#define cudaTextureType1DLayered 0xF1
#define cudaTextureType2DLayered 0xF2
#define cudaTextureTypeCubemapLayered 0xFC
#define cudaSurfaceType1D 0x01
#define cudaSurfaceType2D 0x02
#define cudaSurfaceType3D 0x03
#define cudaSurfaceTypeCubemap 0x0C
#define cudaSurfaceType1DLayered 0xF1
#define cudaSurfaceType2DLayered 0xF2
#define cudaSurfaceTypeCubemapLayered 0xFC

struct textureReference {
  int normalized;
  enum cudaTextureFilterMode filterMode;
  enum cudaTextureAddressMode addressMode[3];
  struct cudaChannelFormatDesc channelDesc;
  int sRGB;
  unsigned int maxAnisotropy;
  enum cudaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
  int disableTrilinearOptimization;
};
struct surfaceReference { struct cudaChannelFormatDesc channelDesc; };

// --- the host's functions ---------------------------------------------------------------------------
extern "C" {
cudaError_t cudaBindTexture(size_t* offset, const struct textureReference* texture, const void* pointer,
                            const struct cudaChannelFormatDesc* format, size_t size = UINT_MAX);
cudaError_t cudaBindTexture2D(size_t* offset, const struct textureReference* texture, const void* pointer,
                              const struct cudaChannelFormatDesc* format, size_t width, size_t height, size_t pitch);
cudaError_t cudaBindTextureToArray(const struct textureReference* texture, cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc* format);
cudaError_t cudaBindTextureToMipmappedArray(const struct textureReference* texture, cudaMipmappedArray_const_t array,
                                            const struct cudaChannelFormatDesc* format);
cudaError_t cudaUnbindTexture(const struct textureReference* texture);
cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const struct textureReference* texture);
cudaError_t cudaGetTextureReference(const struct textureReference** texture, const void* symbol);
cudaError_t cudaBindSurfaceToArray(const struct surfaceReference* surface, cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc* format);
cudaError_t cudaGetSurfaceReference(const struct surfaceReference** surface, const void* symbol);
}

template <class T, int dimensions = cudaTextureType1D, enum cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : public textureReference {
  __host__ texture(int coordinates_normalized = 0, enum cudaTextureFilterMode filter = cudaFilterModePoint,
                   enum cudaTextureAddressMode address = cudaAddressModeClamp)
      : texture(coordinates_normalized, filter, address, cudaCreateChannelDesc<T>()) {}
  __host__ texture(int coordinates_normalized, enum cudaTextureFilterMode filter, enum cudaTextureAddressMode address,
                   struct cudaChannelFormatDesc format)
      : textureReference() {
    normalized = coordinates_normalized;
    filterMode = filter;
    addressMode[0] = addressMode[1] = addressMode[2] = address;
    channelDesc = format;
  }
};

template <class T, int dimensions = cudaSurfaceType1D>
struct __attribute__((device_builtin_surface_type)) surface;
template <int dimensions>
struct __attribute__((device_builtin_surface_type)) surface<void, dimensions> : public surfaceReference {
  __host__ surface() : surfaceReference() {}
};

template <class T, int d, enum cudaTextureReadMode m>
cudaError_t cudaBindTexture(size_t* offset, const texture<T, d, m>& t, const void* pointer, const struct cudaChannelFormatDesc& format,
                            size_t size = UINT_MAX) {
  return cudaBindTexture(offset, &t, pointer, &format, size);
}
template <class T, int d, enum cudaTextureReadMode m>
cudaError_t cudaBindTexture(size_t* offset, const texture<T, d, m>& t, const void* pointer, size_t size = UINT_MAX) {
  return cudaBindTexture(offset, &t, pointer, &t.channelDesc, size);
}
template <class T, int d, enum cudaTextureReadMode m>
cudaError_t cudaBindTexture2D(size_t* offset, const texture<T, d, m>& t, const void* pointer, const struct cudaChannelFormatDesc& format,
                              size_t width, size_t height, size_t pitch) {
  return cudaBindTexture2D(offset, &t, pointer, &format, width, height, pitch);
}
template <class T, int d, enum cudaTextureReadMode m>
cudaError_t cudaBindTexture2D(size_t* offset, const texture<T, d, m>& t, const void* pointer, size_t width, size_t height, size_t pitch) {
  return cudaBindTexture2D(offset, &t, pointer, &t.channelDesc, width, height, pitch);
}
template <class T, int d, enum cudaTextureReadMode m>
cudaError_t cudaBindTextureToArray(const texture<T, d, m>& t, cudaArray_const_t array, const struct cudaChannelFormatDesc& format) {
  return cudaBindTextureToArray(&t, array, &format);
}
template <class T, int d, enum cudaTextureReadMode m>
cudaError_t cudaBindTextureToArray(const texture<T, d, m>& t, cudaArray_const_t array) {
  return cudaBindTextureToArray(&t, array, &t.channelDesc);
}
template <class T, int d, enum cudaTextureReadMode m>
cudaError_t cudaBindTextureToMipmappedArray(const texture<T, d, m>& t, cudaMipmappedArray_const_t array,
                                            const struct cudaChannelFormatDesc& format) {
  return cudaBindTextureToMipmappedArray(&t, array, &format);
}
template <class T, int d, enum cudaTextureReadMode m>
cudaError_t cudaBindTextureToMipmappedArray(const texture<T, d, m>& t, cudaMipmappedArray_const_t array) {
  return cudaBindTextureToMipmappedArray(&t, array, &t.channelDesc);
}
template <class T, int d, enum cudaTextureReadMode m>
cudaError_t cudaUnbindTexture(const texture<T, d, m>& t) { return cudaUnbindTexture(&t); }
template <class T, int d, enum cudaTextureReadMode m>
cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const texture<T, d, m>& t) { return cudaGetTextureAlignmentOffset(offset, &t); }
template <class T, int d>
cudaError_t cudaBindSurfaceToArray(const surface<T, d>& s, cudaArray_const_t array, const struct cudaChannelFormatDesc& format) {
  return cudaBindSurfaceToArray(&s, array, &format);
}
template <class T, int d>
cudaError_t cudaBindSurfaceToArray(const surface<T, d>& s, cudaArray_const_t array) { return cudaBindSurfaceToArray(&s, array, &s.channelDesc); }

// --- what kernels read ------------------------------------------------------------------------------
// The type of a texel: its element type, or floats of as many components.
template <class T, enum cudaTextureReadMode mode> struct __warpwise_fetched { typedef T type; };
#define __WARPWISE_NORMALIZED(scalar, name)                                                                   \
  template <> struct __warpwise_fetched<scalar, cudaReadModeNormalizedFloat> { typedef float type; };         \
  template <> struct __warpwise_fetched<name##1, cudaReadModeNormalizedFloat> { typedef float1 type; };       \
  template <> struct __warpwise_fetched<name##2, cudaReadModeNormalizedFloat> { typedef float2 type; };       \
  template <> struct __warpwise_fetched<name##4, cudaReadModeNormalizedFloat> { typedef float4 type; };
__WARPWISE_NORMALIZED(signed char, char)
__WARPWISE_NORMALIZED(unsigned char, uchar)
__WARPWISE_NORMALIZED(short, short)
__WARPWISE_NORMALIZED(unsigned short, ushort)
template <> struct __warpwise_fetched<char, cudaReadModeNormalizedFloat> { typedef float type; };
#undef __WARPWISE_NORMALIZED

#include "begin_device_code.h"

// The binding of a reference takes the place of an object: instructions use the address of the .texref or .surfref as
// its handle.
#ifdef __CUDA_ARCH__
template <class Reference>
static __device__ __inline__ cudaTextureObject_t __warpwise_object_of(Reference reference) {
  cudaTextureObject_t object;
  asm("mov.b64 %0, %1;" : "=l"(object) : "l"(reference));
  return object;
}
#define __WARPWISE_BODY(...) { __VA_ARGS__; }
#else
#define __WARPWISE_BODY(...) ;
#endif

#define __WARPWISE_LIST(...) __VA_ARGS__
#define __WARPWISE_TEX(name, parameters, arguments, instruction, coordinate, tail, inputs)                                          \
  template <class T, int d, enum cudaTextureReadMode m>                                                                             \
  static __device__ __inline__ typename __warpwise_fetched<T, m>::type name(texture<T, d, m> t, __WARPWISE_LIST parameters)         \
  __WARPWISE_BODY(return name<typename __warpwise_fetched<T, m>::type>(__warpwise_object_of(t), __WARPWISE_LIST arguments))
#include "texture_functions.inc"
#undef __WARPWISE_TEX

template <class T, int d, enum cudaTextureReadMode m>
static __device__ __inline__ typename __warpwise_fetched<T, m>::type tex2Dgather(texture<T, d, m> t, float x, float y, int component = 0)
__WARPWISE_BODY(return tex2Dgather<typename __warpwise_fetched<T, m>::type>(__warpwise_object_of(t), x, y, component))

#define __WARPWISE_SURF(name, geometry, parameters, arguments, place, inputs)                                                       \
  template <class T, class U, int d>                                                                                                \
  static __device__ __inline__ T name##read(surface<U, d> s, __WARPWISE_LIST parameters,                                            \
                                            enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                               \
  __WARPWISE_BODY(return name##read<T>(__warpwise_object_of(s), __WARPWISE_LIST arguments, mode))                                   \
  template <class T, class U, int d>                                                                                                \
  static __device__ __inline__ void name##read(T* value, surface<U, d> s, __WARPWISE_LIST parameters,                               \
                                               enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                            \
  __WARPWISE_BODY(name##read<T>(value, __warpwise_object_of(s), __WARPWISE_LIST arguments, mode))                                   \
  template <class T, class U, int d>                                                                                                \
  static __device__ __inline__ void name##write(T value, surface<U, d> s, __WARPWISE_LIST parameters,                               \
                                                enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                           \
  __WARPWISE_BODY(name##write<T>(value, __warpwise_object_of(s), __WARPWISE_LIST arguments, mode))
#include "surface_functions.inc"
#undef __WARPWISE_SURF
#undef __WARPWISE_LIST
#undef __WARPWISE_BODY

#include "end_device_code.h"
