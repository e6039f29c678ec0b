// What a program gets without including anything, as with nvcc.
// has: vprintf
// has: __assertfail
__global__ void kernel(uintptr_t* p) {
  assert(p != nullptr);
  printf("%d\n", threadIdx.x);
}
template <class F, class... A> void forward(F f, A&&... a) { f(std::forward<A>(a)...); }
int main() {
  const clock_t start = clock();
  forward([](int) {}, 3);
  kernel<<<1, 1>>>(nullptr);
  if (cudaGetLastError() != cudaSuccess) exit(EXIT_FAILURE);
  fprintf(stderr, "%g\n", double(clock() - start) / CLOCKS_PER_SEC + sqrtf(2.0f) + fmax(1.0, 2.0));
#if !defined(__DRIVER_TYPES_H__) || !defined(__CUDA_RUNTIME_H__)
#error "helper headers ask for these names"
#endif
}
