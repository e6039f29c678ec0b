// cuRAND's device generators: bits, uniform numbers and Poisson numbers exactly, normal ones to three decimals.
#include <curand_kernel.h>

#include <cstdio>
#include <cstring>

constexpr int kThreads = 32, kNumbers = 40;

struct Hash {
  unsigned value = 2166136261u;
  __device__ void add(unsigned word) { value = (value ^ word) * 16777619u; }
  __device__ void add(float x) { add(__float_as_uint(x)); }
  __device__ void add(double x) {
    unsigned long long bits = __double_as_longlong(x);
    add(static_cast<unsigned>(bits));
    add(static_cast<unsigned>(bits >> 32));
  }
};

struct Answers {
  unsigned bits, uniform, uniform_double, skipped, poisson[3];
  float normal[3], log_normal[3];
  double normal_double[3], log_normal_double;
};

template <class State>
__device__ void more(State*, Hash&, Answers&) {}
__device__ void more(curandStatePhilox4_32_10_t* state, Hash& hash, Answers&) {
  for (int i = 0; i < 3; ++i) {  // from each place within four
    uint4 x = curand4(state);
    hash.add(x.x), hash.add(x.y), hash.add(x.z), hash.add(x.w);
    float4 u = curand_uniform4(state);
    hash.add(u.x), hash.add(u.w);
    double2 d = curand_uniform2_double(state);
    hash.add(d.x), hash.add(d.y);
    uint4 p = curand_poisson4(state, 12.5);
    hash.add(p.x), hash.add(p.w);
    hash.add(curand(state));
  }
}

template <class State>
__global__ void draw(Answers* out, unsigned long long seed, unsigned long long offset) {
  Answers a;
  State state;
  curand_init(seed, threadIdx.x * 0x10001ull, offset, &state);
  Hash bits, uniform, uniform_double, skipped;
  for (int i = 0; i < kNumbers; ++i) bits.add(curand(&state));
  for (int i = 0; i < kNumbers; ++i) uniform.add(curand_uniform(&state));
  for (int i = 0; i < kNumbers; ++i) uniform_double.add(curand_uniform_double(&state));
  skipahead(1000003ull, &state);
  skipped.add(curand(&state));
  skipahead_sequence(5ull + threadIdx.x, &state);
  skipped.add(curand(&state));
  more(&state, skipped, a);
  a.bits = bits.value, a.uniform = uniform.value, a.uniform_double = uniform_double.value, a.skipped = skipped.value;
  for (int i = 0; i < 3; ++i) a.normal[i] = curand_normal(&state);
  for (int i = 0; i < 3; ++i) a.log_normal[i] = curand_log_normal(&state, 0.5f, 0.25f);
  for (int i = 0; i < 3; ++i) a.normal_double[i] = curand_normal_double(&state);
  a.log_normal_double = curand_log_normal2_double(&state, 1.0, 0.5).y;
  const double means[3] = {3.5, 300, 5000};
  for (int i = 0; i < 3; ++i) {
    Hash poisson;
    for (int n = 0; n < 6; ++n) poisson.add(curand_poisson(&state, means[i]));
    a.poisson[i] = poisson.value;
  }
  out[threadIdx.x] = a;
}

template <class State>
void show(const char* name, unsigned long long seed, unsigned long long offset) {
  Answers *device, host[kThreads];
  cudaMalloc(&device, sizeof host);
  draw<State><<<1, kThreads>>>(device, seed, offset);
  cudaError_t error = cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  printf("%s, %d bytes, seed %llu, offset %llu: %s\n", name, static_cast<int>(sizeof(State)), seed, offset, cudaGetErrorName(error));
  for (int t : {0, 1, 2, 31}) {
    const Answers& a = host[t];
    printf("  %2d: %08x %08x %08x %08x poisson %08x %08x %08x\n", t, a.bits, a.uniform, a.uniform_double, a.skipped,
           a.poisson[0], a.poisson[1], a.poisson[2]);
    printf("      %.3f %.3f %.3f  %.3f %.3f %.3f  %.3f %.3f %.3f  %.3f\n", a.normal[0], a.normal[1], a.normal[2],
           a.log_normal[0], a.log_normal[1], a.log_normal[2], a.normal_double[0], a.normal_double[1], a.normal_double[2],
           a.log_normal_double);
  }
  cudaFree(device);
}

template <class State>
void show_all(const char* name) {
  show<State>(name, 0, 0);
  show<State>(name, 1234, 7);
  show<State>(name, 0xfedcba9876543210ull, 0x123456789aull);
}

int main() {
  show_all<curandStateXORWOW_t>("XORWOW");
  show_all<curandStatePhilox4_32_10_t>("Philox4_32_10");
  show_all<curandStateMRG32k3a_t>("MRG32k3a");
}
