// Static and dynamic shared memory, barriers, shuffles, an atomic.
// has: bar.sync
// has: shfl.sync.down.b32
// has: atom.global.add.f32
// lacks: call
extern __shared__ float dynamic[];
template <int size> __global__ void __launch_bounds__(size) sum(const float* __restrict__ x, float* out, int n) {
  __shared__ float partial[size / 32];
  const int i = blockIdx.x * size + threadIdx.x;
  float v = i < n ? x[i] : 0.0f;
  dynamic[threadIdx.x] = v;
  for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffff, v, offset);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < size / 32; ++w) v += partial[w];
    atomicAdd(out, v + dynamic[1]);
  }
}
template __global__ void sum<256>(const float*, float*, int);
void run(float* x) { sum<128><<<dim3(4, 1), 128, 512, 0>>>(x, x, 512); }
