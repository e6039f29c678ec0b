// The groups inside a warp: coalesced_group, and tiles of up to 32 threads.
#pragma once

#include "details.h"

namespace cooperative_groups {

// Threads of one warp, named by the mask of their lanes. Ranks count its lanes from the lowest.
class coalesced_group {
 public:
  explicit WARPWISE_CGM coalesced_group(unsigned int mask, unsigned int meta_rank = 0, unsigned int meta_size = 1)
      : mask_(mask), meta_rank_(meta_rank), meta_size_(meta_size) {}
  WARPWISE_CGM void sync() const { __syncwarp(mask_); }
  WARPWISE_CGM unsigned int num_threads() const { return static_cast<unsigned int>(__popc(mask_)); }
  WARPWISE_CGM unsigned int size() const { return num_threads(); }
  WARPWISE_CGM unsigned int thread_rank() const { return static_cast<unsigned int>(__popc(mask_ & details::lanes_below())); }
  WARPWISE_CGM unsigned int meta_group_rank() const { return meta_rank_; }
  WARPWISE_CGM unsigned int meta_group_size() const { return meta_size_; }
  template <class T> WARPWISE_CGM T shfl(T v, unsigned int rank) const {
    return from_lane(v, mask_ == 0xffffffffu ? rank % 32 : details::nth_lane(mask_, rank % num_threads()));
  }
  template <class T> WARPWISE_CGM T shfl_down(T v, unsigned int delta) const {
    const unsigned int from = thread_rank() + delta;
    return from_lane(v, from < num_threads() ? details::nth_lane(mask_, from) : details::lane());
  }
  template <class T> WARPWISE_CGM T shfl_up(T v, unsigned int delta) const {
    const unsigned int rank = thread_rank();
    return from_lane(v, rank >= delta ? details::nth_lane(mask_, rank - delta) : details::lane());
  }
  WARPWISE_CGM int any(int predicate) const { return __any_sync(mask_, predicate); }
  WARPWISE_CGM int all(int predicate) const { return __all_sync(mask_, predicate); }
  // Bit i stands for the thread of rank i.
  WARPWISE_CGM unsigned int ballot(int predicate) const { return compact(__ballot_sync(mask_, predicate)); }
  template <class T> WARPWISE_CGM unsigned int match_any(T v) const { return compact(__match_any_sync(mask_, v)); }
  template <class T> WARPWISE_CGM unsigned int match_all(T v, int& predicate) const {
    return compact(__match_all_sync(mask_, v, &predicate));
  }
  WARPWISE_CGM unsigned int lanes() const { return mask_; }

 private:
  template <class T> WARPWISE_CGM T from_lane(const T& v, unsigned int lane) const {
    const unsigned int mask = mask_;
    return details::exchange(v, [=](unsigned int bits) { return __shfl_sync(mask, bits, static_cast<int>(lane)); });
  }
  WARPWISE_CGM unsigned int compact(unsigned int bits) const {
    if (mask_ == 0xffffffffu) return bits;
    unsigned int result = 0, rank = 0;
    for (unsigned int rest = mask_; rest; rest &= rest - 1, ++rank)
      if (bits & rest & (0u - rest)) result |= 1u << rank;
    return result;
  }
  unsigned int mask_, meta_rank_, meta_size_;
};
WARPWISE_CG coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

namespace details {

// N neighbours of a warp. A tile's position among its siblings follows from its lanes, except for a tile of a coalesced
// group.
template <unsigned int N> class warp_tile {
 public:
  WARPWISE_CGM warp_tile() : mask_(neighbours(N)) {}
  WARPWISE_CGM void sync() const { __syncwarp(mask_); }
  static constexpr __device__ unsigned int num_threads() { return N; }
  static constexpr __device__ unsigned int size() { return N; }
  static WARPWISE_CGM unsigned int thread_rank() { return thread_in_block() & (N - 1); }
  template <class T> WARPWISE_CGM T shfl(T v, int rank) const {
    const unsigned int mask = mask_;
    return exchange(v, [=](unsigned int bits) { return __shfl_sync(mask, bits, rank, N); });
  }
  template <class T> WARPWISE_CGM T shfl_down(T v, unsigned int delta) const {
    const unsigned int mask = mask_;
    return exchange(v, [=](unsigned int bits) { return __shfl_down_sync(mask, bits, delta, N); });
  }
  template <class T> WARPWISE_CGM T shfl_up(T v, unsigned int delta) const {
    const unsigned int mask = mask_;
    return exchange(v, [=](unsigned int bits) { return __shfl_up_sync(mask, bits, delta, N); });
  }
  template <class T> WARPWISE_CGM T shfl_xor(T v, unsigned int lanes) const {
    const unsigned int mask = mask_;
    return exchange(v, [=](unsigned int bits) { return __shfl_xor_sync(mask, bits, static_cast<int>(lanes), N); });
  }
  WARPWISE_CGM int any(int predicate) const { return __any_sync(mask_, predicate); }
  WARPWISE_CGM int all(int predicate) const { return __all_sync(mask_, predicate); }
  WARPWISE_CGM unsigned int ballot(int predicate) const { return shift(__ballot_sync(mask_, predicate)); }
  template <class T> WARPWISE_CGM unsigned int match_any(T v) const { return shift(__match_any_sync(mask_, v)); }
  template <class T> WARPWISE_CGM unsigned int match_all(T v, int& predicate) const {
    return shift(__match_all_sync(mask_, v, &predicate));
  }
  WARPWISE_CGM unsigned int lanes() const { return mask_; }

 private:
  WARPWISE_CGM unsigned int shift(unsigned int bits) const { return (bits & mask_) >> (lane() & ~(N - 1)); }
  unsigned int mask_;
};

}  // namespace details
}  // namespace cooperative_groups
