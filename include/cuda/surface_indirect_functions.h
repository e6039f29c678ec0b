// surf1Dread, surf2Dwrite and the other functions for surface objects (CUDA C++ Programming Guide, "Surface Object
// API"). Part of cuda_runtime.h.
//
// A value is moved as bytes: one piece of 1, 2 or 4 bytes, or two or four words. x counts bytes.
#pragma once

#if defined(__cplusplus) && defined(__CUDACC__)

#include "vector_types.h"

#define __WARPWISE_LIST(...) __VA_ARGS__
#ifdef __CUDA_ARCH__
// The five sizes with one boundary mode; `place` is the text of the coordinates, with named registers.
#define __WARPWISE_SURF_MODE(name, mode, geometry, parameters, place, inputs)                                              \
  static __device__ __inline__ void __warpwise_##name##_read_##mode(unsigned char& v, cudaSurfaceObject_t s, __WARPWISE_LIST parameters) {  \
    unsigned short h;                                                                                                      \
    asm volatile("suld.b." geometry ".b8." #mode " %[v], [%[s], " place "];"                                              \
                 : [v] "=h"(h) : [s] "l"(s), __WARPWISE_LIST inputs : "memory");                                           \
    v = (unsigned char)h;                                                                                                  \
  }                                                                                                                        \
  static __device__ __inline__ void __warpwise_##name##_read_##mode(unsigned short& v, cudaSurfaceObject_t s, __WARPWISE_LIST parameters) { \
    asm volatile("suld.b." geometry ".b16." #mode " %[v], [%[s], " place "];"                                             \
                 : [v] "=h"(v) : [s] "l"(s), __WARPWISE_LIST inputs : "memory");                                           \
  }                                                                                                                        \
  static __device__ __inline__ void __warpwise_##name##_read_##mode(unsigned int& v, cudaSurfaceObject_t s, __WARPWISE_LIST parameters) {   \
    asm volatile("suld.b." geometry ".b32." #mode " %[v], [%[s], " place "];"                                             \
                 : [v] "=r"(v) : [s] "l"(s), __WARPWISE_LIST inputs : "memory");                                           \
  }                                                                                                                        \
  static __device__ __inline__ void __warpwise_##name##_read_##mode(uint2& v, cudaSurfaceObject_t s, __WARPWISE_LIST parameters) {          \
    asm volatile("suld.b." geometry ".v2.b32." #mode " {%[v], %[w]}, [%[s], " place "];"                                  \
                 : [v] "=r"(v.x), [w] "=r"(v.y) : [s] "l"(s), __WARPWISE_LIST inputs : "memory");                          \
  }                                                                                                                        \
  static __device__ __inline__ void __warpwise_##name##_read_##mode(uint4& v, cudaSurfaceObject_t s, __WARPWISE_LIST parameters) {          \
    asm volatile("suld.b." geometry ".v4.b32." #mode " {%[a], %[b], %[c], %[d]}, [%[s], " place "];"                      \
                 : [a] "=r"(v.x), [b] "=r"(v.y), [c] "=r"(v.z), [d] "=r"(v.w)                                              \
                 : [s] "l"(s), __WARPWISE_LIST inputs : "memory");                                                         \
  }                                                                                                                        \
  static __device__ __inline__ void __warpwise_##name##_write_##mode(unsigned char v, cudaSurfaceObject_t s, __WARPWISE_LIST parameters) {  \
    asm volatile("sust.b." geometry ".b8." #mode " [%[s], " place "], %[v];"                                              \
                 : : [v] "h"((unsigned short)v), [s] "l"(s), __WARPWISE_LIST inputs : "memory");                           \
  }                                                                                                                        \
  static __device__ __inline__ void __warpwise_##name##_write_##mode(unsigned short v, cudaSurfaceObject_t s, __WARPWISE_LIST parameters) { \
    asm volatile("sust.b." geometry ".b16." #mode " [%[s], " place "], %[v];"                                             \
                 : : [v] "h"(v), [s] "l"(s), __WARPWISE_LIST inputs : "memory");                                           \
  }                                                                                                                        \
  static __device__ __inline__ void __warpwise_##name##_write_##mode(unsigned int v, cudaSurfaceObject_t s, __WARPWISE_LIST parameters) {   \
    asm volatile("sust.b." geometry ".b32." #mode " [%[s], " place "], %[v];"                                             \
                 : : [v] "r"(v), [s] "l"(s), __WARPWISE_LIST inputs : "memory");                                           \
  }                                                                                                                        \
  static __device__ __inline__ void __warpwise_##name##_write_##mode(uint2 v, cudaSurfaceObject_t s, __WARPWISE_LIST parameters) {          \
    asm volatile("sust.b." geometry ".v2.b32." #mode " [%[s], " place "], {%[v], %[w]};"                                  \
                 : : [v] "r"(v.x), [w] "r"(v.y), [s] "l"(s), __WARPWISE_LIST inputs : "memory");                           \
  }                                                                                                                        \
  static __device__ __inline__ void __warpwise_##name##_write_##mode(uint4 v, cudaSurfaceObject_t s, __WARPWISE_LIST parameters) {          \
    asm volatile("sust.b." geometry ".v4.b32." #mode " [%[s], " place "], {%[a], %[b], %[c], %[d]};"                      \
                 : : [a] "r"(v.x), [b] "r"(v.y), [c] "r"(v.z), [d] "r"(v.w), [s] "l"(s), __WARPWISE_LIST inputs : "memory");\
  }

