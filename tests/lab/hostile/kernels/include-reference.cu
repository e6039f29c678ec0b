// verdict: forbidden
// says: reference.cpp
// The reference as source.
#include "../problems/kernels/add-ten/reference.cpp"
extern "C" __global__ void add_ten(float* out, const float* a) {
  out[threadIdx.x] = a[threadIdx.x] + 10;
}
