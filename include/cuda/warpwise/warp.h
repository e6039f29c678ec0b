// Warp functions: votes, shuffles, matches, reductions (CUDA C++ programming guide, "Warp Vote Functions" to
// "Warp Shuffle Functions"), and synchronisation of blocks and clusters.
#pragma once

#pragma push_macro("DEVICE")
#define DEVICE static inline __attribute__((device, always_inline))

DEVICE void __syncwarp(unsigned int mask = 0xffffffffu) { __nvvm_bar_warp_sync(mask); }
DEVICE void __barrier_sync(unsigned int id) { __nvvm_barrier_sync(id); }
DEVICE void __barrier_sync_count(unsigned int id, unsigned int count) { __nvvm_barrier_sync_cnt(id, count); }
DEVICE int __all_sync(unsigned int mask, int predicate) { return __nvvm_vote_all_sync(mask, predicate); }
DEVICE int __any_sync(unsigned int mask, int predicate) { return __nvvm_vote_any_sync(mask, predicate); }
DEVICE int __uni_sync(unsigned int mask, int predicate) { return __nvvm_vote_uni_sync(mask, predicate); }
DEVICE unsigned int __ballot_sync(unsigned int mask, int predicate) { return __nvvm_vote_ballot_sync(mask, predicate); }
DEVICE unsigned int __activemask() { return __nvvm_activemask(); }

// The n-th set bit of mask, counted from base (n > 0 upwards, n < 0 downwards, n == 0: base itself if set);
// all ones when there is none. PTX ISA, "fns".
DEVICE unsigned int __fns(unsigned int mask, unsigned int base, int offset) {
  if (offset == 0) return mask >> (base & 31) & 1 ? base : 0xffffffffu;
  const int step = offset > 0 ? 1 : -1;
  int left = offset > 0 ? offset : -offset;
  for (int i = static_cast<int>(base); i >= 0 && i < 32; i += step)
    if (mask >> i & 1 && --left == 0) return static_cast<unsigned int>(i);
  return 0xffffffffu;
}

// Bits 8–12 of the last operand split the warp into segments of `width` lanes; bits 0–4 clamp the source lane
// (PTX ISA, "shfl.sync"): 31 except for up, whose sources must not fall below lane 0 of the segment.
#define WARPWISE_SHUFFLE(name, mode, clamp, Offset)                                                             \
  DEVICE int name(unsigned int mask, int v, Offset offset, int width = 32) {                                   \
    return __nvvm_shfl_sync_##mode##_i32(mask, v, static_cast<int>(offset), (32 - width) << 8 | clamp);         \
  }                                                                                                            \
  DEVICE float name(unsigned int mask, float v, Offset offset, int width = 32) {                               \
    return __nvvm_shfl_sync_##mode##_f32(mask, v, static_cast<int>(offset), (32 - width) << 8 | clamp);         \
  }                                                                                                            \
  DEVICE unsigned int name(unsigned int mask, unsigned int v, Offset offset, int width = 32) {                 \
    return static_cast<unsigned int>(name(mask, static_cast<int>(v), offset, width));                          \
  }                                                                                                            \
  DEVICE unsigned long long name(unsigned int mask, unsigned long long v, Offset offset, int width = 32) {     \
    const unsigned int low = name(mask, static_cast<unsigned int>(v), offset, width);                          \
    const unsigned int high = name(mask, static_cast<unsigned int>(v >> 32), offset, width);                   \
    return static_cast<unsigned long long>(high) << 32 | low;                                                  \
  }                                                                                                            \
  DEVICE long long name(unsigned int mask, long long v, Offset offset, int width = 32) {                       \
    return static_cast<long long>(name(mask, static_cast<unsigned long long>(v), offset, width));              \
  }                                                                                                            \
  DEVICE unsigned long name(unsigned int mask, unsigned long v, Offset offset, int width = 32) {               \
    return static_cast<unsigned long>(name(mask, static_cast<unsigned long long>(v), offset, width));          \
  }                                                                                                            \
  DEVICE long name(unsigned int mask, long v, Offset offset, int width = 32) {                                 \
    return static_cast<long>(name(mask, static_cast<unsigned long long>(v), offset, width));                   \
  }                                                                                                            \
  DEVICE double name(unsigned int mask, double v, Offset offset, int width = 32) {                             \
    return __longlong_as_double(name(mask, __double_as_longlong(v), offset, width));                           \
  }
WARPWISE_SHUFFLE(__shfl_sync, idx, 31, int)
WARPWISE_SHUFFLE(__shfl_up_sync, up, 0, unsigned int)
WARPWISE_SHUFFLE(__shfl_down_sync, down, 31, unsigned int)
WARPWISE_SHUFFLE(__shfl_xor_sync, bfly, 31, int)
#undef WARPWISE_SHUFFLE

