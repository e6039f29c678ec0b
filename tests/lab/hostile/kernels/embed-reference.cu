// verdict: forbidden
// says: reference.cpp
// The reference as data.
__device__ const char text[] = {
#embed "../problems/kernels/add-ten/reference.cpp"
};
extern "C" __global__ void add_ten(float* out, const float* a) {
  out[threadIdx.x] = a[threadIdx.x] + 10;
}
