// Kernels in C++20, whose headers include <new> before the program does: objects on the heap, concepts, folds, lambdas
// with
// template parameters, designated initialisers, and structured bindings.
#include <concepts>
#include <cstdio>
#include <new>
#include <type_traits>

template <class T>
concept Number = std::is_arithmetic_v<T>;

template <Number... Ts>
__device__ auto sum(Ts... terms) {
  return (terms + ...);
}

struct Shape {
  virtual __device__ float area() const = 0;
  virtual __device__ ~Shape() {}
};
struct Square : Shape {
  float side;
  explicit __device__ Square(float s) : side(s) {}
  __device__ float area() const override { return side * side; }
};
struct Strip : Shape {
  float length;
  explicit __device__ Strip(float l) : length(l) {}
  __device__ float area() const override { return length / 2; }
};

struct Range {
  int first = 0, count = 1;
};

__global__ void areas(float* out) {
  const float x = static_cast<float>(threadIdx.x);
  Shape* shape = threadIdx.x % 2 ? static_cast<Shape*>(new Square(x)) : new Strip(x);
  out[threadIdx.x] = shape->area();
  delete shape;
}

__global__ void arrays(int* out) {
  const Range range{.first = 3, .count = 4};
  int* numbers = new int[range.count];
  for (int k = 0; k < range.count; ++k) numbers[k] = range.first + k;
  auto pick = [&]<int K>(std::integral_constant<int, K>) { return numbers[K]; };
  const auto [a, b] = make_int2(pick(std::integral_constant<int, 0>{}), pick(std::integral_constant<int, 3>{}));
  out[0] = a, out[1] = b;
  out[2] = static_cast<int>(sum(a, b, 0.5f, 1u));
  delete[] numbers;
  alignas(int) unsigned char place[sizeof(int)];
  int* placed = new (place) int(17);
  out[3] = *placed;
  void* bytes = malloc(16);
  out[4] = bytes != nullptr;
  free(bytes);
}

int main() {
  float* squares;
  int* numbers;
  cudaMallocManaged(&squares, 4 * sizeof(float));
  cudaMallocManaged(&numbers, 5 * sizeof(int));
  areas<<<1, 4>>>(squares);
  arrays<<<1, 1>>>(numbers);
  if (cudaError_t error = cudaDeviceSynchronize(); error != cudaSuccess) {
    printf("%s\n", cudaGetErrorString(error));
    return 1;
  }
  printf("areas %g %g %g %g\n", squares[0], squares[1], squares[2], squares[3]);
  printf("numbers %d %d %d %d %d\n", numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]);
  cudaFree(squares);
  cudaFree(numbers);
}