// MATCH(type, bits of the instruction, the value as that many bits)
#define WARPWISE_MATCH(T, bits, Bits, value)                                                                   \
  DEVICE unsigned int __match_any_sync(unsigned int mask, T v) { return __nvvm_match_any_sync_i##bits(mask, value); } \
  DEVICE unsigned int __match_all_sync(unsigned int mask, T v, int* predicate) {                               \
    return __nvvm_match_all_sync_i##bits##p(mask, value, predicate);                                           \
  }
WARPWISE_MATCH(int, 32, unsigned int, static_cast<unsigned int>(v))
WARPWISE_MATCH(unsigned int, 32, unsigned int, v)
WARPWISE_MATCH(float, 32, unsigned int, __float_as_uint(v))
WARPWISE_MATCH(long, 64, unsigned long long, static_cast<unsigned long long>(v))
WARPWISE_MATCH(unsigned long, 64, unsigned long long, v)
WARPWISE_MATCH(long long, 64, unsigned long long, static_cast<unsigned long long>(v))
WARPWISE_MATCH(unsigned long long, 64, unsigned long long, v)
WARPWISE_MATCH(double, 64, unsigned long long, static_cast<unsigned long long>(__double_as_longlong(v)))
#undef WARPWISE_MATCH

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
// Clang's builtins take the value first, as the instruction does.
DEVICE unsigned int __reduce_add_sync(unsigned int mask, unsigned int v) { return __nvvm_redux_sync_add(v, mask); }
DEVICE int __reduce_add_sync(unsigned int mask, int v) { return static_cast<int>(__nvvm_redux_sync_add(v, mask)); }
DEVICE unsigned int __reduce_min_sync(unsigned int mask, unsigned int v) { return __nvvm_redux_sync_umin(v, mask); }
DEVICE int __reduce_min_sync(unsigned int mask, int v) { return __nvvm_redux_sync_min(v, mask); }
DEVICE unsigned int __reduce_max_sync(unsigned int mask, unsigned int v) { return __nvvm_redux_sync_umax(v, mask); }
DEVICE int __reduce_max_sync(unsigned int mask, int v) { return __nvvm_redux_sync_max(v, mask); }
DEVICE unsigned int __reduce_and_sync(unsigned int mask, unsigned int v) { return __nvvm_redux_sync_and(v, mask); }
DEVICE unsigned int __reduce_or_sync(unsigned int mask, unsigned int v) { return __nvvm_redux_sync_or(v, mask); }
DEVICE unsigned int __reduce_xor_sync(unsigned int mask, unsigned int v) { return __nvvm_redux_sync_xor(v, mask); }
#endif

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
// --- thread block clusters --------------------------------------------------------------------------
DEVICE void __cluster_barrier_arrive() { __nvvm_barrier_cluster_arrive(); }
DEVICE void __cluster_barrier_arrive_relaxed() { __nvvm_barrier_cluster_arrive_relaxed(); }
DEVICE void __cluster_barrier_wait() { __nvvm_barrier_cluster_wait(); }
DEVICE void __threadfence_cluster() { __nvvm_fence_sc_cluster(); }
DEVICE void* __cluster_map_shared_rank(const void* p, unsigned int rank) { return __nvvm_mapa(const_cast<void*>(p), rank); }
DEVICE unsigned int __cluster_query_shared_rank(const void* p) { return __nvvm_getctarank(const_cast<void*>(p)); }
DEVICE unsigned int __clusterDimIsSpecified() { return __nvvm_is_explicit_cluster(); }
DEVICE unsigned int __clusterRelativeBlockRank() { return __nvvm_read_ptx_sreg_cluster_ctarank(); }
DEVICE unsigned int __clusterSizeInBlocks() { return __nvvm_read_ptx_sreg_cluster_nctarank(); }
#define WARPWISE_CLUSTER_DIM(name, sreg)                                                              \
  DEVICE dim3 name() {                                                                                \
    return dim3(__nvvm_read_ptx_sreg_##sreg##_x(), __nvvm_read_ptx_sreg_##sreg##_y(), __nvvm_read_ptx_sreg_##sreg##_z()); \
  }
WARPWISE_CLUSTER_DIM(__clusterDim, cluster_nctaid)
WARPWISE_CLUSTER_DIM(__clusterRelativeBlockIdx, cluster_ctaid)
WARPWISE_CLUSTER_DIM(__clusterGridDimInClusters, nclusterid)
WARPWISE_CLUSTER_DIM(__clusterIdx, clusterid)
#undef WARPWISE_CLUSTER_DIM
#endif
#pragma pop_macro("DEVICE")
