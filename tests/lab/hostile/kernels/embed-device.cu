// verdict: forbidden
// says: /dev/urandom
// A device without end as data.
__device__ const unsigned char noise[] = {
#embed "/dev/urandom" limit(4000000000)
};
extern "C" __global__ void add_ten(float* out, const float* a) {
  int i = threadIdx.x;
  out[i] = a[i] + 10;
}
