// Votes, shuffles, matches, reductions.
// has: vote.sync.ballot
// has: match.any.sync.b64
// has: redux.sync
// has: activemask
// lacks: call
template <class T> __device__ void shuffle(T* p, T v) {
  v += __shfl_sync(~0u, v, 3) + __shfl_up_sync(~0u, v, 1) + __shfl_down_sync(~0u, v, 2, 16) + __shfl_xor_sync(~0u, v, 4, 8);
  p[0] = v;
}
template <class T> __device__ int match(T v) {
  int all;
  return __match_any_sync(~0u, v) + __match_all_sync(~0u, v, &all) + all;
}
__global__ void all(int* i, unsigned* u, long* l, unsigned long* ul, long long* ll, unsigned long long* ull, float* f, double* d) {
  shuffle(i, 1), shuffle(u, 1u), shuffle(l, 1l), shuffle(ul, 1ul), shuffle(ll, 1ll), shuffle(ull, 1ull), shuffle(f, 1.f), shuffle(d, 1.);
  i[1] = match(i[0]) + match(u[0]) + match(l[0]) + match(ul[0]) + match(ll[0]) + match(ull[0]) + match(f[0]) + match(d[0]);
  u[2] = __ballot_sync(~0u, i[1]) + __activemask() + __fns(u[3], 0, 2) + __reduce_add_sync(~0u, u[2]) + __reduce_min_sync(~0u, i[3]) +
         __reduce_max_sync(~0u, u[4]) + __reduce_and_sync(~0u, u[5]) + __reduce_or_sync(~0u, u[6]) + __reduce_xor_sync(~0u, u[7]);
  i[2] = __all_sync(~0u, i[1]) + __any_sync(~0u, i[2]) + __uni_sync(~0u, i[4]) + __syncthreads_count(i[1]) + __syncthreads_and(i[2]) + __syncthreads_or(i[3]);
  __syncwarp();
  __syncwarp(0xffff);
  __threadfence(), __threadfence_block(), __threadfence_system();
  i[3] = warpSize;
}
