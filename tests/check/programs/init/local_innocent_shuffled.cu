// clean: a struct with padding is shuffled word by word, as libraries do
struct Wide {
  int first;
  double second;
  char third;
};
__device__ Wide from_lane(const Wide& mine, int lane) {
  constexpr int kWords = (sizeof(Wide) + 3) / 4;
  int words[kWords];
  memcpy(words, &mine, sizeof mine);
  for (int w = 0; w < kWords; ++w) words[w] = __shfl_sync(~0u, words[w], lane);
  Wide theirs;
  memcpy(&theirs, words, sizeof theirs);
  return theirs;
}
__global__ void k(int* out) {
  Wide w{(int)threadIdx.x, threadIdx.x * 0.5, 'a'};
  w = from_lane(w, 31);
  out[threadIdx.x] = w.first + (int)w.second + w.third;
}
int main() {
  int* out;
  cudaMalloc(&out, 128);
  k<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