template <int> struct __warpwise_surface_bytes;
template <> struct __warpwise_surface_bytes<1> { typedef unsigned char type; };
template <> struct __warpwise_surface_bytes<2> { typedef unsigned short type; };
template <> struct __warpwise_surface_bytes<4> { typedef unsigned int type; };
template <> struct __warpwise_surface_bytes<8> { typedef uint2 type; };
template <> struct __warpwise_surface_bytes<16> { typedef uint4 type; };

// read and write with the mode as a value, in the forms that programs call.
#define __WARPWISE_SURF(name, geometry, parameters, arguments, place, inputs)                                              \
  __WARPWISE_SURF_MODE(name, trap, geometry, parameters, place, inputs)                                                    \
  __WARPWISE_SURF_MODE(name, clamp, geometry, parameters, place, inputs)                                                   \
  __WARPWISE_SURF_MODE(name, zero, geometry, parameters, place, inputs)                                                    \
  template <class T>                                                                                                       \
  static __device__ __inline__ T name##read(cudaSurfaceObject_t s, __WARPWISE_LIST parameters,                             \
                                            cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                         \
    typename __warpwise_surface_bytes<sizeof(T)>::type bytes;                                                              \
    if (mode == cudaBoundaryModeZero) __warpwise_##name##_read_zero(bytes, s, __WARPWISE_LIST arguments);                  \
    else if (mode == cudaBoundaryModeClamp) __warpwise_##name##_read_clamp(bytes, s, __WARPWISE_LIST arguments);           \
    else __warpwise_##name##_read_trap(bytes, s, __WARPWISE_LIST arguments);                                               \
    T value;                                                                                                               \
    __builtin_memcpy(&value, &bytes, sizeof value);                                                                        \
    return value;                                                                                                          \
  }                                                                                                                        \
  template <class T>                                                                                                       \
  static __device__ __inline__ void name##read(T* value, cudaSurfaceObject_t s, __WARPWISE_LIST parameters,                \
                                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                      \
    *value = name##read<T>(s, __WARPWISE_LIST arguments, mode);                                                            \
  }                                                                                                                        \
  template <class T>                                                                                                       \
  static __device__ __inline__ void name##write(T value, cudaSurfaceObject_t s, __WARPWISE_LIST parameters,                \
                                                cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                     \
    typename __warpwise_surface_bytes<sizeof(T)>::type bytes;                                                              \
    __builtin_memcpy(&bytes, &value, sizeof value);                                                                        \
    if (mode == cudaBoundaryModeZero) __warpwise_##name##_write_zero(bytes, s, __WARPWISE_LIST arguments);                 \
    else if (mode == cudaBoundaryModeClamp) __warpwise_##name##_write_clamp(bytes, s, __WARPWISE_LIST arguments);          \
    else __warpwise_##name##_write_trap(bytes, s, __WARPWISE_LIST arguments);                                              \
  }

#else
// Host code only needs their declarations.
#define __WARPWISE_SURF(name, geometry, parameters, arguments, place, inputs)                                              \
  template <class T> __device__ T name##read(cudaSurfaceObject_t s, __WARPWISE_LIST parameters,                            \
                                             cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);                         \
  template <class T> __device__ void name##read(T* value, cudaSurfaceObject_t s, __WARPWISE_LIST parameters,               \
                                                cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);                      \
  template <class T> __device__ void name##write(T value, cudaSurfaceObject_t s, __WARPWISE_LIST parameters,               \
                                                 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
#endif

#include "warpwise/surface_functions.inc"

#undef __WARPWISE_SURF
#undef __WARPWISE_SURF_MODE
#undef __WARPWISE_LIST

#endif
