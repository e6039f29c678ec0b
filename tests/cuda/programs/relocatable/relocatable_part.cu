// The other file of relocatable.cu: defines what that file declares. Both have a static variable of the same name.
#include <cuda_runtime.h>

__device__ int counter = 100;
__constant__ int factor;
static __device__ int hidden = 5;

__device__ int twice(int x) { return 2 * x + hidden; }

struct Shape {
  __device__ virtual int area() const = 0;
};
struct Square : Shape {
  int side;
  __device__ Square(int side) : side(side) {}
  __device__ int area() const override { return side * side; }
};
__device__ Shape* make_square(int side) { return new Square(side); }
__device__ int area_of(Shape* shape) { return shape->area(); }

__global__ void in_the_part(int* out) { *out = counter * factor; }

int read_counter() {
  int value = 0;
  cudaMemcpyFromSymbol(&value, counter, sizeof value);
  return value;
}

void set_factor(int value) { cudaMemcpyToSymbol(factor, &value, sizeof value); }

void launch_part(int* out) { in_the_part<<<1, 1>>>(out); }
