// options: --only=memory
// Every width that has an alignment, in every space, by every shape of address: one for all lanes, a pattern of the lanes, any.
// Vectors as they are: a compiler may take others apart.
__device__ int sum_of_two(const void* p) {
  int u, v;
  asm volatile("ld.v2.u32 {%0, %1}, [%2];" : "=r"(u), "=r"(v) : "l"(p));  // finds C0102
  return u + v;
}
#define STORE4(p, value) asm volatile("st.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(p), "r"(value))
#define STORE2(p, value) asm volatile("st.v2.u64 [%0], {%1, %1};" ::"l"(p), "l"(value))

__constant__ int table[16];

__global__ void global(char* p, const int* order, int* out) {
  const int t = threadIdx.x;
  *(short*)(p + 1) = 1;                      // finds C0102
  *(int*)(p + 2) = 1;                        // finds C0102
  *(long long*)(p + 4) = 1;                  // finds C0102
  STORE4(p + 8, 1);                          // finds C0102
  ((short*)(p + 129))[t] = 1;                // finds C0102
  ((int*)(p + 258))[t] = 1;                  // finds C0102
  ((double*)(p + 516))[t] = 1;               // finds C0102
  STORE2(p + 1032 + 16 * t, 1ll);            // finds C0102
  int sum = ((int*)(p + 2))[order[t]];       // finds C0102
  sum += sum_of_two(p + 4 + order[t]);
  STORE4(p + 8 + order[t], sum);             // finds C0102
  atomicAdd((int*)(p + 2046) + t, sum);      // finds C0102
  out[t] = sum;
}

__global__ void shared(int* out) {
  __shared__ __align__(16) char s[1024];
  for (int i = threadIdx.x; i < 1024; i += 32) s[i] = 0;
  __syncthreads();
  const int t = threadIdx.x;
  ((short*)(s + 1))[t] = 1;                  // finds C0102
  __syncthreads();
  ((int*)(s + 129))[t] = 1;                  // finds C0102
  __syncthreads();
  ((double*)(s + 260))[t] = 1;               // finds C0102
  __syncthreads();
  STORE4(s + 8, 1);                          // finds C0102
  int sum = 0;
  sum += sum_of_two(s + 4 + 8 * t);
  out[t] = sum;
}

__global__ void local(int* out, int at) {
  alignas(16) char a[64];
  for (int i = 0; i < 64; ++i) a[i] = char(i);
  int sum = *(short*)(a + at);               // finds C0102
  sum += *(int*)(a + at);                    // finds C0102
  sum += *(double*)(a + at + 3) > 1;         // finds C0102
  out[threadIdx.x] = sum;
}

__global__ void constant(int* out, int at) {
  out[threadIdx.x] = *(int*)((char*)table + at);  // finds C0102
}

int main() {
  char* p;
  int *order, *out;
  cudaMalloc(&p, 4096);
  cudaMalloc(&order, 128);
  cudaMalloc(&out, 128);
  cudaMemset(p, 0, 4096);
  cudaMemset(order, 0, 128);
  global<<<1, 32>>>(p, order, out);
  cudaDeviceSynchronize();
  shared<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  local<<<1, 32>>>(out, 1);
  cudaDeviceSynchronize();
  constant<<<1, 32>>>(out, 1);
  cudaDeviceSynchronize();
  cudaGetLastError();
  cudaFree(p), cudaFree(order), cudaFree(out);
}
