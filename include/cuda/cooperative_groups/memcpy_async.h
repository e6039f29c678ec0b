// Copies that a group performs together (CUDA C++ programming guide, "memcpy_async"): asynchronous from global to
// shared memory where both sides are aligned to 4 bytes at least, ordinary copies elsewhere.
#pragma once

#include "../cuda_runtime.h"
#ifdef __CUDACC__  // host sources (.cpp) get nothing
#include "../cooperative_groups.h"
#include "../cuda_pipeline_primitives.h"
#include "../warpwise/begin_device_code.h"

namespace cooperative_groups {
namespace details {

// Pieces of `Unit` bytes, one after the other by rank.
template <unsigned Unit, class Group>
inline __device__ void copy_pieces(const Group& group, char* to, const char* from, size_t bytes, bool asynchronous) {
  struct alignas(Unit) Piece {
    char bytes[Unit];
  };
  for (size_t at = size_t{group.thread_rank()} * Unit; at + Unit <= bytes; at += size_t{group.size()} * Unit) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    if constexpr (Unit >= 4) {
      if (asynchronous) {
        __pipeline_memcpy_async(to + at, from + at, Unit);
        continue;
      }
    }
#endif
    *reinterpret_cast<Piece*>(to + at) = *reinterpret_cast<const Piece*>(from + at);
  }
}

template <class Group>
inline __device__ void copy_together(const Group& group, void* to, const void* from, size_t bytes) {
  char* target = static_cast<char*>(to);
  const char* source = static_cast<const char*>(from);
  const bool asynchronous = __isShared(to) && __isGlobal(from);
  const size_t misalignment = reinterpret_cast<size_t>(to) | reinterpret_cast<size_t>(from);
  const size_t unit = misalignment % 16 == 0 ? 16 : misalignment % 8 == 0 ? 8 : misalignment % 4 == 0 ? 4 : 1;
  const size_t whole = bytes - bytes % unit;
  if (unit == 16) copy_pieces<16>(group, target, source, whole, asynchronous);
  else if (unit == 8) copy_pieces<8>(group, target, source, whole, asynchronous);
  else if (unit == 4) copy_pieces<4>(group, target, source, whole, asynchronous);
  copy_pieces<1>(group, target + (unit == 1 ? 0 : whole), source + (unit == 1 ? 0 : whole), unit == 1 ? bytes : bytes - whole, false);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  __pipeline_commit();
#endif
}

}  // namespace details

// `shape`: bytes, as a number or as a type that converts to one (cuda::aligned_size_t).
template <class Group, class T, class Shape>
inline __device__ void memcpy_async(const Group& group, T* dst, const T* src, const Shape& shape) {
  details::copy_together(group, dst, src, static_cast<size_t>(shape));
}
// Layouts: elements of either side; the smaller number is copied.
template <class Group, class T, class DstLayout, class SrcLayout>
inline __device__ void memcpy_async(const Group& group, T* dst, const DstLayout& dst_layout, const T* src, const SrcLayout& src_layout) {
  const size_t to = static_cast<size_t>(dst_layout), from = static_cast<size_t>(src_layout);
  details::copy_together(group, dst, src, (to < from ? to : from) * sizeof(T));
}

// Waits for all copies but those of the last `Stages` calls, and for the group.
template <unsigned int Stages, class Group>
inline __device__ void wait_prior(const Group& group) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  __pipeline_wait_prior(Stages);
#endif
  group.sync();
}
template <class Group>
inline __device__ void wait(const Group& group) {
  wait_prior<0>(group);
}

}  // namespace cooperative_groups

#include "../warpwise/end_device_code.h"

#endif  // __CUDACC__
