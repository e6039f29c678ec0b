// Managed variables in every way programs use them: arrays and structures, passed to kernels by address, copied to and
// from by the runtime, read by host functions of streams, and written by the host during a kernel that does not use them.
#include <cstdio>
#include <cstring>

struct Particle {
  double mass;
  char name[5];
  int hits;
};

__managed__ float data[3000];
__managed__ int large[50000] = {1, 2};  // enough for pages of its own
__managed__ Particle particle = {1.5, "ab", -1};
__managed__ int beside = 1;
static __managed__ unsigned long long total = 40;
__managed__ float* where;
__device__ int plain = 9;

__global__ void scale(float* values, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= factor;
}

__global__ void hit(Particle* p, int times) {
  atomicAdd(&p->hits, times);
  atomicAdd(&total, 1ull);
  if (threadIdx.x == 0) p->name[1] = 'X';
}

struct Pair {
  int n;
  float* values;
};

__global__ void add(Pair pair) {
  if (threadIdx.x < pair.n) pair.values[threadIdx.x] += data[threadIdx.x + 1] + plain;
}

__global__ void count() {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 50000) large[i] += i;
}

__global__ void through() { where[1] = 77; }

void look(void* text) { std::printf("%s: %g %d\n", static_cast<const char*>(text), data[1], beside++); }

void check(const char* what) {
  std::printf("%s: %s\n", what, cudaGetErrorName(cudaGetLastError()));
}

int main() {
  std::printf("%g %s %d %llu %g %d\n", particle.mass, particle.name, particle.hits, total, data[2999], beside);
  for (int i = 0; i < 3000; ++i) data[i] = i;
  scale<<<12, 256>>>(data, 2, 3000);
  hit<<<1, 32>>>(&particle, 2);
  beside = 2;  // no kernel uses it
  cudaDeviceSynchronize();
  std::printf("%g %g %s %d %llu %d\n", data[1], data[2999], particle.name, particle.hits, total, beside);

  // Inside another argument; by a stream, an event, a query.
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  add<<<1, 32, 0, stream>>>(Pair{2, data + 10});
  cudaLaunchHostFunc(stream, look, const_cast<char*>("in the stream"));
  while (cudaStreamQuery(stream) == cudaErrorNotReady) cudaGetLastError();
  std::printf("%g %g %g %d\n", data[10], data[11], data[12], beside);
  check("stream");

  // The runtime's functions accept the address as well.
  float three[3] = {1, 2, 3};
  cudaMemcpy(data, three, sizeof three, cudaMemcpyHostToDevice);
  scale<<<1, 32>>>(data, 10, 3);
  cudaMemcpy(three, data, sizeof three, cudaMemcpyDeviceToHost);
  std::printf("%g %g %g, %g\n", three[0], three[1], three[2], data[0]);
  cudaMemset(&beside, 0xff, sizeof beside);
  std::printf("%d\n", beside);
  unsigned long long more = 1000;
  cudaMemcpyToSymbol(total, &more, sizeof more);
  std::printf("%llu\n", total);
  total = 5;
  cudaMemcpyFromSymbol(&more, total, sizeof more);
  std::printf("%llu\n", more);
  cudaPointerAttributes attributes;
  cudaPointerGetAttributes(&attributes, data);
  std::printf("managed: %d, one address: %d\n", attributes.type == cudaMemoryTypeManaged, attributes.hostPointer == attributes.devicePointer);
  cudaStreamAttachMemAsync(stream, data);
  check("calls");

  // The address from cudaGetSymbolAddress may be stored where kernels read it.
  void* symbol = nullptr;
  cudaGetSymbolAddress(&symbol, data);
  where = static_cast<float*>(symbol);
  through<<<1, 1>>>();
  cudaDeviceSynchronize();
  std::printf("%g %g\n", data[1], where[1]);

  large[49999] = 1;
  count<<<196, 256>>>();
  cudaDeviceSynchronize();
  for (int i = 0; i < 50000; ++i) large[i] *= 2;
  count<<<196, 256>>>();
  cudaMemcpy(three, large + 49999, sizeof(int), cudaMemcpyDefault);
  int last;
  std::memcpy(&last, three, sizeof last);
  std::printf("%d %d %d %d, %d\n", large[0], large[1], large[2], large[49999], last);

  // Only the host's half of what both sides changed in different bytes.
  std::memset(particle.name, 'z', 1);
  hit<<<1, 1>>>(&particle, 0);
  particle.mass = 3;
  cudaStreamSynchronize(nullptr);
  std::printf("%s %g\n", particle.name, particle.mass);
  check("end");
  return 0;
}
