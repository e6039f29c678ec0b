// Partitions of groups into smaller ones, and the functions that take any group.
#pragma once

#include "tiles.h"

namespace cooperative_groups {

// A group whose kind is known at run time only.
class thread_group {
 public:
  WARPWISE_CGM thread_group(thread_block) : mask_(0) {}
  WARPWISE_CGM thread_group(const coalesced_group& g) : mask_(g.lanes()) {}
  template <unsigned int N, class P> WARPWISE_CGM thread_group(const thread_block_tile<N, P>& g) : mask_(g.lanes()) {}
  explicit WARPWISE_CGM thread_group(unsigned int mask) : mask_(mask) {}
  WARPWISE_CGM void sync() const {
    if (mask_) __syncwarp(mask_);
    else __syncthreads();
  }
  WARPWISE_CGM unsigned long long size() const {
    return mask_ ? static_cast<unsigned int>(__popc(mask_)) : details::threads_of_block();
  }
  WARPWISE_CGM unsigned long long num_threads() const { return size(); }
  WARPWISE_CGM unsigned long long thread_rank() const {
    return mask_ ? static_cast<unsigned int>(__popc(mask_ & details::lanes_below())) : details::thread_in_block();
  }
  WARPWISE_CGM unsigned int lanes() const { return mask_; }

 private:
  unsigned int mask_;  // of a warp's lanes; 0: the whole block
};

template <unsigned int N> WARPWISE_CG thread_block_tile<N, thread_block> tiled_partition(const thread_block&) { return {}; }
template <unsigned int N, unsigned int M, class P>
WARPWISE_CG thread_block_tile<N, thread_block_tile<M, P>> tiled_partition(const thread_block_tile<M, P>&) {
  static_assert(N <= M, "a tile is cut into smaller ones");
  return {};
}
// Sizes known only at run time; at most 32, a power of two. Coalesced groups are partitioned by rank.
WARPWISE_CG coalesced_group tiled_partition(const coalesced_group& parent, unsigned int n) {
  const unsigned int tile = parent.thread_rank() / n;
  unsigned int mask = 0, rank = 0;
  for (unsigned int rest = parent.lanes(); rest; rest &= rest - 1, ++rank)
    if (rank / n == tile) mask |= rest & (0u - rest);
  return coalesced_group(mask, tile, (parent.num_threads() + n - 1) / n);
}
WARPWISE_CG thread_group tiled_partition(const thread_group& parent, unsigned int n) {
  if (!parent.lanes()) return thread_group(details::neighbours(n));
  return thread_group(tiled_partition(coalesced_group(parent.lanes()), n).lanes());
}
WARPWISE_CG thread_group tiled_partition(const thread_block&, unsigned int n) { return thread_group(details::neighbours(n)); }
WARPWISE_CG thread_block_tile<1> this_thread() { return {}; }

// The threads of a group that agree on a predicate: those where it is false are the first partition.
template <class Group> WARPWISE_CG coalesced_group binary_partition(const Group& g, bool predicate) {
  const unsigned int yes = __ballot_sync(g.lanes(), predicate);
  return coalesced_group(predicate ? yes : g.lanes() & ~yes, predicate ? 1 : 0, 2);
}
// … or on a label. The partitions are in the order of their first threads.
template <class Group, class Label> WARPWISE_CG coalesced_group labeled_partition(const Group& g, Label label) {
  const unsigned int mask = __match_any_sync(g.lanes(), label);
  const unsigned int leader = static_cast<unsigned int>(__ffs(static_cast<int>(mask))) - 1;
  const unsigned int leaders = __ballot_sync(g.lanes(), details::lane() == leader);
  return coalesced_group(mask, static_cast<unsigned int>(__popc(leaders & ((1u << leader) - 1))),
                         static_cast<unsigned int>(__popc(leaders)));
}

template <class Group> WARPWISE_CG void sync(const Group& g) { g.sync(); }
template <class Group> WARPWISE_CG auto thread_rank(const Group& g) -> decltype(g.thread_rank()) { return g.thread_rank(); }
template <class Group> WARPWISE_CG auto group_size(const Group& g) -> decltype(g.num_threads()) { return g.num_threads(); }
template <class Group> WARPWISE_CG bool is_valid(const Group&) { return true; }

// Runs f in one thread of the group.
template <class Group, class F, class... Arguments> WARPWISE_CG void invoke_one(const Group& g, F&& f, Arguments&&... arguments) {
  if (g.thread_rank() == 0) f(static_cast<Arguments&&>(arguments)...);
}
// … and returns its result in all threads.
template <class Group, class F, class... Arguments>
WARPWISE_CG auto invoke_one_broadcast(const Group& g, F&& f, Arguments&&... arguments)
    -> decltype(f(static_cast<Arguments&&>(arguments)...)) {
  details::plain_t<decltype(f(static_cast<Arguments&&>(arguments)...))> result{};
  if (g.thread_rank() == 0) result = f(static_cast<Arguments&&>(arguments)...);
  return g.shfl(result, 0);
}

}  // namespace cooperative_groups
