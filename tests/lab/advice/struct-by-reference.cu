// problem: puzzles/map
// verdict: accepted
// says: 1 of 1
// A struct whose address is taken lies in local memory, which is no global memory.
struct Pair {
  float x, y;
};
__device__ __noinline__ void add(Pair& pair) {
  pair.x += pair.y;
  pair.y = 0;
}
extern "C" __global__ void map(float* out, const float* a) {
  int i = threadIdx.x;
  Pair pair{a[i], 10};
  add(pair);
  out[i] = pair.x;
}
