// clean: virtual functions of objects that the device made
struct Shape {
  __device__ virtual int area() const = 0;
};
struct Square : Shape {
  int side;
  __device__ Square(int s) : side(s) {}
  __device__ int area() const override { return side * side; }
};
struct Bar : Shape {
  int length;
  __device__ Bar(int l) : length(l) {}
  __device__ int area() const override { return length; }
};
__global__ void k(int* out) {
  Square s(threadIdx.x);
  Bar b(threadIdx.x);
  const Shape* shape = threadIdx.x % 2 ? (const Shape*)&s : &b;
  out[threadIdx.x] = shape->area();
}
int main() {
  int* out;
  cudaMalloc(&out, 512);
  k<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
