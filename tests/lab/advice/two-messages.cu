// problem: puzzles/map
// verdict: does-not-compile
// says: start with the first message
extern "C" __global__ void map(float* out, const float* a) {
  int i = threadIndex.x;
  out[i] = b[i] + 10;
}
